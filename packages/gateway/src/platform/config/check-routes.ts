import type { ConfigDocument, ConfigPath } from "./config-document.ts";
import type { GeneralSettings } from "./gateway-config.ts";
import { meansRoutes } from "./options/route-groups.ts";

/** Warns of entries that name no path, which keep nobody from anything. @param path of `general_settings` */
export function checkRoutes(
  document: ConfigDocument,
  path: ConfigPath,
  { adminOnlyRoutes, allowedRoutes }: GeneralSettings,
): void {
  for (const [name, routes] of Object.entries({
    admin_only_routes: adminOnlyRoutes,
    allowed_routes: allowedRoutes,
  }))
    for (const [index, route] of routes.entries())
      if (!meansRoutes(route))
        document.warn(
          [...path, name, index],
          "is NOT ENFORCED here: it is neither a path, which begins with /, nor a group that the gateway knows",
        );
}

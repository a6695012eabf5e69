import { randomBytes } from "node:crypto";
import { noStore } from "../../contract/errors.ts";
import { keyRoute } from "../../contract/exchange.ts";
import { managementRoutes } from "../../core/auth/management/management.ts";
import type { Feature } from "../../core/feature.ts";
import { isOverHttps } from "../../core/http/public-address.ts";
import type { Core } from "../../core/open-core.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { SealedText } from "../../platform/store/sealed-text.ts";
import { assetRoutes } from "./assets.ts";
import { configurationReader } from "./configuration.ts";
import { overview } from "./overview.ts";
import { consoleDescription } from "./schema.ts";
import { SessionCookie } from "./session-cookie.ts";
import { sessionRoutes } from "./session-routes.ts";

/** The console: its files, and the sums that it shows. All else it takes from the endpoints that everybody has. */
export function openConsole({ authenticator, keys }: Core, { config, seal, store }: Platform): Feature {
  // Without a secret of the operator's, sessions end with the process.
  const cookie = new SessionCookie(seal.isSecret ? seal : new SealedText(randomBytes(32).toString("hex")));
  authenticator.acceptSessions((headers) => cookie.keyHashOf(headers, isOverHttps(headers, config.current)));
  const sums = keyRoute("GET", "/ui/overview", "console_overview", (exchange) => {
    if (store === undefined || keys === undefined) throw noStore();
    return overview(exchange, store, keys);
  });
  const configuration = configurationReader(config);
  const files = managementRoutes(keys, "console_configuration", {
    "GET /ui/configuration": async () => configuration(),
  });
  return {
    routes: [...assetRoutes(config), ...sessionRoutes(cookie, authenticator, config, keys), sums, ...files],
    descriptions: [consoleDescription],
  };
}

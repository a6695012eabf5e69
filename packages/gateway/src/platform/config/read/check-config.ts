import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { nearestName } from "../../../util/nearest-name.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import {
  type GatewayConfig,
  type GatewaySettings,
  type GeneralSettings,
  hasStore,
} from "../gateway-config.ts";
import { CUSTOMER } from "../options/customer-options.ts";
import { ROLES_BY_DEFAULT } from "../options/key-terms.ts";
import { meansRoutes } from "../options/route-groups.ts";
import { checkPriorities } from "./check-priorities.ts";

/** The sections of a file that was read. */
export interface ReadSections {
  readonly root: JsonObject;
  readonly gateway: Section;
  readonly router: Section;
  readonly general: Section;
}

/**
 * Warns of settings that each are right, and have no effect or hold nobody for what the others say.
 * @param providers names that providers may have
 */
export function checkConfig(
  document: ConfigDocument,
  { root, gateway, router, general }: ReadSections,
  config: GatewayConfig,
  providers: readonly string[],
): void {
  checkPriorities(document, gateway.path, config, root.keys);
  checkCustomers(document, general.path, gateway.path, config);
  checkRoutes(document, general.path, config.generalSettings);
  checkProviderBudgets(document, router.path, config, providers);
  checkDeploymentBudgets(document, root);
  checkUserDefaults(document, gateway.path, config.gatewaySettings);
  checkCompanions(document, gateway.path, gateway.value, "litellm_settings");
  checkCompanions(document, general.path, general.value, "general_settings");
  for (const [index, entry] of objectsIn(root.keys))
    checkCompanions(document, ["keys", index], entry, "keys");
}

/** The entries of a list that are maps, with their places. */
function objectsIn(list: unknown): [index: number, entry: JsonObject][] {
  return [...(Array.isArray(list) ? list : []).entries()].filter((each): each is [number, JsonObject] =>
    isJsonObject(each[1]),
  );
}

/** Options that have no effect without others, by the section that they stand in. */
const needs = {
  litellm_settings: {
    budget_duration: ["max_budget"],
    internal_user_budget_duration: ["max_internal_user_budget"],
    priority_reservation_settings: ["priority_reservation"],
  },
  general_settings: { maximum_spend_logs_retention_interval: ["maximum_spend_logs_retention_period"] },
  deployments: { budget_duration: ["max_budget"] },
  keys: { budget_duration: ["max_budget"], max_rollover: ["max_budget", "budget_duration"] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Warns of options whose companion is missing. @param path of the map that they stand in */
function checkCompanions(
  document: ConfigDocument,
  path: ConfigPath,
  value: JsonObject,
  section: keyof typeof needs,
): void {
  for (const [name, companions] of Object.entries<readonly string[]>(needs[section])) {
    const missing = value[name] == null ? [] : companions.filter((each) => value[each] == null);
    if (missing.length > 0) document.warn([...path, name], `has no effect without ${missing.join(" and ")}`);
  }
}

/**
 * Warns of settings about customers and tags that hold nobody, and refuses keys as customers' names.
 * @param general the path of `general_settings`
 * @param gateway the path of `litellm_settings`
 */
function checkCustomers(
  document: ConfigDocument,
  general: ConfigPath,
  gateway: ConfigPath,
  config: GatewayConfig,
): void {
  const { generalSettings, gatewaySettings } = config;
  for (const { name, role } of generalSettings.userHeaderMappings)
    if (role !== CUSTOMER)
      document.warn(
        [...general, "user_header_mappings"],
        `${name} is NOT ENFORCED here: calls count for the user of their key; write litellm_user_role: ${CUSTOMER} to count them by that header too`,
      );
  const keyHeader = generalSettings.litellmKeyHeaderName?.toLowerCase();
  const names = generalSettings.userHeaderMappings.map(({ name }) => name);
  if (keyHeader !== undefined && [...names, generalSettings.userHeaderName].includes(keyHeader))
    document.error(
      [...general, "litellm_key_header_name"],
      `${keyHeader} has keys, so that it cannot name customers too`,
    );
  if (gatewaySettings.maxEndUserBudgetId !== undefined && !hasStore(config))
    document.warn(
      [...gateway, "max_end_user_budget_id"],
      "is NOT ENFORCED here: budgets are kept in a database, and there is none; set max_end_user_budget",
    );
  for (const [tag, limits] of Object.entries(gatewaySettings.tagBudgetConfig))
    if (limits.budgetDuration !== undefined && limits.maxBudget === undefined)
      document.warn(
        [...gateway, "tag_budget_config", tag],
        "budget_duration has no effect without max_budget",
      );
}

/** Warns of entries that name no path, which keep nobody from anything. @param path of `general_settings` */
function checkRoutes(
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

/**
 * Warns of budgets of providers that hold nobody.
 * @param router the path of `router_settings`
 * @param names names that providers may have
 */
function checkProviderBudgets(
  document: ConfigDocument,
  router: ConfigPath,
  { deployments, routerSettings }: GatewayConfig,
  names: readonly string[],
): void {
  const used = new Set(deployments.map(({ provider }) => provider));
  for (const [provider, { maxBudget }] of Object.entries(routerSettings.providerBudgetConfig)) {
    const path = [...router, "provider_budget_config", provider];
    if (maxBudget === undefined) {
      document.warn(path, "has no effect without budget_limit");
    } else if (!used.has(provider) && (!used.has("*") || !names.includes(provider))) {
      const nearest = nearestName(provider, new Set([...used, ...names]));
      const hint = nearest === undefined || nearest === provider ? "" : `; did you mean ${nearest}?`;
      document.warn(path, `holds nobody: no entry of model_list has this provider${hint}`);
    }
  }
}

/** Warns of deployments whose budget has a length and no amount. */
function checkDeploymentBudgets(document: ConfigDocument, { model_list: list }: JsonObject): void {
  for (const [index, entry] of objectsIn(list))
    for (const name of ["gateway_params", "litellm_params"]) {
      const params = entry[name];
      if (isJsonObject(params)) checkCompanions(document, ["model_list", index, name], params, "deployments");
    }
}

/** Warns of what new users do not get. @param path of `litellm_settings` */
function checkUserDefaults(
  document: ConfigDocument,
  path: ConfigPath,
  { defaultInternalUserParams: { user_role: role, teams, available_teams: available } = {} }: GatewaySettings,
): void {
  const at = [...path, "default_internal_user_params"];
  if (role !== undefined && !ROLES_BY_DEFAULT.some((one) => one === role))
    document.warn(
      [...at, "user_role"],
      "is NOT ENFORCED here: new users are internal_user or internal_user_viewer; make administrators by /user/update",
    );
  if (teams !== undefined)
    document.warn(
      [...at, "teams"],
      "is NOT ENFORCED here: add new users by /team/member_add, SCIM or their token",
    );
  if (available !== undefined)
    document.warn(
      [...at, "available_teams"],
      "is NOT ENFORCED here: nobody joins a team alone; an administrator of it adds members by /team/member_add",
    );
}

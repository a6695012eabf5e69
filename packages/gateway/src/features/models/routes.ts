import { checkQuery } from "../../contract/check.ts";
import type { Deployment } from "../../contract/deployment.ts";
import { notFound, shortened } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { mayCallModel, ownAlias, type Principal } from "../../contract/principal.ts";
import { mayUseDeployment } from "../../core/auth/deployment-permission.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { matchesWildcard } from "../../util/wildcard.ts";
import { groupInfo, modelInfo, pagedModelInfo } from "./deployment-info.ts";
import { googleModel, googlePage } from "./google-models.ts";
import { modelObject } from "./model-object.ts";
import { ProviderModels } from "./provider-models.ts";
import { groupQuery, infoQuery, modelDescription, pagedInfoQuery } from "./schema.ts";

/** Which models there are: OpenAI's and Anthropic's lists in one answer, and what LiteLLM tells of deployments. */
export function openModels({ resources }: Pick<Core, "resources">, { config }: Platform): Feature {
  const provided = new ProviderModels(resources);
  const listModels: Show = async ({ principal }, now) =>
    modelPage(await listedFor(principal, now, provided), now);
  const listGoogleModels: Show = async ({ principal, query }, now) =>
    googlePage(await listedFor(principal, now, provided), query, (name) => googleModel(name, now));
  const get = (path: string, handler: Show): Route => ({
    method: "GET",
    path,
    access: "key",
    ...familyOf(path),
    callType: "models",
    handler: async (exchange): Promise<Reply> => ({
      status: 200,
      body: await handler(exchange, config.current),
    }),
  });
  const routes = [
    ...GOOGLE.map((path) => get(path, listGoogleModels)),
    ...GOOGLE.map((path) => get(`${path}/*`, showGoogleModel)),
    get("/v1/models", forClient(listModels, listGoogleModels)),
    get("/models", listModels),
    get("/openai/v1/models", listModels),
    get("/anthropic/v1/models", listModels),
    get("/v1/models/*", forClient(showModel, showGoogleModel)),
    get("/models/*", showModel),
    get("/openai/v1/models/*", showModel),
    get("/anthropic/v1/models/*", showModel),
    get("/v1/model/info", (exchange, now) =>
      modelInfo(usable(exchange, now), checkQuery(infoQuery, exchange.query), exchange.principal),
    ),
    get("/model/info", (exchange, now) =>
      modelInfo(usable(exchange, now), checkQuery(infoQuery, exchange.query), exchange.principal),
    ),
    get("/v2/model/info", (exchange, now) =>
      pagedModelInfo(usable(exchange, now), checkQuery(pagedInfoQuery, exchange.query), exchange.principal),
    ),
    get("/model_group/info", (exchange, now) =>
      groupInfo(
        usable(exchange, now),
        checkQuery(groupQuery, exchange.query),
        shownAliases(now).filter(([alias]) => mayCallModel(exchange.principal, alias)),
      ),
    ),
  ];
  return { routes, descriptions: [modelDescription] };
}

/** Where Gemini's API has its list alone; `/v1/models` is OpenAI's and Anthropic's path too. */
const GOOGLE = ["/v1beta/models", "/v1alpha/models", "/gemini/v1beta/models", "/gemini/v1/models"];

function familyOf(path: string): Pick<Route, "family" | "sharedWith"> {
  if (path.startsWith("/anthropic/")) return { family: "anthropic" };
  if (GOOGLE.some((own) => path.startsWith(own))) return { family: "google" };
  return path.startsWith("/v1/models") ? { family: "openai", sharedWith: "google" } : { family: "openai" };
}

type Show = (exchange: Exchange, config: GatewayConfig) => object | Promise<object>;

/** Google's clients get Google's shape. */
function forClient(usual: Show, googles: Show): Show {
  return (exchange, config) => (exchange.family === "google" ? googles : usual)(exchange, config);
}

/** Names that the principal may call: those of the model list and the aliases. */
function namesFor(
  principal: Principal,
  config: GatewayConfig,
  expanded = (name: string): string[] => [name],
): string[] {
  const names = new Set([
    ...config.deployments.map((deployment) => deployment.modelName),
    ...shownAliases(config).map(([alias]) => alias),
    ...Object.keys(config.gatewaySettings.modelAliasMap),
    ...Object.keys(principal.modelAliases ?? {}),
  ]);
  return [...names].flatMap(expanded).filter((name) => {
    const meant = ownAlias(principal, name);
    return mayCallModel(principal, meant) && isInReach(principal, meant, config);
  });
}

/** The aliases of model groups but those that are to be called and not shown. */
function shownAliases({ routerSettings }: GatewayConfig): [alias: string, model: string][] {
  const { modelGroupAlias, hiddenAliases } = routerSettings;
  return Object.entries(modelGroupAlias).filter(([alias]) => hiddenAliases?.has(alias) !== true);
}

/** Whether a name leads to a deployment of the region to which the key is bound, if it leads to any here. */
function isInReach({ allowedModelRegion: region }: Principal, name: string, config: GatewayConfig): boolean {
  if (region === undefined) return true;
  const model =
    config.gatewaySettings.modelAliasMap[name] ?? config.routerSettings.modelGroupAlias[name] ?? name;
  const deployments = config.deployments.filter(({ modelName }) => matchesWildcard(modelName, model));
  return deployments.length === 0 || deployments.some((one) => (one.region ?? region) === region);
}

/** The same as lists show them: with the models of providers in place of patterns, where that is asked for. */
async function listedFor(
  principal: Principal,
  config: GatewayConfig,
  provided: ProviderModels,
): Promise<string[]> {
  if (!config.gatewaySettings.checkProviderEndpoint) return namesFor(principal, config);
  const patterns = new Map<string, Set<string>>();
  const asking = config.deployments
    .filter(({ modelName }) => modelName.includes("*"))
    .map(async (deployment): Promise<void> => {
      const names = (await provided.namesOf(deployment)) ?? [];
      const found = patterns.get(deployment.modelName) ?? new Set();
      for (const name of names) found.add(name);
      patterns.set(deployment.modelName, found);
    });
  await Promise.all(asking);
  const named = namesFor(principal, config, (name) => {
    const names = patterns.get(name);
    return names === undefined || names.size === 0 ? [name] : [...names];
  });
  return [...new Set(named)];
}

function modelPage(names: readonly string[], config: GatewayConfig): JsonObject {
  const data = names.map((name) => modelObject(name, config));
  return {
    object: "list",
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function showModel({ principal, params }: Exchange, config: GatewayConfig): JsonObject {
  return modelObject(permittedModel(principal, params["*"] ?? "", config), config);
}

/** @throws GatewayError 404 for a model that does not exist for this key */
function permittedModel(principal: Principal, id: string, config: GatewayConfig): string {
  const known = namesFor(principal, config).some((name) => matchesWildcard(name, id));
  if (!known || !mayCallModel(principal, ownAlias(principal, id)))
    throw notFound(`The model ${shortened(id)} does not exist`);
  return id;
}

function showGoogleModel({ principal, params }: Exchange, config: GatewayConfig): JsonObject {
  return googleModel(permittedModel(principal, params["*"] ?? "", config), config);
}

/** The deployments that the caller may use. */
function usable({ principal }: Exchange, config: GatewayConfig): Deployment[] {
  return config.deployments.filter((deployment) => mayUseDeployment(principal, deployment, config));
}

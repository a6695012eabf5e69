import type { Deployment } from "../../contract/deployment.ts";
import { notFound } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { mayCallModel } from "../../contract/model-permission.ts";
import type { Principal } from "../../contract/principal.ts";
import { mayUseDeployment } from "../../core/auth/deployment-permission.ts";
import type { Feature } from "../../core/feature.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { matchesWildcard } from "../../util/wildcard.ts";
import { modelDescription } from "./description.ts";

/** Seconds since the epoch; models of a gateway have no date of their own, and clients want one. */
const CREATED = 1_677_610_602;

/** Which models there are: OpenAI's and Anthropic's lists in one answer, and LiteLLM's `/model/info`. */
export function openModels({ config }: Platform): Feature {
  const get = (path: string, handler: (exchange: Exchange, config: GatewayConfig) => object): Route => ({
    method: "GET",
    path,
    access: "key",
    family: path.startsWith("/anthropic/") ? "anthropic" : "openai",
    callType: "models",
    handler: async (exchange): Promise<Reply> => ({ status: 200, body: handler(exchange, config.current()) }),
  });
  const routes = [
    get("/v1/models", listModels),
    get("/models", listModels),
    get("/openai/v1/models", listModels),
    get("/anthropic/v1/models", listModels),
    get("/v1/models/*", showModel),
    get("/models/*", showModel),
    get("/openai/v1/models/*", showModel),
    get("/anthropic/v1/models/*", showModel),
    get("/v1/model/info", modelInfo),
    get("/model/info", modelInfo),
  ];
  return { routes, descriptions: [modelDescription] };
}

/** Names that the principal may call: those of the model list and the aliases. */
function namesFor(principal: Principal, config: GatewayConfig): string[] {
  const names = new Set([
    ...config.deployments.map((deployment) => deployment.modelName),
    ...Object.keys(config.routerSettings.modelGroupAlias),
    ...Object.keys(config.gatewaySettings.modelAliasMap),
  ]);
  return [...names].filter((name) => mayCallModel(principal, name));
}

function listModels({ principal }: Exchange, config: GatewayConfig): JsonObject {
  const data = namesFor(principal, config).map((name) => modelObject(name, config));
  return {
    object: "list",
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

function showModel({ principal, params }: Exchange, config: GatewayConfig): JsonObject {
  const id = params["*"] ?? "";
  const known = namesFor(principal, config).some((name) => matchesWildcard(name, id));
  if (!known || !mayCallModel(principal, id)) throw notFound(`The model ${id.slice(0, 200)} does not exist`);
  return modelObject(id, config);
}

/** A model in OpenAI's words and Anthropic's. */
function modelObject(id: string, config: GatewayConfig): JsonObject {
  const owner = config.deployments.find((deployment) => matchesWildcard(deployment.modelName, id));
  return {
    id,
    object: "model",
    created: CREATED,
    owned_by: owner?.provider ?? "portico",
    type: "model",
    display_name: id,
    created_at: new Date(CREATED * 1000).toISOString(),
    lifecycle: "active",
  };
}

function modelInfo({ principal }: Exchange, config: GatewayConfig): JsonObject {
  const visible = config.deployments.filter((deployment) => mayUseDeployment(principal, deployment, config));
  return { data: visible.map(describeDeployment) };
}

/** A deployment without its key; parameters that might be secrets are left out rather than masked. */
function describeDeployment(deployment: Deployment): JsonObject {
  return {
    model_name: deployment.modelName,
    litellm_params: {
      model: `${deployment.provider}/${deployment.model}`,
      custom_llm_provider: deployment.provider,
      api_base: publicAddress(deployment.apiBase),
      api_version: deployment.apiVersion,
      region_name: deployment.region,
      rpm: deployment.rpm,
      tpm: deployment.tpm,
      weight: deployment.weight,
      order: deployment.order,
    },
    model_info: {
      ...deployment.info,
      id: deployment.id,
      input_cost_per_token: deployment.prices.inputPerToken,
      output_cost_per_token: deployment.prices.outputPerToken,
    },
  };
}

/** An address without its query and credentials. */
function publicAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

import type { Deployment } from "../../contract/deployment.ts";
import { invalidRequest, notFound, shortened } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { ValueOf } from "../../contract/schema.ts";
import { seesEverything } from "../../core/auth/permissions.ts";
import { ownBudget } from "../../platform/config/deployment-budgets.ts";
import { redact } from "../../platform/log/redact.ts";
import { namesSecret } from "../../util/secret-names.ts";
import { modelFacts, targetOf } from "./model-facts.ts";
import type { groupQuery, infoQuery, pagedInfoQuery } from "./schema.ts";

/** LiteLLM's answers about deployments: `/model/info`, `/v2/model/info` and `/model_group/info`. */

/**
 * @param deployments those that the caller may use
 * @param principal who sees their budgets where it sees everything
 */
export function modelInfo(
  deployments: readonly Deployment[],
  query: ValueOf<typeof infoQuery>,
  principal: Principal,
): JsonObject {
  const { litellm_model_id: id } = query;
  const data = deployments.filter((deployment) => id === undefined || deployment.id === id);
  if (id !== undefined && data.length === 0) throw notFound(`The deployment ${shortened(id)} does not exist`);
  return { data: data.map((one) => describeDeployment(one, principal)) };
}

/** The same in pages, of deployments that a search finds. */
export function pagedModelInfo(
  deployments: readonly Deployment[],
  query: ValueOf<typeof pagedInfoQuery>,
  principal: Principal,
): JsonObject {
  const { page = 1, size = 50, model, modelId, search } = query;
  const found = deployments.filter(
    ({ id, modelName }) =>
      (model === undefined || modelName === model) &&
      (modelId === undefined || id === modelId) &&
      (search === undefined || modelName.toLowerCase().includes(search.toLowerCase())),
  );
  return {
    data: found.slice((page - 1) * size, page * size).map((one) => describeDeployment(one, principal)),
    total_count: found.length,
    current_page: page,
    total_pages: Math.ceil(found.length / size),
    size,
  };
}

/** What holds for every deployment of a group: its least limits, its highest prices, what all of its members can do. */
export function groupInfo(
  deployments: readonly Deployment[],
  query: ValueOf<typeof groupQuery>,
  aliases: readonly (readonly [alias: string, model: string])[],
): JsonObject {
  const groups = Map.groupBy(deployments, ({ modelName }) => modelName);
  for (const [alias, model] of aliases) {
    const members = groups.get(model);
    if (members !== undefined && !groups.has(alias)) groups.set(alias, members);
  }
  const { model_group: wanted } = query;
  if (wanted !== undefined && !groups.has(wanted))
    throw invalidRequest(`There is no model group ${shortened(wanted)}`, "model_group");
  const chosen = [...groups].filter(([name]) => wanted === undefined || name === wanted);
  return { data: chosen.map(([name, members]) => describeGroup(name, members)) };
}

function describeGroup(name: string, members: readonly Deployment[]): JsonObject {
  const facts = members.map((deployment) => modelFacts(targetOf(deployment)));
  const numbers = (field: string): number[] =>
    facts.map((each) => each[field]).filter((value) => typeof value === "number");
  const least = (field: string): number | null =>
    numbers(field).length === 0 ? null : Math.min(...numbers(field));
  const most = (field: string): number | null =>
    numbers(field).length === 0 ? null : Math.max(...numbers(field));
  const sum = (values: readonly (number | undefined)[]): number | null =>
    values.every((value) => value === undefined)
      ? null
      : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const flags = new Set(
    facts.flatMap((each) => Object.keys(each).filter((field) => field.startsWith("supports_"))),
  );
  return {
    model_group: name,
    providers: [...new Set(members.map(({ provider }) => provider))],
    mode: facts[0]!.mode,
    max_input_tokens: least("max_input_tokens"),
    max_output_tokens: least("max_output_tokens"),
    input_cost_per_token: most("input_cost_per_token"),
    output_cost_per_token: most("output_cost_per_token"),
    rpm: sum(members.map(({ rpm }) => rpm)),
    tpm: sum(members.map(({ tpm }) => tpm)),
    ...Object.fromEntries([...flags].map((flag) => [flag, facts.every((each) => each[flag] === true)])),
  };
}

/** A deployment without its key; parameters that might be secrets are left out rather than masked. */
function describeDeployment(deployment: Deployment, principal: Principal): JsonObject {
  const budget = seesEverything(principal) ? ownBudget(deployment) : undefined;
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
      max_budget: budget?.maxBudget,
      budget_duration: budget?.budgetDuration,
      weight: deployment.weight,
      order: deployment.order,
    },
    model_info: {
      ...(withoutSecrets(modelFacts(targetOf(deployment))) as JsonObject),
      id: deployment.id,
      key: deployment.model,
      db_model: deployment.isStored === true,
    },
  };
}

/** `model_info` is the administrator's to fill; a text that looks like a secret or is named like one is left out. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value === "string") return redact(value);
  if (!isJsonObject(value)) return value;
  const visible = Object.entries(value).filter(
    ([name, member]) => !(typeof member === "string" && namesSecret(name)),
  );
  return Object.fromEntries(visible.map(([name, member]) => [name, withoutSecrets(member)]));
}

/** An address without its query and credentials. */
function publicAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

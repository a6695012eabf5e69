import type { Deployment } from "../../../contract/deployment.ts";
import { isJsonObject, type JsonObject, textsOf } from "../../../contract/json.ts";
import { ValueProblems } from "../document/problem-report.ts";
import { resolveEnvironment } from "../document/resolve-environment.ts";
import type { Credentials, GatewayConfig } from "../gateway-config.ts";
import { formatProblem } from "../problem.ts";
import { readDeployment, type Surroundings } from "../read/read-deployments.ts";
import type { ConfigEntry } from "./entry.ts";

/** A model made at run time, as it is read, and what is wrong with it. */
export interface ReadModel {
  readonly deployment: Deployment | undefined;
  /** Each with the path of the field at fault. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  /** What of it has no effect, in a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * What is written of a model: `model_name`, `litellm_params`, `model_info`. Parameters alone read the environment:
 * `model_info` is shown to everybody who may call the model.
 */
export function readModel(
  body: JsonObject,
  surroundings: Surroundings,
  environment: GatewayConfig["environment"],
): ReadModel {
  const problems = new ValueProblems();
  const { litellm_params: given } = body;
  const variables = withoutOwn(environment);
  const litellm_params = resolveEnvironment(problems, given, variables, ["litellm_params"]);
  const deployment = readDeployment(problems, { ...body, litellm_params }, [], surroundings);
  return {
    deployment: deployment && { ...deployment, isStored: true },
    // An error says nothing of what a variable holds.
    faults: problems.errors.map(({ path, message }) => {
      const name = isJsonObject(given) ? given[path.replace(/^litellm_params\./, "")] : undefined;
      const isReference = typeof name === "string" && name.startsWith("os.environ/");
      return { path, message: isReference ? `${name} holds nothing that fits here` : message };
    }),
    warnings: problems.warnings.map((problem) => formatProblem(problem).replace(/^: /, "")),
  };
}

/** The credentials of the file, and those made at run time. */
export function mergeCredentials(
  { credentials, environment }: GatewayConfig,
  entries: readonly ConfigEntry[],
): Credentials {
  const merged = new Map(credentials);
  for (const { name, body } of entries) {
    if (credentials.has(name)) continue;
    const variables = withoutOwn(environment);
    const values = resolveEnvironment(new ValueProblems(), body.credential_values, variables);
    merged.set(name, values as JsonObject);
  }
  return merged;
}

/** What opens the gateway itself, and is for no provider: who may make models must not have it sent anywhere. */
const OWN =
  /^(?:(?:PORTICO|LITELLM)_(?:MASTER|SALT)_KEY|DATABASE_(?:URL|PASSWORD)|REDIS_(?:URL|PASSWORD)|WEBHOOK_SECRET|PG[A-Z]+)$/;

function withoutOwn(environment: GatewayConfig["environment"]): GatewayConfig["environment"] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !OWN.test(name)));
}

/** The deployments with the access groups that were made at run time beside those of their own. */
export function withGroups(
  deployments: readonly Deployment[],
  groups: readonly ConfigEntry[],
): readonly Deployment[] {
  if (groups.length === 0) return deployments;
  const named = new Map<string, string[]>();
  for (const { name, body } of groups) {
    const members = [
      ...textsOf(body.model_names).map((model) => `name ${model}`),
      ...textsOf(body.model_ids).map((id) => `id ${id}`),
    ];
    for (const member of members) named.set(member, [...(named.get(member) ?? []), name]);
  }
  return deployments.map((deployment) => {
    const added = [
      ...(named.get(`name ${deployment.modelName}`) ?? []),
      ...(named.get(`id ${deployment.id}`) ?? []),
    ];
    if (added.length === 0) return deployment;
    const access_groups = [...new Set([...textsOf(deployment.info.access_groups), ...added])];
    return { ...deployment, info: { ...deployment.info, access_groups } };
  });
}

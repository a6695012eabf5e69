import type { Deployment } from "../../../contract/deployment.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Credentials, GatewayConfig } from "../gateway-config.ts";
import { formatProblem } from "../problem.ts";
import { ValueProblems } from "../problem-report.ts";
import { readDeployment, type Surroundings } from "../read-deployments.ts";
import { resolveEnvironment } from "../resolve-environment.ts";
import type { ConfigEntry } from "./entry.ts";

/** A model made at run time, as it is read, and what is wrong with it. */
export interface ReadModel {
  readonly deployment: Deployment | undefined;
  /** Each with the path of the field at fault. */
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  /** What of it has no effect, in a sentence each. */
  readonly warnings: readonly string[];
}

/** What is written of a model: `model_name`, `litellm_params`, `model_info`. */
export function readModel(
  body: JsonObject,
  surroundings: Surroundings,
  environment: GatewayConfig["environment"],
): ReadModel {
  const problems = new ValueProblems();
  const resolved = resolveEnvironment(problems, body, environment) as JsonObject;
  const deployment = readDeployment(problems, resolved, [], surroundings);
  return {
    deployment: deployment && { ...deployment, isStored: true },
    faults: problems.errors.map(({ path, message }) => ({ path, message })),
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
    const values = resolveEnvironment(new ValueProblems(), body.credential_values, environment);
    merged.set(name, values as JsonObject);
  }
  return merged;
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

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

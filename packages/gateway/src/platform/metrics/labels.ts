import type { Deployment } from "../../contract/deployment.ts";
import type { Principal } from "../../contract/principal.ts";

export const deploymentLabels = [
  "requested_model",
  "litellm_model_name",
  "model_id",
  "api_provider",
] as const;
/** LiteLLM's metrics of calls have another name for the model than those of deployments. */
export const callLabels = ["requested_model", "model", "model_id", "api_provider"] as const;
/** What a call's use is summed up by in addition. */
export const useLabels = [...callLabels, "hashed_api_key", "api_key_alias", "team", "user"] as const;

type LabelsOf<Names extends readonly string[]> = Readonly<Record<Names[number], string>>;
export type DeploymentLabels = LabelsOf<typeof deploymentLabels>;
export type CallLabels = LabelsOf<typeof callLabels>;
export type UseLabels = LabelsOf<typeof useLabels>;

/** The labels of one deployment, for both kinds of metrics. */
export interface Labels {
  readonly call: CallLabels;
  readonly deployment: DeploymentLabels;
}

/** Who made a call, as far as labels tell. */
export type Caller = Pick<Principal, "keyHash" | "keyAlias" | "teamId" | "userId">;

/** Deployments that have labels of their own; calls past the router could name any number of models. */
const MAX_DEPLOYMENTS = 1000;
/** Pairs of a key and a deployment that do; each is a line in four metrics. */
const MAX_USES = 5000;
const OTHER = "other";

/** Labels that were given out, so that there are never too many and each is made once. */
export class KnownLabels {
  readonly #deployments = new Map<string, Labels>();
  readonly #uses = new Map<string, UseLabels>();

  of(deployment: Deployment): Labels {
    const name = `${deployment.id} ${deployment.modelName}`;
    return known(this.#deployments, name, MAX_DEPLOYMENTS, () => labelsOf(deployment)) ?? otherDeployments;
  }

  /** Of keys beyond those that have labels of their own, the deployment alone is told. */
  ofUse({ call }: Labels, caller: Caller): UseLabels {
    const { keyHash, keyAlias = "", teamId = "", userId = "" } = caller;
    // A key keeps its hash when it gets another alias, team or user.
    const name = `${call.model_id} ${call.requested_model} ${keyHash} ${keyAlias} ${teamId} ${userId}`;
    const make = (): UseLabels => useBy(call, keyHash, keyAlias, teamId, userId);
    return known(this.#uses, name, MAX_USES, make) ?? useBy(call, OTHER, OTHER, OTHER, OTHER);
  }
}

function useBy(call: CallLabels, key: string, alias: string, team: string, user: string): UseLabels {
  return { ...call, hashed_api_key: key, api_key_alias: alias, team, user };
}

/** @returns `undefined` for what is new when there are as many as may be */
function known<Value>(
  all: Map<string, Value>,
  name: string,
  most: number,
  make: () => Value,
): Value | undefined {
  let found = all.get(name);
  if (found === undefined && all.size < most) {
    found = make();
    all.set(name, found);
  }
  return found;
}

/** What a wildcard stands for in a call is left out: callers choose it. */
export function labelsOf({ id, modelName, model, provider }: Deployment): Labels {
  return labelsFor(modelName, modelName.includes("*") ? modelName : model, id, provider);
}

function labelsFor(requested: string, model: string, id: string, provider: string): Labels {
  const common = { requested_model: requested, model_id: id, api_provider: provider };
  return { call: { model, ...common }, deployment: { litellm_model_name: model, ...common } };
}

const otherDeployments = labelsFor(OTHER, OTHER, OTHER, OTHER);

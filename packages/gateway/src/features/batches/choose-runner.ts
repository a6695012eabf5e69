import type { Target } from "../../contract/deployment.ts";
import { type GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { Execution } from "./create-request.ts";

/** Who runs a batch: a provider with OpenAI's API, a provider with another one, or the gateway. */
export type Runner =
  | { readonly kind: "native"; readonly origin: Origin; readonly model: string | undefined }
  | { readonly kind: "remote"; readonly origin: Origin; readonly model: string | undefined }
  | { readonly kind: "gateway" };

/** A place where a batch could run, and the model's name there. */
export interface Candidate {
  readonly origin: Origin;
  readonly model: string | undefined;
}

/** Resource names under which providers say that they have a batch API. */
const remoteResources = ["message_batches", "batch_jobs"];
/** Endpoints whose rows can be put into other providers' batches. */
const remoteEndpoints = new Set(["/v1/chat/completions", "/v1/messages", "/v1/responses"]);

export function candidateOf({ deployment, model }: Target): Candidate {
  return { origin: { deployment, provider: deployment.provider }, model };
}

/**
 * The runner for a batch: the first candidate whose provider has a batch API, unless the caller wants the gateway.
 * @param keepsRows whether the gateway has the rows, or can have them
 * @throws GatewayError 400 when the caller insists on a provider that cannot
 */
export function chooseRunner(
  candidates: readonly Candidate[],
  execution: Execution,
  endpoint: string,
  keepsRows: boolean,
  findProvider: (name: string) => Provider | undefined,
): Runner {
  if (execution === "gateway" && keepsRows) return { kind: "gateway" };
  for (const { origin, model } of candidates) {
    const resources = findProvider(origin.provider)?.resources;
    if (resources?.has("batches") === true) return { kind: "native", origin, model };
    const isRemote = remoteResources.some((name) => resources?.has(name) === true);
    if (isRemote && remoteEndpoints.has(endpoint) && keepsRows) return { kind: "remote", origin, model };
  }
  if (execution === "provider" || !keepsRows) throw noBatchApi(candidates);
  return { kind: "gateway" };
}

function noBatchApi(candidates: readonly Candidate[]): GatewayError {
  const names = [...new Set(candidates.map(({ origin }) => origin.provider))].join(", ");
  return invalidRequest(`The provider ${names} has no batch API for this endpoint`, "execution");
}

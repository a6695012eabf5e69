import type { CallRecord } from "../../../contract/call-record.ts";
import type { Deployment } from "../../../contract/deployment.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { CallDeps } from "../../../core/call/model-call.ts";
import { objectKinds } from "../../../core/objects/object-kind.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import { randomText } from "../../../util/random-text.ts";
import type { ResponseDeps } from "../response-deps.ts";

/** The ids that a response shows to its caller. */
export interface ShownIds {
  readonly id: string;
  readonly previousId: string | undefined;
  readonly conversationId: string | undefined;
}

/** Who made a response, and the id that its caller gets. */
export interface IssuedId {
  readonly id: string;
  /** Absent for providers that keep no responses. */
  readonly providerId: string | undefined;
  readonly deploymentId: string | undefined;
  readonly provider?: string | undefined;
}

/**
 * The id for a new response: one that leads back to its provider where that keeps responses, else one of our own.
 * Who owns it, and which deployment made it, stands in the response's own row.
 * @param answerId the id in the answer
 */
export function issueId(
  { ownership }: ResponseDeps,
  principal: Principal,
  call: CallRecord,
  answerId: string,
): IssuedId {
  const { deployment, native } = call;
  const deploymentId = deployment?.id;
  if (!native) return { id: newResponseId(), providerId: undefined, deploymentId };
  const origin: Origin = { deployment, provider: call.provider ?? "" };
  const id = ownership.idFor("response", principal, origin, answerId);
  ownership.remember("response", principal, origin, answerId);
  return { id, providerId: answerId, deploymentId, provider: call.provider };
}

/** An id for a response that only this gateway stores; nobody can guess it. */
export function newResponseId(): string {
  return objectKinds.response.prefix + randomText(24, "base64url");
}

/** A response object with the ids that its caller knows. */
export function withShownIds(response: JsonObject, shown: ShownIds): JsonObject {
  return { ...response, ...shownMembers(shown) };
}

/** The members that `withShownIds` sets. */
export function shownMembers({ id, previousId, conversationId }: ShownIds): JsonObject {
  return {
    id,
    ...(previousId === undefined ? {} : { previous_response_id: previousId }),
    ...(conversationId === undefined ? {} : { conversation: { id: conversationId } }),
  };
}

/** Whether a deployment's provider keeps responses itself, as far as is known. */
export function storesResponses({ findProvider, health }: CallDeps, deployment: Deployment): boolean {
  const native = findProvider(deployment.provider)?.native.has("responses") === true;
  return native && !health.lacksFormat(deployment.id, "responses");
}

import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { Reservation } from "../../../core/limits/limiter.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import type { ResourceContext } from "../../../core/objects/resource-client.ts";
import { orderedUuid } from "../../../util/ordered-uuid.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { Fallback } from "../provider-batches.ts";
import type { BatchSubmissionRow } from "../table.ts";

/** A batch to create at a provider with OpenAI's API. */
export interface NewProviderBatch {
  readonly principal: Principal;
  readonly tenant: string;
  readonly origin: Origin;
  /** What the provider gets; its own id of the input file takes the place of the caller's. */
  readonly body: JsonObject;
  /** The input file as the caller named it. */
  readonly inputFileId: string;
  /** The input file's id at the provider, which may have to get the file first. */
  readonly fileAtProvider: () => Promise<string>;
  /**
   * Takes its share of the key's budget; nothing without a budget.
   * @throws GatewayError 402 where less is left
   */
  readonly hold: () => Promise<Reservation | undefined>;
  readonly webhookUrl: string | undefined;
  /** How the gateway runs the rows where the provider turns out not to have the batch. */
  readonly fallback: Fallback;
  /** The caller's own name of the request (`Idempotency-Key`). */
  readonly key: string | undefined;
  readonly context: ResourceContext;
}

/** Milliseconds for which a process counts as alive after its last sign. */
export const ALIVE_MS = 6000;
/** Milliseconds for which the same request is taken for a repetition of one that got no answer. */
export const REPEATED_MS = 3_600_000;
/** The same for requests that their callers named, as long as the answer to one is kept. */
const NAMED_MS = 24 * REPEATED_MS;

/**
 * The submission of a request: the same id for each repetition, whichever deployment it would go to.
 */
export function newSubmission(batch: NewProviderBatch): BatchSubmissionRow {
  const { principal, tenant, origin, body, inputFileId, webhookUrl, key } = batch;
  const now = Date.now();
  const name = key === undefined ? ["body", inputFileId, body, webhookUrl] : ["key", key];
  const named = principal.named === undefined ? [] : [principal.named];
  return {
    id: sha256(JSON.stringify([tenant, ...name, ...named])),
    state: "new",
    owner: orderedUuid(),
    alive_until: now + ALIVE_MS,
    expires_at: now + (key === undefined ? REPEATED_MS : NAMED_MS),
    token: randomUUID(),
    principal: JSON.stringify(principal),
    input_file_id: inputFileId,
    webhook_url: webhookUrl ?? null,
    provider: origin.provider,
    deployment_id: origin.deployment?.id ?? null,
    provider_file_id: null,
    body: null,
    sent_at: null,
    answer: null,
    fallback: JSON.stringify(batch.fallback),
  };
}

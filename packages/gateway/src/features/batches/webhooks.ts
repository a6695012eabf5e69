import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Lease } from "../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../platform/queue/worker.ts";
import { WEBHOOK_PAUSES, webhookHeaders, webhookSecretOf } from "../../platform/transport/signed-webhook.ts";
import { sha256 } from "../../util/sha256.ts";
import type { BatchDeps } from "./batch-deps.ts";

/** Tells a batch's owner that it is over, as OpenAI's webhooks do; again and again until the receiver answers 2xx. */
export async function sendWebhook(deps: BatchDeps, lease: Lease, signal: AbortSignal): Promise<JobOutcome> {
  const event = await eventOf(deps, lease.payload);
  if (event === undefined) return { done: true };
  const tries = Number(lease.checkpoint?.tries ?? 0);
  const problem = await deliver(deps, event, signal);
  if (problem === undefined) return { done: true };
  const pause = WEBHOOK_PAUSES[tries];
  const log = { batch: event.batch, tries: tries + 1, problem };
  if (pause === undefined) {
    deps.logger.error(log, "webhook was not accepted and is given up");
    return { done: true };
  }
  deps.logger.info(log, "webhook was not accepted, trying again later");
  await deps.queue.checkpoint(lease, { tries: tries + 1 });
  return { again: Date.now() + pause };
}

interface WebhookEvent {
  readonly url: string;
  readonly tenant: string;
  readonly batch: string;
  readonly status: string;
  readonly endedAt: number;
}

/** Of a batch that the gateway stores, or, in the job itself, of one at a provider. */
async function eventOf(deps: BatchDeps, payload: JsonObject): Promise<WebhookEvent | undefined> {
  const id = String(payload.batch);
  const { native } = payload;
  if (isJsonObject(native))
    return {
      url: String(native.url),
      tenant: String(native.tenant),
      batch: id,
      status: String(native.status),
      endedAt: Number(native.endedAt),
    };
  const batch = await deps.batches.find(id);
  if (batch === undefined || batch.webhook_url === null) return undefined;
  const { status } = batch;
  const endedAt = batch.completed_at ?? batch.failed_at ?? batch.expired_at ?? batch.cancelled_at;
  return { url: batch.webhook_url, tenant: batch.tenant, batch: id, status, endedAt: endedAt ?? Date.now() };
}

async function deliver(
  deps: BatchDeps,
  event: WebhookEvent,
  signal: AbortSignal,
): Promise<string | undefined> {
  const eventId = `evt_${sha256(`${event.batch} ${event.status}`).slice(0, 32)}`;
  const body = JSON.stringify({
    id: eventId,
    object: "event",
    created_at: Math.floor(event.endedAt / 1000),
    type: `batch.${event.status}`,
    data: { id: event.batch },
  });
  const secret = webhookSecretOf(deps.webhookSecret, event.tenant);
  try {
    const response = await deps.upstream.request({
      url: event.url,
      method: "POST",
      headers: webhookHeaders(secret, eventId, Math.floor(Date.now() / 1000), body),
      body: Buffer.from(body),
      guarded: true,
      timeouts: { connect: 10, firstByte: 20, whole: 30 },
      signal,
    });
    response.body.cancel();
    return response.status >= 200 && response.status < 300 ? undefined : `status ${response.status}`;
  } catch (error) {
    if (signal.aborted || !(error instanceof GatewayError)) throw error;
    return error.message;
  }
}

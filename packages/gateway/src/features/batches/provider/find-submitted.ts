import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { upstreamPath } from "../../../contract/upstream-path.ts";
import type { Origin, Ownership } from "../../../core/objects/ownership.ts";
import type { ResourceClient, ResourceContext } from "../../../core/objects/resource-client.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import { orderedUuid } from "../../../util/ordered-uuid.ts";
import type { BatchDeps } from "../batch-deps.ts";
import { forgetHold, internalContext } from "../batch-spend.ts";
import { lacksBatches } from "../lacks-batches.ts";
import { REPEATED_MS } from "./new-submission.ts";
import type { ProviderBatchCreation } from "./provider-batch-creation.ts";

/** What was asked of the provider, and when (milliseconds since the epoch). */
export interface Submitted {
  readonly origin: Origin;
  readonly body: JsonObject;
  readonly sentAt: number;
}

/** Milliseconds by which the provider's clock may be behind ours. */
const CLOCK_SKEW = 60_000;
/** Batches of a page, and pages, in which a lost one is looked for. */
const PAGE_SIZE = 100;
const MAX_PAGES = 20;

/**
 * The batch that the provider made of a request whose answer was lost: of those that it lists with the same input,
 * endpoint and metadata, and that nobody has from us, the one made nearest to the time. OpenAI's API lets nobody name a
 * batch but in its metadata, which are the owner's.
 */
export async function findSubmitted(
  client: ResourceClient,
  ownership: Ownership,
  submitted: Submitted,
  context: ResourceContext,
): Promise<JsonObject | undefined> {
  const distance = (batch: JsonObject): number => Math.abs(createdAt(batch) - submitted.sentAt);
  let nearest: JsonObject | undefined;
  for await (const page of pages(client, submitted, context)) {
    const alike = page.filter((batch) => isAlike(batch, submitted));
    const known = await ownership.rowsOf(
      "batch",
      alike.map(({ id }) => String(id)),
      submitted.origin,
    );
    for (const batch of alike)
      if (!known.has(String(batch.id)) && (nearest === undefined || distance(batch) < distance(nearest)))
        nearest = batch;
  }
  return nearest;
}

/** Newest first, as far as they can be meant. */
async function* pages(
  client: ResourceClient,
  { origin, sentAt }: Submitted,
  context: ResourceContext,
): AsyncGenerator<JsonObject[]> {
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (after !== undefined) query.set("after", after);
    let answer: JsonObject;
    try {
      answer = await client.json(origin, { method: "GET", path: upstreamPath`/batches`, query }, context);
    } catch (error) {
      if (lacksBatches(error)) return;
      throw error;
    }
    const batches = Array.isArray(answer.data) ? answer.data.filter(isJsonObject) : [];
    yield batches;
    const oldest = batches.at(-1);
    if (answer.has_more !== true || oldest === undefined || createdAt(oldest) < sentAt - CLOCK_SKEW) return;
    after = String(oldest.id);
  }
}

function isAlike(batch: JsonObject, { body, sentAt }: Submitted): boolean {
  return (
    batch.input_file_id === body.input_file_id &&
    withoutVersion(batch.endpoint) === withoutVersion(body.endpoint) &&
    createdAt(batch) >= sentAt - CLOCK_SKEW &&
    // Where it has none to show, the provider may not keep it.
    (!isJsonObject(batch.metadata) || isDeepStrictEqual(batch.metadata, body.metadata ?? {}))
  );
}

/** Azure has both `/v1/chat/completions` and `/chat/completions`. */
function withoutVersion(endpoint: unknown): string {
  return String(endpoint).replace(/^\/v1(?=\/)/, "");
}

function createdAt({ created_at }: JsonObject): number {
  return typeof created_at === "number" ? created_at * 1000 : 0;
}

/** Milliseconds between looks for a lost batch: soon at first, then every five minutes, for as long as it may be repeated. */
const FIRST_PAUSE = 10_000;
/** Milliseconds after which a lost batch has no share of its key's budget any more, unless it was found. */
const MAX_HELD = 30_000;
const MAX_PAUSE = 300_000;

/** Finds a provider's batch whose creator is gone, so that its owner sees it and its cost is accounted. */
export async function adoptSubmission(
  deps: Pick<BatchDeps, "submissions" | "queue" | "limiter">,
  creation: ProviderBatchCreation,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { submissions, queue } = deps;
  const { batch, token } = lease.payload;
  const row = await submissions.find(String(batch));
  const giveUp = async (): Promise<JobOutcome> => {
    await forgetHold(deps, String(token));
    return { done: true };
  };
  const isOurs = token === undefined || row?.token === token;
  if (row === undefined || row.state === "made" || !isOurs) return giveUp();
  if (row.alive_until > Date.now()) return { again: row.alive_until };
  const sentAt = row.sent_at ?? 0;
  if (sentAt + REPEATED_MS <= Date.now()) return giveUp();
  const mine = await creation.takeOver(row, orderedUuid());
  if (mine === undefined) return { again: Date.now() + FIRST_PAUSE };
  const found = await creation.recover(mine, internalContext("abatch_adoption", signal));
  // What the provider made it would list by now; a budget does not wait longer for what it may never cost.
  if (found === undefined && sentAt + MAX_HELD <= Date.now()) await forgetHold(deps, row.token);
  await creation.release(mine);
  if (found !== undefined) return { done: true };
  const looks = Number(lease.checkpoint?.looks ?? 0);
  await queue.checkpoint(lease, { looks: looks + 1 });
  return { again: Date.now() + Math.min(MAX_PAUSE, FIRST_PAUSE * 1.5 ** looks) };
}

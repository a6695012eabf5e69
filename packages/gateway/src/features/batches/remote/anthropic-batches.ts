import { Readable } from "node:stream";
import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../../contract/upstream-path.ts";
import { statusOfErrorType } from "../../../formats/error-statuses.ts";
import { sha256 } from "../../../util/sha256.ts";
import { linesOf } from "../../files/split-lines.ts";
import { madeBatchId } from "../provider-batches.ts";
import type {
  FoundBatch,
  RemoteApi,
  RemoteContext,
  RemoteResult,
  RemoteRow,
  SentBatch,
} from "./remote-api.ts";

/** Milliseconds by which the provider's clock may be behind ours. */
const CLOCK_SKEW = 60_000;
/** Batches of a page, and pages, in which a lost one is looked for. */
const PAGE_SIZE = 100;
const MAX_PAGES = 20;
const MAX_RESULT = 64 * 1024 * 1024;

/**
 * Anthropic's Message Batches (Anthropic API reference). Their custom ids allow fewer characters than OpenAI's, so
 * rows go by their batch and line. Batches have no name there: one whose answer was lost is known by its time and
 * size, and in the end by the custom ids in its results.
 */
export const anthropicBatches: RemoteApi = {
  async submit({ client, origin, signal, call }, rows, name) {
    const body = Readable.from(requests(rows, tagOf(name)), { objectMode: false });
    const request = {
      method: "POST",
      path: upstreamPath`/messages/batches`,
      body,
      headers: { "content-type": "application/json" },
    };
    return madeBatchId(await client.json(origin, request, { signal, call }));
  },
  find,
  async results(context, id, name) {
    const path = upstreamPath`/messages/batches/${id}`;
    const batch = await context.client.json(context.origin, { method: "GET", path }, context);
    return batch.processing_status === "ended" ? results(context, path, tagOf(name)) : undefined;
  },
  async cancel(context, id) {
    const path = upstreamPath`/messages/batches/${id}/cancel`;
    await context.client.json(context.origin, { method: "POST", path, body: {} }, context);
  },
};

/** Stands for a batch in the custom ids of its rows. */
function tagOf(name: string): string {
  return sha256(name).slice(0, 24);
}

/** The batch of the right size that was made nearest to the time. */
async function find(
  context: RemoteContext,
  { rows, sentAt, others }: SentBatch,
): Promise<FoundBatch | undefined> {
  const found: { id: string; distance: number }[] = [];
  let after: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    if (after !== undefined) query.set("after_id", after);
    const request = { method: "GET", path: upstreamPath`/messages/batches`, query };
    const answer = await context.client.json(context.origin, request, context);
    const listed = Array.isArray(answer.data) ? answer.data.filter(isJsonObject) : [];
    for (const batch of listed) {
      const id = String(batch.id);
      const distance = Date.parse(String(batch.created_at)) - sentAt;
      if (distance >= -CLOCK_SKEW && sizeOf(batch) === rows && !others.includes(id))
        found.push({ id, distance: Math.abs(distance) });
    }
    const oldest = Date.parse(String(listed.at(-1)?.created_at));
    // Newest first: what comes later was there before.
    if (answer.has_more !== true || oldest < sentAt - CLOCK_SKEW) break;
    after = String(answer.last_id);
  }
  const [nearest] = found.sort((one, other) => one.distance - other.distance);
  return nearest && { id: nearest.id, isCertain: false };
}

function sizeOf({ request_counts: counts }: JsonObject): number {
  if (!isJsonObject(counts)) return 0;
  return Object.values(counts).reduce<number>((sum, count) => sum + Number(count), 0);
}

async function* requests(rows: AsyncIterable<RemoteRow>, tag: string): AsyncGenerator<Buffer> {
  let separator = '{"requests":[';
  for await (const { line, request } of rows) {
    yield Buffer.from(`${separator}${JSON.stringify({ custom_id: `${tag}-${line}`, params: request })}`);
    separator = ",\n";
  }
  yield Buffer.from("]}");
}

async function* results(
  context: RemoteContext,
  path: UpstreamPath,
  tag: string,
): AsyncGenerator<RemoteResult> {
  const request = { method: "GET", path: pathBelow(path, upstreamPath`/results`) };
  const { body } = await context.client.request(context.origin, request, context);
  for await (const { bytes } of linesOf(body, MAX_RESULT)) {
    if (bytes.length === 0) continue;
    const entry: unknown = JSON.parse(bytes.toString("utf8"));
    if (!isJsonObject(entry) || !isJsonObject(entry.result)) continue;
    const [batch, line] = String(entry.custom_id).split("-");
    if (batch === tag) yield { line: Number(line), outcome: outcomeOf(entry.result) };
  }
}

function outcomeOf(result: JsonObject): RemoteResult["outcome"] {
  if (result.type === "succeeded" && isJsonObject(result.message)) return { answer: result.message };
  if (result.type === "canceled") return "cancelled";
  if (result.type === "expired") return "expired";
  const envelope = objectOf(result.error);
  const error = isJsonObject(envelope.error) ? envelope.error : envelope;
  return { error: { error }, status: statusOfErrorType(error.type) ?? 500 };
}

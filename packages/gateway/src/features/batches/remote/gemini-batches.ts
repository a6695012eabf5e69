import { type GatewayError, requestTooLarge } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";
import { pathBelow, upstreamPath, upstreamSteps } from "../../../contract/upstream-path.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { FileWriter } from "../../files/file-storage.ts";
import { linesOf } from "../../files/split-lines.ts";
import { downloadFile, MAX_FILE, uploadFile } from "./gemini-files.ts";
import type { FoundBatch, RemoteApi, RemoteContext, RemoteResult, RemoteRow } from "./remote-api.ts";

/** Jobs of a page, and pages, in which a lost one is looked for. */
const PAGE_SIZE = "100";
const MAX_PAGES = 20;
const MAX_RESULT = 64 * 1024 * 1024;

/** Gemini's batch jobs (Gemini API reference: Batch Mode). A job bears our name, by which it is found again. */
export const geminiBatches: RemoteApi = {
  async submit(context, rows, displayName) {
    const { client, origin, model, signal, call } = context;
    const inputConfig = await jobInput(context, rows, displayName);
    const path = upstreamPath`/models/${model}:batchGenerateContent`;
    const body = { batch: { displayName, inputConfig } };
    return String((await client.json(origin, { method: "POST", path, body }, { signal, call })).name);
  },
  find: (context, { name }) => find(context, name),
  async results(context, name) {
    const job = await context.client.json(
      context.origin,
      { method: "GET", path: upstreamSteps(name) },
      context,
    );
    if (job.done !== true) return undefined;
    const metadata = objectOf(job.metadata);
    const output = isJsonObject(job.response) ? job.response : metadata.output;
    const state = String(metadata.state);
    return results(context, output, state.endsWith("CANCELLED") ? "cancelled" : "expired");
  },
  async cancel(context, name) {
    const path = pathBelow(upstreamSteps(name), upstreamPath`:cancel`);
    await context.client.json(context.origin, { method: "POST", path, body: {} }, context);
  },
};

async function find(context: RemoteContext, name: string): Promise<FoundBatch | undefined> {
  let token = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ pageSize: PAGE_SIZE, ...(token === "" ? {} : { pageToken: token }) });
    const request = { method: "GET", path: upstreamPath`/batches`, query };
    const { operations, nextPageToken } = await context.client.json(context.origin, request, context);
    const jobs = Array.isArray(operations) ? operations.filter(isJsonObject) : [];
    const job = jobs.find(({ metadata }) => isJsonObject(metadata) && metadata.displayName === name);
    if (job !== undefined) return { id: String(job.name), isCertain: true };
    if (typeof nextPageToken !== "string" || nextPageToken === "") return undefined;
    token = nextPageToken;
  }
  return undefined;
}

/** Rows without a response were not reached; the caller gives them the batch's own end. */
async function* results(
  context: RemoteContext,
  output: unknown,
  unreached: "cancelled" | "expired",
): AsyncGenerator<RemoteResult> {
  for await (const item of answersIn(context, output)) {
    const line = Number(item.key ?? (isJsonObject(item.metadata) ? item.metadata.key : undefined));
    if (!Number.isInteger(line)) continue;
    if (isJsonObject(item.response)) yield { line, outcome: { answer: item.response } };
    else if (isJsonObject(item.error))
      yield { line, outcome: { error: { error: item.error }, status: httpStatus(item.error.code) } };
    else yield { line, outcome: unreached };
  }
}

/** They stand in the job itself, or in a file whose lines are the same. */
async function* answersIn(context: RemoteContext, output: unknown): AsyncGenerator<JsonObject> {
  const { responsesFile, inlinedResponses: outer } = objectOf(output);
  if (typeof responsesFile === "string") {
    for await (const { bytes } of linesOf(await downloadFile(context, responsesFile), MAX_RESULT)) {
      const item: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString("utf8"));
      if (isJsonObject(item)) yield item;
    }
    return;
  }
  const inner = isJsonObject(outer) ? outer.inlinedResponses : outer;
  if (Array.isArray(inner)) yield* inner.filter(isJsonObject);
}

/** Errors carry HTTP's codes, or those of gRPC. */
function httpStatus(code: unknown): number {
  const number = Number(code);
  if (number >= 400 && number < 600) return number;
  return { 3: 400, 5: 404, 7: 403, 8: 429, 16: 401 }[number] ?? 500;
}

/** Bytes of requests that may stand in the call itself (Gemini API: Batch Mode, inline requests: 20 MB). */
const MAX_INLINE = 18 * 1024 * 1024;

/**
 * The `inputConfig` of a job: the requests themselves where they are small, else a file that is uploaded.
 * @throws GatewayError 413 for more than a file may have
 */
async function jobInput(
  context: RemoteContext,
  rows: AsyncIterable<RemoteRow>,
  name: string,
): Promise<JsonObject> {
  const key = `remote-${sha256(name).slice(0, 48)}`;
  let inline: JsonObject[] = [];
  let bytes = 0;
  let writer: FileWriter | undefined;
  try {
    for await (const { line, request } of rows) {
      const text = rowText(line, request);
      bytes += text.length;
      if (bytes > MAX_FILE) throw tooLarge();
      if (writer === undefined && bytes <= MAX_INLINE) {
        inline.push({ request, metadata: { key: String(line) } });
        continue;
      }
      writer ??= await context.storage.create(key);
      for (const { request: earlier, metadata } of inline)
        await writer.write(rowText((metadata as JsonObject).key, earlier));
      inline = [];
      await writer.write(text);
    }
    if (writer === undefined) return { requests: { requests: inline } };
    return { fileName: await uploadFile(context, key, await writer.commit(), name) };
  } finally {
    await writer?.abort();
    if (writer !== undefined) await context.storage.delete(key);
  }
}

function rowText(line: unknown, request: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ key: String(line), request })}\n`);
}

function tooLarge(): GatewayError {
  return requestTooLarge("The batch is larger than the provider's files may be");
}

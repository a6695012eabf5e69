import { Readable } from "node:stream";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { linesOf } from "../../files/split-lines.ts";
import type { RemoteApi, RemoteContext, RemoteResult, RemoteRow } from "./remote-api.ts";

const longestResult = 64 * 1024 * 1024;
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  overloaded_error: 529,
};

/**
 * Anthropic's Message Batches (Anthropic API reference). Their custom ids allow fewer characters than OpenAI's, so
 * rows go by their line.
 */
export const anthropicBatches: RemoteApi = {
  async submit({ client, origin, signal, call }, rows) {
    const body = Readable.from(requests(rows), { objectMode: false });
    const request = {
      method: "POST",
      path: "/messages/batches",
      body,
      headers: { "content-type": "application/json" },
    };
    return String((await client.json(origin, request, { signal, call })).id);
  },
  async results(context, id) {
    const path = `/messages/batches/${encodeURIComponent(id)}`;
    const batch = await context.client.json(context.origin, { method: "GET", path }, context);
    return batch.processing_status === "ended" ? results(context, path) : undefined;
  },
  async cancel(context, id) {
    const path = `/messages/batches/${encodeURIComponent(id)}/cancel`;
    await context.client.json(context.origin, { method: "POST", path, body: {} }, context);
  },
};

async function* requests(rows: AsyncIterable<RemoteRow>): AsyncGenerator<Buffer> {
  let separator = '{"requests":[';
  for await (const { line, request } of rows) {
    yield Buffer.from(`${separator}${JSON.stringify({ custom_id: `row-${line}`, params: request })}`);
    separator = ",\n";
  }
  yield Buffer.from("]}");
}

async function* results(context: RemoteContext, path: string): AsyncGenerator<RemoteResult> {
  const request = { method: "GET", path: `${path}/results` };
  const { body } = await context.client.request(context.origin, request, context);
  for await (const { bytes } of linesOf(body, longestResult)) {
    if (bytes.length === 0) continue;
    const entry: unknown = JSON.parse(bytes.toString("utf8"));
    if (!isJsonObject(entry) || !isJsonObject(entry.result)) continue;
    const line = Number(/^row-(\d+)$/.exec(String(entry.custom_id))?.[1]);
    if (Number.isInteger(line)) yield { line, outcome: outcomeOf(entry.result) };
  }
}

function outcomeOf(result: JsonObject): RemoteResult["outcome"] {
  if (result.type === "succeeded" && isJsonObject(result.message)) return { answer: result.message };
  if (result.type === "canceled") return "cancelled";
  if (result.type === "expired") return "expired";
  const envelope = isJsonObject(result.error) ? result.error : {};
  const error = isJsonObject(envelope.error) ? envelope.error : envelope;
  return { error: { error }, status: statuses[String(error.type)] ?? 500 };
}

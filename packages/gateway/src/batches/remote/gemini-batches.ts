import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { RemoteApi, RemoteResult } from "./remote-api.ts";

/** Bytes of a job whose requests stand in the call itself (Gemini API: Batch Mode, inline requests: 20 MB). */
const mostBytes = 18 * 1024 * 1024;

/** Gemini's batch jobs with inline requests; larger batches are refused with 413 and run by the gateway. */
export const geminiBatches: RemoteApi = {
  async submit({ client, origin, model, signal, call }, rows, displayName) {
    const requests: JsonObject[] = [];
    let bytes = 0;
    for await (const { line, request } of rows) {
      bytes += JSON.stringify(request).length;
      if (bytes > mostBytes)
        throw new GatewayError(413, "request_too_large", "The batch is too large for inline requests");
      requests.push({ request, metadata: { key: String(line) } });
    }
    const path = `/models/${encodeURIComponent(model)}:batchGenerateContent`;
    const body = { batch: { displayName, inputConfig: { requests: { requests } } } };
    return String((await client.json(origin, { method: "POST", path, body }, { signal, call })).name);
  },
  async results(context, name) {
    const job = await context.client.json(context.origin, { method: "GET", path: `/${name}` }, context);
    if (job.done !== true) return undefined;
    const metadata = isJsonObject(job.metadata) ? job.metadata : {};
    const output = isJsonObject(job.response) ? job.response : metadata.output;
    const state = String(metadata.state);
    return results(output, state.endsWith("CANCELLED") ? "cancelled" : "expired");
  },
  async cancel(context, name) {
    const path = `/${name}:cancel`;
    await context.client.json(context.origin, { method: "POST", path, body: {} }, context);
  },
};

/** Rows without a response were not reached; the caller gives them the batch's own end. */
async function* results(output: unknown, unreached: "cancelled" | "expired"): AsyncGenerator<RemoteResult> {
  const outer = isJsonObject(output) ? output.inlinedResponses : undefined;
  const inner = isJsonObject(outer) ? outer.inlinedResponses : outer;
  for (const item of Array.isArray(inner) ? inner.filter(isJsonObject) : []) {
    const key = isJsonObject(item.metadata) ? Number(item.metadata.key) : Number.NaN;
    if (!Number.isInteger(key)) continue;
    if (isJsonObject(item.response)) yield { line: key, outcome: { answer: item.response } };
    else if (isJsonObject(item.error))
      yield { line: key, outcome: { error: { error: item.error }, status: httpStatus(item.error.code) } };
    else yield { line: key, outcome: unreached };
  }
}

/** Errors carry HTTP's codes, or those of gRPC. */
function httpStatus(code: unknown): number {
  const number = Number(code);
  if (number >= 400 && number < 600) return number;
  return { 3: 400, 5: 404, 7: 403, 8: 429, 16: 401 }[number] ?? 500;
}

import { check } from "../../contract/check.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Exchange, Handler, Reply, StreamedReply } from "../../contract/exchange.ts";
import { readPassingBody } from "../../contract/json-body.ts";
import { object } from "../../contract/schema.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { geminiFields, pricedFields } from "../../formats/gemini/fields.ts";
import { inCamelCase } from "../../formats/gemini/spelling.ts";
import { decodeSse } from "../../formats/sse-event.ts";

const requestSchema = object(geminiFields);
const pricedSchema = object(pricedFields);

/** `generateContent` and `streamGenerateContent`, whose answer is an array unless the query has `alt=sse`. */
export function generateHandler(calls: CallDeps, stream: boolean): Handler {
  return async (exchange): Promise<Reply> => {
    const reply = await generate(calls, exchange, stream);
    return "stream" in reply && exchange.query.get("alt") !== "sse" ? asJsonArray(reply) : reply;
  };
}

/**
 * A stream of events as one JSON array, as Google streams without `alt=sse`. An error becomes the array's last element;
 * a stream that is cut leaves the array open.
 */
function asJsonArray(reply: StreamedReply): StreamedReply {
  const headers = { ...reply.headers, "content-type": "application/json; charset=utf-8" };
  return { ...reply, headers, stream: elements(reply.stream) };
}

async function* elements(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = "[";
  for await (const { data } of decodeSse(stream)) {
    yield Buffer.from(before + data);
    before = ",\r\n";
  }
  yield Buffer.from(before === "[" ? "[]" : "]");
}

async function generate(calls: CallDeps, exchange: Exchange, stream: boolean): Promise<Reply> {
  const { body, raw } = readPassingBody(await exchange.readBody());
  const spelled = inCamelCase(body, requestSchema);
  check(pricedSchema, spelled);
  const { callId, family, headers, principal, caller, call } = exchange;
  const reply = executeCall(calls, {
    callId,
    format: "gemini",
    family,
    // The core reads the model and the wish for a stream where the other formats have them.
    body: { ...spelled, model: modelOf(exchange), stream },
    // Bytes pass only in the spelling that was checked.
    raw: spelled === body ? raw : undefined,
    headers,
    principal,
    signal: caller,
    record: call,
  });
  return knowingModels(reply);
}

/** Google's clients know an unknown model by 404, since their paths name it. */
export async function knowingModels<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (thrown) {
    const isUnknown = thrown instanceof GatewayError && thrown.status === 400 && thrown.param === "model";
    if (!isUnknown) throw thrown;
    throw new GatewayError(404, "not_found_error", thrown.message, { cause: thrown, param: "model" });
  }
}

/** The model that the path names. */
export function modelOf({ params }: Exchange): string {
  return params["*"] ?? "";
}

import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Handler, Reply } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import { object } from "../../contract/schema.ts";
import { requireParamsOnce } from "../../core/auth/restrictions.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { CallDeps, RequestAdapter } from "../../core/call/model-call.ts";
import { readObject, readObjects } from "../../formats/fields.ts";
import { batchEmbedContentsFields, embedContentFields } from "../../formats/gemini/fields.ts";
import { kindOfPart, partsOf, textOf } from "../../formats/gemini/read-parts.ts";
import { inCamelCase } from "../../formats/gemini/spelling.ts";
import { knowingModels, modelOf } from "./generate.ts";

const oneSchema = object(embedContentFields);
const manySchema = object(batchEmbedContentsFields);

/** Settings of a vector, by their names in OpenAI's request as providers of other formats read them. */
const SETTINGS = {
  taskType: "task_type",
  title: "title",
  outputDimensionality: "dimensions",
  autoTruncate: "auto_truncate",
} as const;
const GOOGLES_OWN = [SETTINGS.taskType, SETTINGS.title, SETTINGS.autoTruncate];

/** Hosts of OpenAI's format get none of Google's own settings, which they refuse. */
const withoutGooglesOwn: RequestAdapter = {
  prefers: undefined,
  changes: async (_data, _target, isNative) =>
    new Map(isNative ? GOOGLES_OWN.map((name) => [name, undefined]) : []),
};

/** `embedContent`: the vector of one content. */
export function embedHandler(calls: CallDeps): Handler {
  return async (exchange): Promise<Reply> => {
    const sent = readJsonObject(await exchange.readBody());
    const { reply, vectors } = await embed(calls, exchange, sent, [[inCamelCase(sent, oneSchema), ""]]);
    return { ...reply, body: { embedding: vectors[0] } };
  };
}

/** `batchEmbedContents`: the vectors of several contents, with settings that all of them share. */
export function batchEmbedHandler(calls: CallDeps): Handler {
  return async (exchange): Promise<Reply> => {
    const sent = readJsonObject(await exchange.readBody());
    const requests = readObjects(inCamelCase(sent, manySchema).requests, "requests");
    if (requests.length === 0) throw invalidRequest("requests: must not be empty", "requests");
    const { reply, vectors } = await embed(
      calls,
      exchange,
      sent,
      requests.map(([request, path]) => [request, `${path}.`] as const),
    );
    return { ...reply, body: { embeddings: vectors } };
  };
}

type Requests = readonly (readonly [request: JsonObject, path: string])[];

/**
 * Asks by way of OpenAI's embeddings, which every provider's are translated from.
 * @param sent the request as it came
 */
async function embed(calls: CallDeps, exchange: Exchange, sent: JsonObject, requests: Requests) {
  const first: JsonObject = requests[0]![0];
  const model = modelOf(exchange);
  const body: JsonObject = {
    model,
    input: requests.map(([request, path]) => contentText(request, path)),
  };
  for (const [name, own] of Object.entries(SETTINGS)) {
    const value = first[name];
    const other = requests.find(([request]) => request[name] !== value);
    if (other !== undefined)
      throw invalidRequest(`${other[1]}${name}: must be the same in all requests`, `${other[1]}${name}`);
    if (value !== undefined && value !== "TASK_TYPE_UNSPECIFIED") body[own] = value;
  }
  const { callId, family, headers, caller, call } = exchange;
  const principal = requireParamsOnce(exchange.principal, { headers, body: sent });
  const given = { callId, family, headers, principal, body, raw: undefined, signal: caller, record: call };
  const asked = { ...given, format: "embeddings" as const, adapter: withoutGooglesOwn };
  const reply = await knowingModels(executeCall(calls, asked));
  return { reply: withoutBody(reply), vectors: vectorsOf(reply) };
}

function contentText(request: JsonObject, path: string): string {
  const content = readObject(request.content, `${path}content`);
  const texts = partsOf(content, `${path}content`).map(([part, at]) => {
    if (kindOfPart(part, at) !== "text") throw invalidRequest(`${at}: only texts are embedded here`, at);
    return textOf(part, at);
  });
  return texts.join("\n");
}

function withoutBody({ status, headers = {} }: Reply) {
  const { "content-type": _, ...rest } = headers;
  return { status, headers: rest };
}

/** The vectors of an answer in OpenAI's form, in the order of the request. */
function vectorsOf(reply: Reply): { values: unknown }[] {
  const given = "body" in reply ? reply.body : {};
  const isBytes = typeof given === "string" || given instanceof Uint8Array;
  const answer = isBytes ? parseJsonObject(Buffer.from(given).toString("utf8")) : (given as JsonObject);
  const data = Array.isArray(answer?.data) ? answer.data.filter(isJsonObject) : [];
  return data.map(({ embedding }) => ({ values: embedding }));
}

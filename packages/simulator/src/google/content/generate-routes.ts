import type { Exchange } from "../../http/exchange.ts";
import { replyTo } from "../../http/model-call.ts";
import { eventStream, json, type Pieces, type PiecesReply, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { type JsonObject, objectOf } from "../../util/json.ts";
import { member } from "../members.ts";
import { checkedContents } from "./check-contents.ts";
import { generateCall } from "./generate-call.ts";
import { inputTokensOf } from "./read-contents.ts";

/** `generateContent`, `streamGenerateContent` and `countTokens`. */
export const generateRoutes: readonly Route[] = [
  {
    method: "POST",
    pattern: "/{version}/models/{model}:generateContent",
    handle: (exchange) => generate(exchange, false),
  },
  {
    method: "POST",
    pattern: "/{version}/models/{model}:streamGenerateContent",
    handle: (exchange) => generate(exchange, true),
  },
  { method: "POST", pattern: "/{version}/models/{model}:countTokens", handle: countInput },
];

function generate(exchange: Exchange, stream: boolean): Reply {
  const events = exchange.query.get("alt") === "sse";
  const onVertex = exchange.params.project !== undefined;
  const call = generateCall(exchange.state, exchange.params.model ?? "", exchange.body, {
    seed: exchange.text,
    onVertex,
    tier: onVertex ? sharedRequestType(exchange) : member(exchange.body, "serviceTier"),
    stream,
    tokens: exchange.behaviour.tokens,
    frame: events ? eventFrame : arrayFrame,
    ending: events ? "" : "]",
  });
  return replyTo(exchange, call, events ? eventStream : arrayStream);
}

/** Vertex AI takes the tier in a header. */
function sharedRequestType({ request }: Exchange): string | undefined {
  const value = request.headers["x-vertex-ai-llm-shared-request-type"];
  return typeof value === "string" ? value : undefined;
}

// Google ends its events with CR LF.
function eventFrame(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

function arrayFrame(chunk: JsonObject, index: number): string {
  return `${index === 0 ? "[" : ",\r\n"}${JSON.stringify(chunk)}`;
}

function arrayStream(pieces: Pieces): PiecesReply {
  return { kind: "pieces", contentType: "application/json; charset=UTF-8", pieces };
}

function countInput(exchange: Exchange): Reply {
  const wrapped = member(exchange.body, "generateContentRequest");
  const body = wrapped === undefined ? exchange.body : objectOf(wrapped);
  const totalTokens = inputTokensOf(body, checkedContents(exchange.params.model ?? "", body));
  return json({ totalTokens, promptTokensDetails: [{ modality: "TEXT", tokenCount: totalTokens }] });
}

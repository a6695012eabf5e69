import { messageCall } from "../anthropic/messages/message-call.ts";
import { PromptCache } from "../anthropic/messages/prompt-cache.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { replyTo } from "../http/model-call.ts";
import type { Provider } from "../http/provider.ts";
import type { Pieces, PiecesReply, Reply } from "../http/reply.ts";
import { RouteTable } from "../http/route.ts";
import { objectOf, stringOf } from "../util/json.ts";
import { embed } from "./embed.ts";
import { eventFrame } from "./event-frame.ts";
import { messagesOfConverse } from "./from-converse.ts";
import { converseAnswer, converseFrames } from "./to-converse.ts";

/** Amazon Bedrock, at `/bedrock`: Converse and ConverseStream of models that answer as Claude does, and embeddings. */
export function bedrockProvider(): Provider {
  const cache = new PromptCache();
  const table = new RouteTable([
    { method: "POST", pattern: "/model/{model}/invoke", handle: embed },
    ...["converse", "converse-stream"].map((operation) => ({
      method: "POST",
      pattern: `/model/{model}/${operation}`,
      handle: (exchange: Exchange) => converse(exchange, operation === "converse-stream", cache),
    })),
  ]);
  return {
    prefix: "/bedrock",
    requestIdPrefix: "",
    find: (exchange) => table.find(exchange.method, exchange.path),
    authenticate,
    headers: ({ requestId }) => ({ "x-amzn-requestid": requestId }),
    errorBody: ({ message }) => ({ message }),
    errorEvent: ({ message }) => exceptionFrame("serviceUnavailableException", message),
    reset: () => cache.clear(),
  };
}

/** Wants a signature for Bedrock or an API key; what is signed is not checked. */
function authenticate({ request }: Exchange): void {
  const { authorization = "" } = request.headers;
  const signed =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[\w-]+\/bedrock\/aws4_request, SignedHeaders=[\w;-]+, Signature=[0-9a-f]{64}$/.test(
      authorization,
    ) && /^\d{8}T\d{6}Z$/.test(String(request.headers["x-amz-date"]));
  if (signed || /^Bearer (?!invalid)\S+$/.test(authorization)) return;
  throw new ApiFailure(403, "The security token included in the request is invalid.");
}

function converse(exchange: Exchange, stream: boolean, cache: PromptCache): Reply {
  const { state, text, behaviour, params } = exchange;
  const body = { ...messagesOfConverse(params.model ?? "", exchange.body), stream };
  const tier = stringOf(objectOf(exchange.body.serviceTier).type);
  const call = messageCall(state, body, { seed: text, tokens: behaviour.tokens, cache, tier });
  const answered = { ...call, json: () => converseAnswer(call.json()) };
  return replyTo(exchange, answered, (events) => binaryStream(converseFrames(events as Iterable<string>)));
}

function binaryStream(pieces: Pieces): PiecesReply {
  return { kind: "pieces", contentType: "application/vnd.amazon.eventstream", pieces };
}

function exceptionFrame(type: string, message: string): Buffer {
  const headers = {
    ":exception-type": type,
    ":content-type": "application/json",
    ":message-type": "exception",
  };
  return eventFrame(headers, { message });
}

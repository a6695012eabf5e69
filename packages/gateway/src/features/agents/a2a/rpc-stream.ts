import { GatewayError } from "../../../contract/errors.ts";
import type { StreamedReply } from "../../../contract/exchange.ts";
import { dataEvent } from "../../../formats/stream/sse-event.ts";
import { describeError } from "../../../platform/log/describe-error.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import { type RpcId, rpcError, rpcResult } from "./json-rpc.ts";

const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** JSON-RPC responses as server-sent events. */
export function eventReply(responses: readonly object[]): StreamedReply {
  return { status: 200, headers, stream: encoded(responses) };
}

async function* encoded(responses: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const response of responses) yield Buffer.from(dataEvent(response));
}

/** Results as server-sent events, each a JSON-RPC response; one that breaks off ends in an error response. */
export function rpcStream(id: RpcId, results: AsyncIterable<unknown>, logger: Logger): StreamedReply {
  return { status: 200, headers, stream: events(id, results, logger) };
}

async function* events(
  id: RpcId,
  results: AsyncIterable<unknown>,
  logger: Logger,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const result of results) yield Buffer.from(dataEvent(rpcResult(id, result)));
  } catch (error) {
    logger.warn({ error: describeError(error) }, "agent stream broke");
    yield Buffer.from(dataEvent(errorResponse(id, error)));
  }
}

/** After the first event an HTTP status is no longer possible. */
function errorResponse(id: RpcId, error: unknown): object {
  try {
    return rpcError(id, error);
  } catch {
    const message = error instanceof GatewayError ? error.message : "Internal error";
    return { jsonrpc: "2.0", id, error: { code: -32603, message } };
  }
}

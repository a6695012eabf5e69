import type { OutgoingHttpHeaders } from "node:http";
import { plainBehaviour } from "../faults/behaviour.ts";
import type { Fault } from "../faults/fault.ts";
import { ApiFailure } from "./api-failure.ts";
import { BodyWriter } from "./body-writer.ts";
import { brokenPieces } from "./broken-pieces.ts";
import type { Exchange } from "./exchange.ts";
import type { Provider } from "./provider.ts";
import type { JsonReply, PiecesReply, Reply } from "./reply.ts";
import { untilClosed, wait } from "./wait.ts";

/** Sends a handler's reply as the exchange's behaviour asks. Resolves when it is out or given up. */
export async function sendReply(exchange: Exchange, provider: Provider, reply: Reply): Promise<void> {
  const { behaviour, response } = exchange;
  if (behaviour === plainBehaviour && reply.kind === "json") {
    sendWhole(exchange, reply.status ?? 200, reply.body, { ...provider.headers(exchange), ...reply.headers });
    return;
  }
  await wait(response, behaviour.latencyMs ?? 0);
  const { fault } = behaviour;
  if (fault?.kind === "hang") return untilClosed(response);
  if (fault?.kind === "disconnect") {
    response.destroy();
    return;
  }
  if (response.destroyed) return;
  if (reply.kind !== "switched") return sendPieces(exchange, provider, asPieces(reply), fault);
  Object.assign(exchange.received, { status: 101, done: true, endedAt: exchange.state.clock() });
  reply.open();
}

/** Sends an error in the provider's envelope. */
export async function sendFailure(
  exchange: Exchange,
  provider: Provider,
  failure: ApiFailure,
): Promise<void> {
  const { response, behaviour } = exchange;
  await wait(response, behaviour.latencyMs ?? 0);
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  const headers: OutgoingHttpHeaders = { ...provider.headers(exchange) };
  if (failure.details.retryAfter !== undefined) headers["retry-after"] = String(failure.details.retryAfter);
  // A body that was not read to its end would be taken for the next request on this connection.
  if (!exchange.request.complete) headers.connection = "close";
  sendWhole(exchange, failure.status, provider.errorBody(failure, exchange), headers);
}

function sendWhole(exchange: Exchange, status: number, body: unknown, headers: OutgoingHttpHeaders): void {
  const text = JSON.stringify(body);
  headers["content-type"] ??= "application/json";
  headers["content-length"] = Buffer.byteLength(text);
  exchange.received.chunks = 1;
  exchange.response.writeHead(status, headers);
  exchange.response.end(text);
}

function asPieces(reply: JsonReply | PiecesReply): PiecesReply {
  if (reply.kind === "pieces") return reply;
  const text = JSON.stringify(reply.body);
  return {
    kind: "pieces",
    status: reply.status ?? 200,
    contentType: "application/json",
    pieces: [text],
    length: Buffer.byteLength(text),
    ...(reply.headers === undefined ? {} : { headers: reply.headers }),
  };
}

async function sendPieces(
  exchange: Exchange,
  provider: Provider,
  reply: PiecesReply,
  fault: Fault | undefined,
): Promise<void> {
  const { response, received, behaviour } = exchange;
  const headers: OutgoingHttpHeaders = { ...provider.headers(exchange), ...reply.headers };
  headers["content-type"] ??= reply.contentType;
  const broken = fault !== undefined && !["slow", "cut"].includes(fault.kind);
  if (reply.length !== undefined && !broken) headers["content-length"] = reply.length;
  response.writeHead(reply.status ?? 200, headers);
  if (behaviour.ttftMs !== undefined) {
    response.flushHeaders();
    await wait(response, behaviour.ttftMs);
  }
  const writer = new BodyWriter(response, received, behaviour);
  const stream = reply.contentType.startsWith("text/event-stream");
  const failure = new ApiFailure(529, "The server is overloaded.", { type: "overloaded_error" });
  const pieces = broken
    ? brokenPieces(fault, reply.pieces, stream, () => provider.errorEvent(failure, exchange))
    : reply.pieces;
  for await (const piece of pieces) if (!(await writer.write(piece))) return;
  if (!(await writer.flush())) return;
  if (fault?.kind === "stall") return untilClosed(response);
  response.end();
}

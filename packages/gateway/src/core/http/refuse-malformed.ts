import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { GatewayError } from "../../contract/errors.ts";
import { errorBody } from "./error-body.ts";

/** What node's parser complains of, as an error of ours. */
function parseError(code: string | undefined): GatewayError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new GatewayError(431, "invalid_request_error", "The request's headers are too large");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new GatewayError(408, "timeout_error", "The request did not arrive in time");
  return new GatewayError(400, "invalid_request_error", "The request is not valid HTTP/1.1");
}

/** Answers a request that could not even be parsed, and closes its connection. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = parseError(error.code);
  const body = JSON.stringify(errorBody(refusal, "openai", randomUUID()));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

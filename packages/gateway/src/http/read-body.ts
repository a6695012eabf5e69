import type { IncomingMessage } from "node:http";
import { GatewayError } from "../contract/errors.ts";

/** Bytes per second below which a body counts as stalled once the time-out has passed. */
const leastPace = 64 * 1024;

/**
 * A request's whole body.
 * @param maxBytes largest body accepted
 * @param timeout milliseconds without a chunk, and for a small body in all
 * @throws GatewayError 413 past the limit (at once when content-length says so), 408 when the body stalls or
 *   trickles, 415 for an encoded body
 */
export function readBody(request: IncomingMessage, maxBytes: number, timeout: number): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.reject(tooLarge(maxBytes));
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return Promise.reject(encoded(encoding));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const start = performance.now();
    let received = 0;
    const finish = (error: GatewayError | undefined): void => {
      clearTimeout(timer);
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      if (error === undefined) resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, received));
      else reject(error);
    };
    const timer = setTimeout(() => finish(stalled()), timeout);
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      chunks.push(chunk);
      if (received > maxBytes) finish(tooLarge(maxBytes));
      else if (performance.now() - start > timeout + (received / leastPace) * 1000) finish(stalled());
      else timer.refresh();
    };
    const onEnd = (): void => finish(undefined);
    const onGone = (): void =>
      finish(
        new GatewayError(400, "invalid_request_error", "The request ended before its body was complete"),
      );
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  });
}

/** 413 for a body past the limit. */
function tooLarge(maxBytes: number): GatewayError {
  const limit = maxBytes >= 2 ** 20 ? `${+(maxBytes / 2 ** 20).toFixed(1)} MiB` : `${maxBytes} bytes`;
  return new GatewayError(413, "request_too_large", `The request body is larger than the limit of ${limit}`);
}

function stalled(): GatewayError {
  return new GatewayError(408, "timeout_error", "The request body did not arrive in time");
}

function encoded(encoding: string): GatewayError {
  return new GatewayError(
    415,
    "invalid_request_error",
    `The content-encoding ${encoding.slice(0, 40)} is not supported; send the body unencoded`,
  );
}

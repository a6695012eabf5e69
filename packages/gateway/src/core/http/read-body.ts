import { GatewayError, invalidRequest, requestTooLarge } from "../../contract/errors.ts";
import { Deadlines, type Expiring } from "../../platform/transport/deadlines.ts";
import type { CallerRequest } from "./http-exchange.ts";

/** Bytes per second below which a body counts as stalled once the time-out has passed. */
export const MIN_PACE = 64 * 1024;

/**
 * A request's whole body.
 * @param maxBytes largest body accepted
 * @param timeout milliseconds without a chunk, and for a small body in all
 * @throws GatewayError 413 past the limit (at once when content-length says so), 408 when the body stalls or
 *   trickles, 415 for an encoded body
 */
export function readBody(request: CallerRequest, maxBytes: number, timeout: number): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.reject(tooLarge(maxBytes));
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return Promise.reject(encoded(encoding));
  return new Promise((resolve, reject) => {
    const reader = new BodyReader(announced, maxBytes, timeout, resolve, reject);
    request
      .on("data", reader.onData)
      .on("end", reader.onEnd)
      .on("error", reader.onGone)
      .on("close", reader.onGone);
  });
}

/** Watches the stalled bodies of all requests. */
const deadlines = new Deadlines();

/** Collects one body. Its listeners stay with the request, deaf from the end on: taking them off costs more. */
class BodyReader implements Expiring {
  expiresAt: number;
  watchedAt = 0;
  readonly #announced: number;
  readonly #maxBytes: number;
  readonly #timeout: number;
  readonly #startedAt = performance.now();
  readonly #resolve: (body: Buffer) => void;
  readonly #reject: (error: GatewayError) => void;
  readonly #chunks: Buffer[] = [];
  #received = 0;
  #done = false;

  /** @param announced bytes as the head says; 0 where it does not */
  constructor(
    announced: number,
    maxBytes: number,
    timeout: number,
    resolve: (body: Buffer) => void,
    reject: (error: GatewayError) => void,
  ) {
    this.#announced = announced;
    this.#maxBytes = maxBytes;
    this.#timeout = timeout;
    this.#resolve = resolve;
    this.#reject = reject;
    this.expiresAt = this.#startedAt + timeout;
    deadlines.watch(this);
  }

  expire(): void {
    this.#fail(stalled());
  }

  readonly onData = (chunk: Buffer): void => {
    if (this.#done) return;
    this.#received += chunk.length;
    this.#chunks.push(chunk);
    // Nothing more to wait for; the end follows at once.
    if (this.#received === this.#announced) return;
    const now = performance.now();
    const allowed = this.#timeout + (this.#received / MIN_PACE) * 1000;
    if (this.#received > this.#maxBytes) this.#fail(tooLarge(this.#maxBytes));
    else if (now - this.#startedAt > allowed) this.#fail(stalled());
    else this.expiresAt = now + this.#timeout;
  };

  readonly onEnd = (): void => {
    if (this.#done) return;
    this.#end();
    const chunks = this.#chunks;
    this.#resolve(chunks.length === 1 ? chunks[0]! : joined(chunks, this.#received));
    chunks.length = 0;
  };

  readonly onGone = (): void => {
    if (this.#done) return;
    this.#fail(incomplete());
  };

  #fail(error: GatewayError): void {
    if (this.#done) return;
    this.#end();
    this.#chunks.length = 0;
    this.#reject(error);
  }

  #end(): void {
    this.#done = true;
    deadlines.forget(this);
  }
}

/**
 * The chunks as one piece. Chunks that have their memory for themselves give it back at once: V8 would count it until the
 * next collection, and where much has been counted it marks the whole heap instead of collecting what is young.
 */
function joined(chunks: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.concat(chunks, length);
  for (const { buffer, byteLength } of chunks)
    if (byteLength > 0 && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
      buffer.transfer(0);
  return whole;
}

/** 413 for a body past the limit. */
function tooLarge(maxBytes: number): GatewayError {
  const limit = maxBytes >= 2 ** 20 ? `${+(maxBytes / 2 ** 20).toFixed(1)} MiB` : `${maxBytes} bytes`;
  return requestTooLarge(`The request body is larger than the limit of ${limit}`);
}

/** The refusal of a body that stalls or trickles. */
export function stalled(): GatewayError {
  return new GatewayError(408, "timeout_error", "The request body did not arrive in time");
}

/** The refusal of a body whose sender left. */
export function incomplete(): GatewayError {
  const message = "The request ended before its body was complete";
  return invalidRequest(message);
}

function encoded(encoding: string): GatewayError {
  return new GatewayError(
    415,
    "invalid_request_error",
    `The content-encoding ${encoding.slice(0, 40)} is not supported; send the body unencoded`,
  );
}

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { CallerRequest } from "../http-exchange.ts";

/** Of the connection, or of one request alone: a frame's own request has other ones or none. */
const NOT_OF_FRAMES: ReadonlySet<string> = new Set([
  "connection",
  "upgrade",
  "sec-websocket-key",
  "sec-websocket-version",
  "sec-websocket-extensions",
  "sec-websocket-protocol",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "expect",
  // Each call has its own.
  "idempotency-key",
  "x-portico-call-id",
  "x-litellm-call-id",
]);

/** The headers that each request of a connection has. */
export function headersOfFrames(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const kept: IncomingHttpHeaders = {};
  for (const name in headers) if (!NOT_OF_FRAMES.has(name)) kept[name] = headers[name];
  const beta = withoutTransport(headers["openai-beta"]);
  if (beta === undefined) delete kept["openai-beta"];
  else kept["openai-beta"] = beta;
  return { ...kept, "content-type": "application/json" };
}

/** Clients announce the transport among the betas, too, which the provider's HTTP endpoint does not know. */
function withoutTransport(beta: string | string[] | undefined): string | undefined {
  const kept = [beta ?? []]
    .flat()
    .flatMap((value) => value.split(","))
    .map((value) => value.trim())
    .filter((value) => value !== "" && !value.startsWith("responses_websockets="));
  return kept.length === 0 ? undefined : kept.join(", ");
}

/** The request of one frame: a POST to the address that the connection was opened at. */
export class FrameRequest extends Readable implements CallerRequest {
  readonly method = "POST";
  readonly complete = true;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly socket: CallerRequest["socket"];
  #body: Buffer | undefined;

  /** @param headers as `headersOfFrames` has them */
  constructor(opened: IncomingMessage, headers: IncomingHttpHeaders, body: Buffer) {
    super();
    this.url = opened.url;
    this.headers = { ...headers, "content-length": String(body.length) };
    this.rawHeaders = opened.rawHeaders;
    this.socket = opened.socket;
    this.#body = body;
  }

  override _read(): void {
    const body = this.#body;
    this.#body = undefined;
    if (body !== undefined && body.length > 0) this.push(body);
    this.push(null);
  }
}

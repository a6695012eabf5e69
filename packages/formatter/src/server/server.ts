import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Codec, CodecError } from "../files/encodings/codec.ts";
import { lookupCodec } from "../files/encodings/lookup.ts";
import { styleVersion } from "../mode/versions.ts";
import { applyCors } from "./cors.ts";
import { formatRequest } from "./format-request.ts";
import { versionHeader } from "./protocol.ts";

export interface ServerOptions {
  /** Origins whose pages may call the server. */
  readonly corsAllowOrigins: readonly string[];
  /** Largest request body in bytes. */
  readonly maxBodySize: number;
}

/** An HTTP server that formats what is posted to `/`; the caller makes it listen. */
export function createFormatServer(options: ServerOptions): Server {
  const allowed = new Set(options.corsAllowOrigins);
  return createServer((request, response) => {
    if (applyCors(request, response, allowed)) return;
    if (request.url?.split("?")[0] !== "/") refuse(response, 404, "404: Not Found");
    else if (request.method !== "POST") refuse(response, 405, "405: Method Not Allowed", { Allow: "POST" });
    else readBody(request, response, options.maxBodySize, (body) => answer(request, response, body));
  });
}

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", ...headers }).end(text);
}

function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else if (!response.headersSent) {
      response.shouldKeepAlive = false;
      refuse(response, 413, `Maximum request body size ${limit} exceeded, actual body size ${size}`);
      request.pause();
    }
  });
  request.on("end", () => {
    if (size <= limit) done(Buffer.concat(chunks));
  });
}

function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const contentType = request.headers["content-type"] ?? "application/octet-stream";
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const codec = lookupCodec(charset);
  const text = codec && decode(body, codec);
  if (codec === undefined || text === undefined) {
    refuse(response, 500, `The body is not valid ${charset}`, { [versionHeader]: styleVersion });
    return;
  }
  const { status, headers, body: result } = formatRequest(request.headers, text);
  const mediaType = contentType.split(";")[0]!.trim();
  response
    .writeHead(status, { "content-type": `${mediaType}; charset=${charset}`, ...headers })
    .end(codec.encode(result));
}

function decode(body: Buffer, codec: Codec): string | undefined {
  try {
    return codec.decode(body);
  } catch (error) {
    if (error instanceof CodecError) return undefined;
    throw error;
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { applyCors, corsHeaders } from "./cors.ts";
import { formatRequest } from "./format-request.ts";

export interface ServerOptions {
  /** Origins whose pages may call the server. */
  readonly corsAllowOrigins: readonly string[];
  /** Largest request body in bytes. */
  readonly maxBodySize: number;
}

/**
 * An HTTP server that formats what is posted to `/`; the caller makes it listen. No request ends it: what nobody
 * expected is answered with 500.
 */
export function createFormatServer(options: ServerOptions): Server {
  const allowed = new Set(options.corsAllowOrigins);
  return createServer((request, response) => {
    guard(response, () => route(request, response, options.maxBodySize, allowed));
  });
}

function guard(response: ServerResponse, action: () => void): void {
  try {
    action();
  } catch (error) {
    process.stderr.write(`jetblackd: ${error instanceof Error ? error.stack : String(error)}\n`);
    if (response.headersSent) response.destroy();
    else refuse(response, 500, "500 Internal Server Error");
  }
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  maxBodySize: number,
  allowed: ReadonlySet<string>,
): void {
  if (!hasUsableHost(request)) {
    response.shouldKeepAlive = false;
    refuse(response, 400, "400 Bad Request");
    return;
  }
  if (applyCors(request, response, allowed)) return;
  if (request.url?.split("?")[0] !== "/") refuse(response, 404, "404: Not Found");
  else if (request.method !== "POST") refuse(response, 405, "405: Method Not Allowed", { Allow: "POST" });
  else
    readBody(request, response, maxBodySize, (body) => {
      guard(response, () => {
        const answer = formatRequest(request.headers, body);
        const headers = { ...corsHeaders(request), ...answer.headers };
        response.writeHead(answer.status, headers).end(answer.body);
      });
    });
}

/** At most one `Host`, and one that can be a host's name and port (RFC 9112, 3.2); Node.js wants one for HTTP/1.1. */
function hasUsableHost({ rawHeaders }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === "host",
  );
  return hosts.length <= 1 && hosts.every((host) => /^[\w.\-~%!$&'()*+,;=:[\]]*$/.test(host));
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

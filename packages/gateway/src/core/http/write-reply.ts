import type { BufferedReply, StreamedReply } from "../../contract/exchange.ts";
import type { FlatHeaders } from "./call-headers.ts";
import type { CallerResponse } from "./http-exchange.ts";

/** Bodies up to this size are copied behind their head rather than written apart. */
const JOINED_BYTES = 32_768;

/** Types of answers that browsers never take for a page. */
const DATA = /^(?:application\/(?:[\w.-]+\+)?json|text\/event-stream)\s*(?:;|$)/i;

/**
 * Keeps a browser from running what an answer carries: tenants and providers decide on the type and bytes of files and of
 * what passes through, and a page that an administrator opens here would act in the administrator's session.
 */
export function addSandbox(headers: FlatHeaders, reply: BufferedReply | StreamedReply): void {
  const own = reply.headers;
  const type = own?.["content-type"];
  if (type === undefined ? "body" in reply && !(reply.body instanceof Uint8Array) : DATA.test(type)) return;
  if (own?.["x-content-type-options"] === undefined) headers.push("x-content-type-options", "nosniff");
  if (own?.["content-security-policy"] === undefined)
    headers.push("content-security-policy", "default-src 'none'; sandbox");
}

/** Sends an answer that is held in memory. */
export function writeBuffered(response: CallerResponse, reply: BufferedReply, headers: FlatHeaders): void {
  const { body } = reply;
  let bytes: string | Uint8Array;
  if (typeof body === "string" || body instanceof Uint8Array) bytes = body;
  else {
    bytes = JSON.stringify(body);
    if (reply.headers?.["content-type"] === undefined) headers.push("content-type", "application/json");
  }
  if (reply.status !== 204 && reply.headers?.["content-length"] === undefined) {
    const length = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.byteLength;
    headers.push("content-length", String(length));
  }
  response.writeHead(reply.status, headers);
  // Head and body leave in one write when the body is text; Latin-1 keeps every byte as it is.
  if (typeof bytes !== "string" && bytes.byteLength <= JOINED_BYTES)
    response.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"), "latin1");
  else response.end(bytes);
}

/**
 * Sends a stream chunk by chunk, as fast as the caller reads. A stream that throws, or whose caller left, cuts the
 * connection, so that nobody takes a broken answer for a whole one.
 * @throws what the stream threw
 */
export async function writeStreamed(
  response: CallerResponse,
  reply: StreamedReply,
  headers: FlatHeaders,
): Promise<void> {
  response.writeHead(reply.status, headers);
  // What of the stream is there already leaves in one write with the head, which waits for no more than that.
  const { socket } = response;
  socket?.cork();
  process.nextTick(() => socket?.uncork());
  response.flushHeaders();
  try {
    for await (const chunk of reply.stream) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await writable(response);
    }
  } catch (error) {
    // A caller that left aborts its call, whose stream then ends in an error that is nobody's fault.
    if (response.destroyed) return;
    response.destroy();
    throw error;
  }
  response.end();
}

/** Resolves when the response takes more, or never will. */
function writable(response: CallerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    if (response.destroyed || !response.writableNeedDrain) resolve();
    else response.on("drain", done).on("close", done);
  });
}

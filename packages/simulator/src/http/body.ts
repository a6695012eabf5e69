import type { Readable } from "node:stream";
import { ApiFailure } from "./api-failure.ts";

/** Bytes of a JSON body, or of a frame of a WebSocket. */
export const MAX_JSON = 256 * 1024 * 1024;

/** Reads a request's body as text. Throws 413 above 256 MB. */
export async function readText(request: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    const bytes = piece as Buffer;
    size += bytes.length;
    if (size > MAX_JSON) throw new ApiFailure(413, "Request body is too large.");
    pieces.push(bytes);
  }
  return (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces))?.toString("utf8") ?? "";
}

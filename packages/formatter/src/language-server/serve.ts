import type { Readable, Writable } from "node:stream";
import { FrameReader, frame } from "./frame-reader.ts";
import { LanguageServer } from "./language-server.ts";
import type { DocumentLimits } from "./open-documents.ts";

/** What one message and one document may take. */
export interface ServerLimits extends DocumentLimits {
  /** Bytes of one message. */
  readonly maxMessage: number;
}

/** Generous for people, and still an end. */
const defaultLimits: ServerLimits = {
  maxMessage: 64 * 1024 * 1024,
  maxDocuments: 5000,
  maxLength: 16 * 1024 * 1024,
};

/**
 * Serves one client until it asks the server to exit or its end of the connection closes.
 * @returns the exit code: 0 for an orderly end, 1 when the client left without one
 * @throws {FramingError} when the input is no sequence of messages
 */
export async function serve(
  input: Readable,
  output: Writable,
  limits: ServerLimits = defaultLimits,
): Promise<0 | 1> {
  const reader = new FrameReader(limits.maxMessage);
  const server = new LanguageServer((message) => output.write(frame(message)), limits);
  for await (const chunk of input) {
    for (const body of reader.push(chunk as Buffer)) {
      const exitCode = server.handle(body);
      if (exitCode !== undefined) return exitCode;
    }
    if (output.writableNeedDrain) await new Promise((done) => output.once("drain", done));
  }
  return 1;
}

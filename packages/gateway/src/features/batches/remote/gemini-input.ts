import { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { FileWriter } from "../../files/file-storage.ts";
import { MAX_FILE, uploadFile } from "./gemini-files.ts";
import type { RemoteContext, RemoteRow } from "./remote-api.ts";

/** Bytes of requests that may stand in the call itself (Gemini API: Batch Mode, inline requests: 20 MB). */
const MAX_INLINE = 18 * 1024 * 1024;

/**
 * The `inputConfig` of a job: the requests themselves where they are small, else a file that is uploaded.
 * @throws GatewayError 413 for more than a file may have
 */
export async function jobInput(
  context: RemoteContext,
  rows: AsyncIterable<RemoteRow>,
  name: string,
): Promise<JsonObject> {
  const key = `remote-${sha256(name).slice(0, 48)}`;
  let inline: JsonObject[] = [];
  let bytes = 0;
  let writer: FileWriter | undefined;
  try {
    for await (const { line, request } of rows) {
      const text = rowText(line, request);
      bytes += text.length;
      if (bytes > MAX_FILE) throw tooLarge();
      if (writer === undefined && bytes <= MAX_INLINE) {
        inline.push({ request, metadata: { key: String(line) } });
        continue;
      }
      writer ??= await context.storage.create(key);
      for (const { request: earlier, metadata } of inline)
        await writer.write(rowText((metadata as JsonObject).key, earlier));
      inline = [];
      await writer.write(text);
    }
    if (writer === undefined) return { requests: { requests: inline } };
    return { fileName: await uploadFile(context, key, await writer.commit(), name) };
  } finally {
    await writer?.abort();
    if (writer !== undefined) await context.storage.delete(key);
  }
}

function rowText(line: unknown, request: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ key: String(line), request })}\n`);
}

function tooLarge(): GatewayError {
  return new GatewayError(413, "request_too_large", "The batch is larger than the provider's files may be");
}

import { randomUUID } from "node:crypto";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { isBlank, MAX_LINE } from "./batch-input.ts";
import type { FileStorage } from "./file-storage.ts";
import type { Upload } from "./receive-upload.ts";
import { linesOf } from "./split-lines.ts";

/**
 * A batch's input whose requests the guard has gone over, in place of the one that came, which is deleted. Providers
 * that run batches get whole files, so that this is the last moment at which the gateway sees the requests.
 * @throws GatewayError the guard's refusal with the line's number; then nothing of the copy is kept
 */
export async function guardRows(
  storage: FileStorage,
  upload: Upload,
  guard: (body: JsonObject) => JsonObject,
): Promise<Upload> {
  const key = randomUUID();
  const writer = await storage.create(key);
  try {
    for await (const { bytes, number } of linesOf(storage.read(upload.key), MAX_LINE)) {
      if (!isBlank(bytes))
        await writer.write(Buffer.concat([guardRow(bytes, number, guard), Buffer.from("\n")]));
    }
    const size = await writer.commit();
    await storage.delete(upload.key);
    return { ...upload, key, bytes: size };
  } catch (error) {
    await writer.abort();
    await storage.delete(key);
    throw error;
  }
}

function guardRow(bytes: Buffer, line: number, guard: (body: JsonObject) => JsonObject): Buffer {
  const row: unknown = JSON.parse(bytes.toString("utf8"));
  if (!isJsonObject(row) || !isJsonObject(row.body)) return bytes;
  const { body } = row;
  const guarded = refusing(line, () => guard(body));
  return guarded === body ? bytes : Buffer.from(JSON.stringify({ ...row, body: guarded }));
}

function refusing<T>(line: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw invalidRequest(`Line ${line}: ${error.message}`, "file");
  }
}

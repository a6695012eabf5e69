import { randomUUID } from "node:crypto";
import { GatewayError, invalidRequest, requestTooLarge } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { ValueOf } from "../../../contract/schema.ts";
import type { ObjectRow } from "../../../core/objects/objects-table.ts";
import { DEFAULT_PROVIDER } from "../../../core/routing/direct-deployment.ts";
import { MAX_LINE } from "../../files/batch-input.ts";
import type { FileService } from "../../files/file-service.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import { RESULTS_LIVE } from "./message-batch-object.ts";
import type { createMessageBatch } from "./schema.ts";

/** The endpoint that the requests of such a batch are for. */
export const MESSAGES = "/v1/messages";
/** The name of the file with the requests, which its owner sees in the list of files. */
export const REQUESTS_FILE = "message_batch_requests.jsonl";

/** Bytes that are written at once. */
const PIECE = 256 * 1024;

export type MessageRequests = ValueOf<typeof createMessageBatch>["requests"];

/** Where requests are kept, and what looks at them before. */
export interface RequestKeeper {
  readonly files: FileService;
  readonly storage: FileStorage;
  /** Providers that run batches get the requests as they are, so that this is the guard's last look at them. */
  readonly guard: ((body: JsonObject) => JsonObject) | undefined;
}

/**
 * Writes the requests down as a batch's input file.
 * @param model the one model that they name, where a provider may run them
 * @throws GatewayError 400 for a repeated custom id, a stream, what the guard refuses; 413 for a request that is too
 *   large
 */
export async function keepRequests(
  { files, storage, guard }: RequestKeeper,
  principal: Principal,
  requests: MessageRequests,
  model: string | undefined,
): Promise<ObjectRow> {
  const key = randomUUID();
  const writer = await storage.create(key);
  try {
    let piece: string[] = [];
    let length = 0;
    for (const line of linesOf(requests, guard)) {
      piece.push(line);
      length += line.length;
      if (length < PIECE) continue;
      await writer.write(Buffer.from(piece.join("")));
      piece = [];
      length = 0;
    }
    if (piece.length > 0) await writer.write(Buffer.from(piece.join("")));
    const bytes = await writer.commit();
    return await files.keep(principal, DEFAULT_PROVIDER, {
      key,
      filename: REQUESTS_FILE,
      contentType: "application/jsonl",
      bytes,
      purpose: "batch",
      models: model === undefined ? [] : [model],
      summary: { rows: requests.length, url: MESSAGES, models: [] },
      expiresAt: Date.now() + RESULTS_LIVE,
    });
  } catch (error) {
    await writer.abort();
    await storage.delete(key);
    throw error;
  }
}

function* linesOf(requests: MessageRequests, guard: RequestKeeper["guard"]): Generator<string> {
  const ids = new Set<string>();
  for (const [index, { custom_id, params }] of requests.entries()) {
    const place = `requests.${index}`;
    if (ids.has(custom_id))
      throw invalidRequest(`${place}.custom_id: '${custom_id}' stands twice`, `${place}.custom_id`);
    ids.add(custom_id);
    if ((params as JsonObject).stream === true)
      throw invalidRequest(`${place}.params.stream: a batch cannot be streamed`, `${place}.params.stream`);
    const body = guard === undefined ? params : refusing(place, () => guard(params as JsonObject));
    const line = JSON.stringify({ custom_id, method: "POST", url: MESSAGES, body });
    if (Buffer.byteLength(line) > MAX_LINE) {
      const text = `${place}: a request may have ${MAX_LINE / 2 ** 20} MiB`;
      throw requestTooLarge(text, place);
    }
    yield `${line}\n`;
  }
}

function refusing<T>(place: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw invalidRequest(`${place}: ${error.message}`, place);
  }
}

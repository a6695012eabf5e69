import { isJsonObject, type JsonObject, objectOf } from "../../../contract/json.ts";
import { linesOf } from "../../files/split-lines.ts";
import type { UnansweredCounts } from "./message-batch-object.ts";

/** Bytes of a line of results: the answer with what stands around it. */
const MAX_RESULT = 64 * 1024 * 1024;

/** A file of a batch's results, as it is read. */
type ResultFile = AsyncIterable<Buffer>;

/** The lines of a batch's output and error files as Anthropic's clients read them. */
export async function* resultLines(file: ResultFile): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of linesOf(file, MAX_RESULT)) {
    const line = readLine(bytes);
    if (line !== undefined) yield lineOf(line.custom_id, resultOf(line));
  }
}

/** A line for each request of a batch that failed as a whole. */
export async function* failedLines(requests: ResultFile, error: JsonObject): AsyncGenerator<Uint8Array> {
  const { code, message } = error;
  const isType = typeof code === "string" && code.endsWith("_error");
  const result = errored({ type: isType ? code : "invalid_request_error", message }, null);
  for await (const { bytes } of linesOf(requests, MAX_RESULT)) {
    const line = readLine(bytes);
    if (line !== undefined) yield lineOf(line.custom_id, result);
  }
}

/** How many lines of an error file are requests that were never answered. */
export async function countUnanswered(file: ResultFile): Promise<UnansweredCounts> {
  const counts = { canceled: 0, expired: 0 };
  for await (const { bytes } of linesOf(file, MAX_RESULT)) {
    const line = readLine(bytes);
    const { type } = line === undefined ? {} : resultOf(line);
    if (type === "canceled" || type === "expired") counts[type] += 1;
  }
  return counts;
}

function lineOf(customId: unknown, result: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify({ custom_id: customId, result })}\n`);
}

function readLine(bytes: Buffer): JsonObject | undefined {
  if (bytes.length === 0) return undefined;
  const line: unknown = JSON.parse(bytes.toString("utf8"));
  return isJsonObject(line) ? line : undefined;
}

/** A result of OpenAI's form as one of Anthropic's. */
function resultOf({ response, error }: JsonObject): JsonObject {
  if (!isJsonObject(response)) {
    const { code } = objectOf(error);
    return { type: code === "batch_expired" ? "expired" : "canceled" };
  }
  const { status_code: status, body, request_id } = response;
  if (Number(status) < 300) return { type: "succeeded", message: body };
  const { error: reason } = objectOf(body);
  return errored(objectOf(reason), request_id);
}

function errored({ type, message }: JsonObject, requestId: unknown): JsonObject {
  const error = { type: type ?? "api_error", message: message ?? "The request failed" };
  return { type: "errored", error: { type: "error", error, request_id: requestId ?? null } };
}

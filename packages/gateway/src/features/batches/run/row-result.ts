import type { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Usage } from "../../../contract/usage.ts";
import { sha256 } from "../../../util/sha256.ts";
import type { RowResult } from "../store.ts";

/** The id of a row's request; the same whenever the row is sent. */
export function requestId(batchId: string, line: number): string {
  return `batch_req_${sha256(`${batchId} ${line}`).slice(0, 32)}`;
}

interface RowName {
  readonly batchId: string;
  readonly line: number;
  readonly customId: string;
}

/**
 * A row that was answered. Rows with a status other than 2xx belong into the error file.
 * @param body the answer as JSON text
 */
export function answered(row: RowName, status: number, body: string, usage: Usage | undefined): RowResult {
  const id = requestId(row.batchId, row.line);
  // Line ends can only stand between tokens in JSON, where a space means the same.
  const oneLine = /[\r\n]/.test(body) ? body.replace(/[\r\n]+/g, " ") : body;
  const response = `{"status_code":${status},"request_id":${JSON.stringify(id)},"body":${oneLine}}`;
  return {
    line: row.line,
    state: status >= 200 && status < 300 ? "completed" : "failed",
    result: `{"id":${JSON.stringify(id)},"custom_id":${JSON.stringify(row.customId)},"response":${response},"error":null}`,
    inputTokens: usage?.input ?? 0,
    cachedTokens: usage?.cacheRead ?? 0,
    outputTokens: usage?.output ?? 0,
    reasoningTokens: usage?.reasoning ?? 0,
  };
}

/** A row that was refused, as the provider would have answered it. */
export function refused(row: RowName, error: GatewayError): RowResult {
  const { message, type, param, providerCode } = error;
  const body = { error: { message, type, param: param ?? null, code: providerCode ?? null } };
  return answered(row, error.status, JSON.stringify(body), error.billed?.usage);
}

/** The error file's line of a row that was never answered. */
export function unansweredLine(row: RowName, code: "batch_expired" | "batch_cancelled"): string {
  const message =
    code === "batch_expired"
      ? "This request could not be executed before the completion window expired."
      : "This request was not executed because the batch was cancelled.";
  const line: JsonObject = {
    id: requestId(row.batchId, row.line),
    custom_id: row.customId,
    response: null,
    error: { code, message },
  };
  return JSON.stringify(line);
}

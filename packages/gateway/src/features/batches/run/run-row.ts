import { newCallRecord } from "../../../contract/call-record.ts";
import { GatewayError, invalidRequest, missingField } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { PassingBytes } from "../../../contract/json-body.ts";
import { ownAlias, type Principal } from "../../../contract/principal.ts";
import type { WireFormat } from "../../../contract/wire-format.ts";
import { executeCall, requireMessages } from "../../../core/call/execute-call.ts";
import type { CallDeps } from "../../../core/call/model-call.ts";
import { continuationsIn } from "../../../core/call/request-references.ts";
import { resolveModel } from "../../../core/routing/resolve-model.ts";
import type { RowResult } from "../store.ts";
import { answered, refused, requestId } from "./row-result.ts";

/** A row with its place in the batch. */
export interface RowToRun {
  readonly batchId: string;
  readonly line: number;
  readonly customId: string;
  readonly format: WireFormat;
  readonly body: JsonObject;
  /** The bytes that `body` was read from. */
  readonly raw: PassingBytes | undefined;
  /** Tries so far. */
  readonly attempts: number;
}

/** What came of a try: a result, or another try at a time (milliseconds). */
export type RowOutcome =
  | { readonly result: RowResult }
  | {
      readonly again: number;
      /** The limits are exhausted: other rows would be refused as well. */
      readonly isLimited: boolean;
    };

/** Tries of a row that fails for reasons that may pass, after the router's own retries. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE = 60_000;

/**
 * Runs one row as a call of the gateway: hooks, limits, router and accounting are those of any call. What limits
 * refuse waits; what fails for a passing reason is tried again; the rest is the row's result.
 */
export async function runRow(
  deps: CallDeps,
  row: RowToRun,
  principal: Principal,
  signal: AbortSignal,
): Promise<RowOutcome> {
  const call = newCallRecord("abatch_row");
  try {
    checkBody(row);
    const reply = await executeCall(deps, {
      callId: requestId(row.batchId, row.line),
      format: row.format,
      family: row.format === "messages" ? "anthropic" : "openai",
      body: row.body,
      raw: row.raw,
      headers: {},
      principal,
      signal,
      record: call,
      streams: false,
    });
    if ("stream" in reply) throw new Error("A batch row was answered by a stream");
    return { result: answered(row, reply.status, textOf(reply.body), call.usage) };
  } catch (error) {
    if (!(error instanceof GatewayError) || signal.aborted) throw error;
    return outcomeOf(row, error);
  }
}

function outcomeOf(row: RowToRun, error: GatewayError): RowOutcome {
  const isLimited = error.status === 429 && error.providerCode !== "insufficient_quota";
  const triesLeft = error.retryable && error.status !== 429 && row.attempts + 1 < MAX_ATTEMPTS;
  if (!isLimited && !triesLeft) return { result: refused(row, error) };
  const pause = (error.retryAfter ?? Math.min(30, 2 ** row.attempts)) * 1000;
  return { again: Date.now() + Math.min(MAX_PAUSE, pause), isLimited };
}

/** A row's own model where the router knows it, else the batch's. */
export function withRowModel(
  deps: Pick<CallDeps, "config">,
  body: JsonObject,
  batchModel: string | null,
  principal: Principal,
): JsonObject {
  if (batchModel === null) return body;
  const { model: named } = body;
  if (typeof named === "string" && named !== "") {
    const model = ownAlias(principal, named);
    const config = deps.config.current;
    if (model === batchModel || Object.hasOwn(config.gatewaySettings.modelAliasMap, model)) return body;
    try {
      if (resolveModel(model, config).by !== "default deployment") return body;
    } catch {
      return { ...body, model: batchModel };
    }
  }
  return { ...body, model: batchModel };
}

function checkBody({ format, body }: RowToRun): void {
  if (format === "chat" || format === "messages") requireMessages(body);
  else if (body.input === undefined || body.input === null) throw missingField("input");
  if (format !== "responses") return;
  const named = continuationsIn(body).find(({ kind }) => kind !== "item");
  if (named === undefined) return;
  const param = named.kind === "response" ? "previous_response_id" : "conversation";
  throw invalidRequest(`${param}: a row that the gateway runs goes on from nothing`, param);
}

function textOf(body: object | string | Uint8Array): string {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  return JSON.stringify(body);
}

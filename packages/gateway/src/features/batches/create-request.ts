import { check } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { withoutTags } from "../../formats/metadata.ts";
import { parseDuration } from "../../util/duration.ts";
import { createBatch } from "./schema.ts";

/** Who runs a batch. */
export type Execution = "auto" | "provider" | "gateway";

/** The body of a batch's creation, checked. */
export interface CreateRequest {
  readonly inputFileId: string;
  readonly endpoint: string;
  readonly completionWindow: string;
  readonly model: string | undefined;
  readonly execution: Execution;
  readonly metadata: JsonObject | undefined;
  readonly webhookUrl: string | undefined;
  /** Seconds. */
  readonly outputExpiresAfter: number | undefined;
  /** A row that names a model that there is not fails alone, rather than the whole batch. */
  readonly refusesRowByRow: boolean;
  /** What a provider gets, with its own id of the input file put in. */
  readonly forwarded: JsonObject;
}

/** The endpoints whose rows the gateway can run, with the format of each. */
export const runnableEndpoints: ReadonlyMap<string, WireFormat> = new Map([
  ["/v1/chat/completions", "chat"],
  ["/v1/responses", "responses"],
  ["/v1/messages", "messages"],
  ["/v1/embeddings", "embeddings"],
]);

const MAX_WINDOW = 30 * 24 * 3_600_000;

/** @throws GatewayError 400 naming the field */
export function readBatchRequest(body: JsonObject): CreateRequest {
  const { input_file_id, endpoint, completion_window, model, execution, webhook_url, output_expires_after } =
    check(createBatch, body);
  const {
    execution: _,
    webhook_url: __,
    model: ___,
    ...forwarded
  } = withoutLitellmFields({
    ...body,
    ...(body.metadata === undefined ? {} : { metadata: withoutTags(body.metadata) }),
  });
  const metadata = isJsonObject(forwarded.metadata) ? forwarded.metadata : undefined;
  return {
    inputFileId: input_file_id,
    endpoint,
    completionWindow: completion_window,
    model: model || undefined,
    execution: execution ?? "auto",
    metadata,
    webhookUrl: webhookAddress(webhook_url ?? metadata?.webhook_url),
    outputExpiresAfter: output_expires_after?.seconds,
    refusesRowByRow: false,
    forwarded,
  };
}

/**
 * Milliseconds of a completion window; `24h` is the usual one.
 * @throws GatewayError 400
 */
export function windowLength(window: string): number {
  const length = parseDuration(window);
  if (length === undefined || length > MAX_WINDOW)
    throw invalidRequest(
      "completion_window must be a length of time up to 30d, such as 24h",
      "completion_window",
    );
  return length;
}

function webhookAddress(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const valid = typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
  if (!valid) throw invalidRequest("webhook_url must be an http(s) address", "webhook_url");
  return value;
}

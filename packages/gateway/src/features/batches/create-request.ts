import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { withoutLitellmFields } from "../../core/call/litellm-fields.ts";
import { withoutTags } from "../../formats/shared/metadata-tags.ts";
import { parseDuration } from "../../util/duration.ts";

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

const executions: ReadonlySet<unknown> = new Set(["auto", "provider", "gateway"]);
const MAX_WINDOW = 30 * 24 * 3_600_000;

/** @throws GatewayError 400 naming the field */
export function readBatchRequest(body: JsonObject): CreateRequest {
  const {
    execution = "auto",
    webhook_url,
    model,
    ...forwarded
  } = withoutLitellmFields({
    ...body,
    ...(body.metadata === undefined ? {} : { metadata: withoutTags(body.metadata) }),
  });
  if (!executions.has(execution))
    throw invalidRequest("execution must be 'auto', 'provider' or 'gateway'", "execution");
  if (model !== undefined && model !== null && typeof model !== "string")
    throw invalidRequest("model must be a string", "model");
  const { metadata } = forwarded;
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata))
    throw invalidRequest("metadata must be an object", "metadata");
  const inMetadata = isJsonObject(metadata) ? metadata.webhook_url : undefined;
  return {
    inputFileId: text(body, "input_file_id"),
    endpoint: text(body, "endpoint"),
    completionWindow: text(body, "completion_window"),
    model: typeof model === "string" && model !== "" ? model : undefined,
    execution: execution as Execution,
    metadata: isJsonObject(metadata) ? metadata : undefined,
    webhookUrl: webhookAddress(webhook_url ?? inMetadata),
    outputExpiresAfter: outputExpiry(body.output_expires_after),
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

function text(body: JsonObject, name: string): string {
  const value = body[name];
  if (value === undefined || value === null || value === "")
    throw invalidRequest(`Missing required parameter: '${name}'.`, name);
  if (typeof value !== "string") throw invalidRequest(`${name} must be a string`, name);
  if (value.length > 4096) throw invalidRequest(`${name} is too long`, name);
  return value;
}

function webhookAddress(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const valid = typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
  if (!valid) throw invalidRequest("webhook_url must be an http(s) address", "webhook_url");
  return value;
}

function outputExpiry(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = isJsonObject(value) ? value.seconds : undefined;
  if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds < 3600 || seconds > 2_592_000)
    throw invalidRequest("output_expires_after.seconds must be from 3600 to 2592000", "output_expires_after");
  return seconds;
}

import { GatewayError } from "../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { Usage } from "../contract/usage.ts";
import type { WireFormat } from "../contract/wire-format.ts";
import { memberNearEnd } from "../util/json-span.ts";
import { hasObjectStructure } from "../util/json-structure.ts";
import { dialectOf } from "./registry.ts";
import { parseJsonObject } from "./shared/parse-json.ts";
import { readChatUsage } from "./shared/usage.ts";

/** Bytes of an answer that is parsed whole, which takes no longer than to look for its usage; later it does. */
const MAX_PARSED_BYTES = 16_384;

const TIER_MEMBER = Buffer.from('"service_tier"');

/**
 * The usage of a whole answer that passes on as it is; nothing else is read from it. Long ones are not parsed: every
 * format has its usage at the end, and what precedes it is only looked over.
 * @throws GatewayError 502 for an answer that is not a JSON object
 */
export function usageOfNativeAnswer(body: Buffer, format: WireFormat): Usage | undefined {
  // One character for each byte. Characters beyond ASCII occur in strings only, and no string is read here.
  const text = body.toString("latin1");
  const isLong = text.length > MAX_PARSED_BYTES && hasObjectStructure(text);
  const json = (isLong ? usageNearEnd(body, format) : undefined) ?? parseJsonObject(text);
  if (json === undefined)
    throw new GatewayError(502, "api_error", "The provider's answer is not a JSON object.");
  return format === "embeddings" ? readChatUsage(json.usage) : dialectOf(format).usageOf(json);
}

function usageNearEnd(body: Buffer, format: WireFormat): JsonObject | undefined {
  const text = memberNearEnd(body, "usage");
  // Messages have the tier within the usage; OpenAI's formats have it beside it, if at all.
  const hasTier = format !== "messages" && body.includes(TIER_MEMBER);
  const tier = hasTier ? memberNearEnd(body, "service_tier") : "null";
  const part =
    text === undefined || tier === undefined
      ? undefined
      : parseJsonObject(`{"usage":${text},"service_tier":${tier}}`);
  return isJsonObject(part?.usage) ? part : undefined;
}

import { GatewayError } from "../contract/errors.ts";
import { parseJsonObject } from "../contract/json.ts";
import { type ReadBody, readPassingBody } from "../contract/json-body.ts";
import type { Usage } from "../contract/usage.ts";
import type { WireFormat } from "../contract/wire-format.ts";
import { memberNearEnd } from "../util/json-span.ts";
import { hasObjectStructure } from "../util/json-structure.ts";
import { usesSpeedPaths } from "../util/speed-paths.ts";
import { dialectOf } from "./registry.ts";
import { readChatUsage } from "./usage.ts";

/** Bytes of embeddings that are parsed whole; longer ones take many times longer to parse than to look over. */
const MAX_PARSED_BYTES = 16_384;

/**
 * The usage of a whole answer that passes on as it is; nothing else is read from it.
 * @throws GatewayError 502 for an answer that is not a JSON object
 */
export function usageOfNativeAnswer(
  body: Buffer,
  format: WireFormat,
  looksOver = usesSpeedPaths,
): Usage | undefined {
  // One character for each byte. Characters beyond ASCII occur in strings only, and no string is read here.
  const text = body.toString("latin1");
  if (format === "embeddings" && looksOver && text.length > MAX_PARSED_BYTES && hasObjectStructure(text)) {
    const usage = parseJsonObject(memberNearEnd(body, "usage") ?? "");
    if (usage !== undefined) return readChatUsage(usage);
  }
  const json = parseJsonObject(text);
  if (json === undefined) throw unreadable();
  return format === "embeddings" ? readChatUsage(json.usage) : dialectOf(format).usageOf(json);
}

/**
 * A whole answer that passes on as it is and from which more is read than its usage.
 * @throws GatewayError 502 for an answer that is not a JSON object, or passes the limits of requests
 */
export function readNativeAnswer(body: Buffer): ReadBody {
  try {
    return readPassingBody(body);
  } catch (cause) {
    if (parseJsonObject(body.toString("latin1")) === undefined) throw unreadable(cause);
    // What it says cannot be taken over, but it is an answer.
    const text = "The provider's answer has a value that the gateway cannot pass on.";
    throw new GatewayError(502, "api_error", text, { cause, billed: { usage: undefined } });
  }
}

function unreadable(cause?: unknown): GatewayError {
  return new GatewayError(502, "api_error", "The provider's answer is not a JSON object.", { cause });
}

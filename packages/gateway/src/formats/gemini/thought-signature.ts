import type { SharedV3ProviderMetadata, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { optionsFor } from "../provider-options.ts";
import { redactedDataOf, signatureOf } from "../signature.ts";

/** A `thoughtSignature` is base64; what the gateway packs into one begins with this. */
const MARK = "portico:";
const ANTHROPIC = "anthropic:";
const REDACTED = "redacted:";
const UNSIGNED = "unsigned";
/** How base64 of the mark begins, whatever follows. */
export const PACKED_PREFIX = "cG9ydGljbz";

/** Google's word for a call of another model, which has no signature (Gemini API, "Thought signatures"). */
const SKIP = "skip_thought_signature_validator";
/** Words that Google takes in place of a signature; they say nothing to anybody. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([SKIP, "context_engineering_is_the_way_to_go"]);

/** What a part's provider signed or encrypted, as `thoughtSignature`: Google's own as it is, Anthropic's packed. */
export function packThoughtSignature(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  const data = redactedDataOf(metadata);
  if (data !== undefined) return pack(REDACTED + data);
  const signature = signatureOf(metadata);
  if (signature?.provider === "google") return signature.value;
  return signature === undefined ? undefined : pack(ANTHROPIC + signature.value);
}

/** The signature of a function call, which Gemini 3 wants to see with every first call of a step. */
export function packCallSignature(metadata: SharedV3ProviderMetadata | undefined): string {
  return packThoughtSignature(metadata) ?? pack(UNSIGNED);
}

/** The way back, as a neutral part's `providerOptions`. */
export function unpackThoughtSignature(text: string): SharedV3ProviderOptions {
  if (text === "" || isPlaceholder(text)) return {};
  if (!text.startsWith(PACKED_PREFIX)) return optionsFor("google", { thoughtSignature: text });
  const packed = Buffer.from(text, "base64").toString("utf8").slice(MARK.length);
  if (packed.startsWith(ANTHROPIC))
    return optionsFor("anthropic", { signature: packed.slice(ANTHROPIC.length) });
  if (packed.startsWith(REDACTED))
    return optionsFor("anthropic", { redactedData: packed.slice(REDACTED.length) });
  return {};
}

function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.has(text) || PLACEHOLDERS.has(Buffer.from(text, "base64").toString("latin1"));
}

function pack(text: string): string {
  return Buffer.from(MARK + text).toString("base64");
}

/**
 * The contents of a request for Google without signatures of other makers: a function call gets Google's word for a
 * call that has none, other parts go without. The very same where there are none.
 */
export function withoutPackedSignatures(contents: unknown): unknown {
  return Array.isArray(contents) ? mapped(contents, (content) => withoutPacked(content)) : contents;
}

function withoutPacked(content: unknown): unknown {
  if (!isJsonObject(content) || !Array.isArray(content.parts)) return content;
  const parts = mapped(content.parts, (part) => (isJsonObject(part) ? withoutPackedPart(part) : part));
  return parts === content.parts ? content : { ...content, parts };
}

function withoutPackedPart(part: JsonObject): JsonObject {
  const { thoughtSignature, ...rest } = part;
  if (typeof thoughtSignature !== "string" || !thoughtSignature.startsWith(PACKED_PREFIX)) return part;
  return part.functionCall === undefined ? rest : { ...rest, thoughtSignature: SKIP };
}

function mapped(list: readonly unknown[], map: (item: unknown) => unknown): readonly unknown[] {
  const items = list.map(map);
  return items.some((item, index) => item !== list[index]) ? items : list;
}

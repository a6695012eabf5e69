import type { SharedV3ProviderMetadata, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isJsonObject } from "../contract/json.ts";

/** What a provider signed about reasoning or a tool call, and must see again in the next turn. */
export interface Signature {
  readonly provider: "anthropic" | "google";
  readonly value: string;
}

const GOOGLE_TAG = "google:";

/** The signature that a neutral part carries. */
export function signatureOf(metadata: SharedV3ProviderMetadata | undefined): Signature | undefined {
  const anthropic = metadata?.anthropic?.signature;
  if (typeof anthropic === "string" && anthropic !== "") return { provider: "anthropic", value: anthropic };
  // The library writes Vertex AI's under another name; it reads both.
  const google = metadata?.google?.thoughtSignature ?? metadata?.vertex?.thoughtSignature;
  if (typeof google === "string" && google !== "") return { provider: "google", value: google };
  return undefined;
}

/** Encrypted reasoning that only Anthropic can read. */
export function redactedDataOf(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  const data = metadata?.anthropic?.redactedData;
  return typeof data === "string" ? data : undefined;
}

/** One text for both: Anthropic's as it is, another's with its provider before it. */
export function packSignature(signature: Signature): string {
  return signature.provider === "google" ? GOOGLE_TAG + signature.value : signature.value;
}

/** The signature of a text that a caller sent back, as the neutral part's `providerOptions`. */
export function unpackSignature(text: string): SharedV3ProviderOptions {
  if (text === "") return {};
  return text.startsWith(GOOGLE_TAG)
    ? { google: { thoughtSignature: text.slice(GOOGLE_TAG.length) } }
    : { anthropic: { signature: text } };
}

/** Gemini's signature of a tool call as `extra_content`, the member that Google's own chat completions use for it. */
export function writeExtraContent(metadata: SharedV3ProviderMetadata | undefined): {
  extra_content?: { google: { thought_signature: string } };
} {
  const signature = signatureOf(metadata);
  if (signature?.provider !== "google") return {};
  return { extra_content: { google: { thought_signature: signature.value } } };
}

/** The signature in a tool call's `extra_content`, as the neutral part's `providerOptions`. */
export function readExtraContent(extra: unknown): SharedV3ProviderOptions {
  const google = isJsonObject(extra) ? extra.google : undefined;
  const value = isJsonObject(google) ? google.thought_signature : undefined;
  return typeof value === "string" ? { google: { thoughtSignature: value } } : {};
}

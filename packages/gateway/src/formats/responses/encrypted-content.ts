import type { SharedV3ProviderMetadata, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { optionsFor } from "../provider-options.ts";
import { packSignature, redactedDataOf, signatureOf, unpackSignature } from "../signature.ts";

const SIGNED = "portico-signature:";
const REDACTED = "portico-redacted:";

/** What a provider signed or encrypted about reasoning, as a reasoning item's `encrypted_content`. */
export function packEncryptedContent(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  const data = redactedDataOf(metadata);
  if (data !== undefined) return REDACTED + data;
  const signature = signatureOf(metadata);
  return signature === undefined ? undefined : SIGNED + packSignature(signature);
}

/** The way back; content that a provider encrypted itself means nothing to another one and is left out. */
export function unpackEncryptedContent(content: string): SharedV3ProviderOptions {
  if (content.startsWith(SIGNED)) return unpackSignature(content.slice(SIGNED.length));
  if (content.startsWith(REDACTED)) {
    return optionsFor("anthropic", { redactedData: content.slice(REDACTED.length) });
  }
  return {};
}

/** Whether this gateway made it out of another provider's signature; OpenAI cannot read that. */
export function isPackedContent(content: string): boolean {
  return content.startsWith(SIGNED) || content.startsWith(REDACTED);
}

import type { SharedV3ProviderMetadata, SharedV3ProviderOptions } from "@ai-sdk/provider";
import { optionsFor } from "../shared/provider-options.ts";
import { packSignature, redactedDataOf, signatureOf, unpackSignature } from "../shared/signature.ts";

const signed = "portico-signature:";
const redacted = "portico-redacted:";

/** What a provider signed or encrypted about reasoning, as a reasoning item's `encrypted_content`. */
export function packEncryptedContent(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  const data = redactedDataOf(metadata);
  if (data !== undefined) return redacted + data;
  const signature = signatureOf(metadata);
  return signature === undefined ? undefined : signed + packSignature(signature);
}

/** The way back; content that a provider encrypted itself means nothing to another one and is left out. */
export function unpackEncryptedContent(content: string): SharedV3ProviderOptions {
  if (content.startsWith(signed)) return unpackSignature(content.slice(signed.length));
  if (content.startsWith(redacted)) {
    return optionsFor("anthropic", { redactedData: content.slice(redacted.length) });
  }
  return {};
}

/** Whether this gateway made it out of another provider's signature; OpenAI cannot read that. */
export function isPackedContent(content: string): boolean {
  return content.startsWith(signed) || content.startsWith(redacted);
}

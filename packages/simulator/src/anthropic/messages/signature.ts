import { signatureOf } from "../../util/signature.ts";

/** The signature of a thinking block: only this simulator issues it, any instance recognises it. */
export function signThinking(thinking: string): string {
  return signatureOf("thinking", thinking);
}

/** Whether a signature belongs to a thinking text. */
export function isThinkingSignature(thinking: string, signature: string): boolean {
  return signature === signatureOf("thinking", thinking);
}

/** The `data` of a redacted thinking block: the hidden text, then its signature. */
export function redact(thinking: string): string {
  const hidden = Buffer.from(thinking).toString("base64url");
  return `${hidden}.${signatureOf("redacted", hidden)}`;
}

/** Whether the `data` of a redacted thinking block was issued here. */
export function isRedacted(data: string): boolean {
  const [hidden = "", signature] = data.split(".");
  return signature === signatureOf("redacted", hidden);
}

import { signatureOf } from "../../util/signature.ts";

/** Values that Google documents for calls that another model made. */
const bypasses = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/** The signature of a function call or of a text's thoughts. */
export function thoughtSignature(subject: string): string {
  return signatureOf("thought", subject);
}

/** Whether a signature that came back was issued for this subject. */
export function isThoughtSignature(subject: string, signature: string): boolean {
  return (
    bypasses.some((bypass) => signature === bypass || signature === btoa(bypass)) ||
    signature === thoughtSignature(subject)
  );
}

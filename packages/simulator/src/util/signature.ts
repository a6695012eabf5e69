import { createHmac } from "node:crypto";

// Fixed, so that a conversation begun with one simulator goes on with another.
const SECRET = "portico-simulator";

/** A signature that only simulators issue and every simulator recognises. */
export function signatureOf(purpose: string, text: string): string {
  return createHmac("sha256", SECRET).update(`${purpose}:${text}`).digest("base64");
}

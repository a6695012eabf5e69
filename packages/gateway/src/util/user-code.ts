import { createHash } from "node:crypto";

/** Consonants that are not easily taken for one another (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** A short code that two programs show for the same secret, such as `WDJB-MJHT`, for people to compare. */
export function userCode(secret: string): string {
  const bytes = createHash("sha256").update(`user code ${secret}`).digest();
  const letters = Array.from(
    { length: 8 },
    (_, index) => LETTERS[bytes.readUInt16BE(index * 2) % LETTERS.length],
  );
  return `${letters.slice(0, 4).join("")}-${letters.slice(4).join("")}`;
}

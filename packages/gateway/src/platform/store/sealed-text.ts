import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const MARK = "sealed:v1:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must not stand in the store in clear text (AES-256-GCM, a fresh nonce each time), with a key that only
 * the configuration has: whoever gets hold of the database or of a backup cannot read it.
 */
export class SealedText {
  readonly #key: Buffer;
  /** Whether there is a secret at all. */
  readonly isSecret: boolean;

  /** @param secret `salt_key`, or the master key where there is none; empty where there is neither */
  constructor(secret: string) {
    this.isSecret = secret !== "";
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "portico stored secrets", 32));
  }

  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return MARK + sealed.toString("base64");
  }

  /** The text; what was never sealed is as it is, and what another key sealed is `undefined`. */
  open(stored: string): string | undefined {
    if (!stored.startsWith(MARK)) return stored;
    const sealed = Buffer.from(stored.slice(MARK.length), "base64");
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals what callers keep for the gateway (AES-256-GCM, a fresh nonce each time): they cannot read it, cannot change it,
 * and it opens for the tenant alone that got it. Any replica with the secret opens it.
 */
export class TenantSeal {
  readonly #key: Buffer;

  /** @param secret the one behind object ids */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "portico tenant seal", 32));
  }

  seal(tenant: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    cipher.setAAD(Buffer.from(tenant));
    const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString("base64url");
  }

  /** @returns undefined for what was not sealed here, was changed, or belongs to another tenant */
  open(tenant: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(tenant));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      return undefined;
    }
  }
}

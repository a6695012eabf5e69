import { createDecipheriv, createHash } from "node:crypto";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";

/** Marks what newer versions encrypt with AES-256-GCM; base64 has no colon. */
const GCM_MARK = "v2:gcm:";
const GCM_NONCE_BYTES = 12;
const GCM_TAG_BYTES = 16;
const BOX_NONCE_BYTES = 24;
const BOX_TAG_BYTES = 16;

/**
 * Opens what LiteLLM encrypted in its database: NaCl's secretbox (XSalsa20-Poly1305) or AES-256-GCM, both under the
 * SHA-256 of the salt key, or of the master key where there was no salt key.
 */
export class LiteLlmSecrets {
  readonly #keys: readonly Buffer[];

  /** @param keys salt and master keys that may have been in force, the likeliest first */
  constructor(keys: readonly string[]) {
    this.#keys = [...new Set(keys)].map((key) => createHash("sha256").update(key).digest());
  }

  /** The text; `undefined` for what none of the keys encrypted. */
  open(stored: string): string | undefined {
    for (const key of this.#keys) {
      const text = stored.startsWith(GCM_MARK) ? openGcm(stored, key) : openBox(stored, key);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  /**
   * The members of an object with the texts opened. Older versions left some in clear text.
   * @returns the names of those that look encrypted and that no key opens, instead
   */
  openMembers(stored: Readonly<Record<string, unknown>>): Record<string, unknown> | readonly string[] {
    const closed: string[] = [];
    const opened = Object.entries(stored).map(([name, value]): [string, unknown] => {
      if (typeof value !== "string") return [name, value];
      const text = this.open(value);
      if (text === undefined && looksEncrypted(value)) closed.push(name);
      return [name, text ?? value];
    });
    return closed.length > 0 ? closed : Object.fromEntries(opened);
  }
}

/** Whether a text may be one that was encrypted: at least a nonce and a tag in base64, with its padding. */
function looksEncrypted(text: string): boolean {
  return text.startsWith(GCM_MARK) || (/^[\w+/-]{54,}={0,2}$/.test(text) && text.length % 4 === 0);
}

function openBox(stored: string, key: Buffer): string | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(stored)) return undefined;
  const box = Buffer.from(stored, "base64url");
  if (box.length < BOX_NONCE_BYTES + BOX_TAG_BYTES) return undefined;
  try {
    const cipher = xsalsa20poly1305(key, box.subarray(0, BOX_NONCE_BYTES));
    return Buffer.from(cipher.decrypt(box.subarray(BOX_NONCE_BYTES))).toString("utf8");
  } catch {
    return undefined;
  }
}

function openGcm(stored: string, key: Buffer): string | undefined {
  const sealed = Buffer.from(stored.slice(GCM_MARK.length), "base64url");
  if (sealed.length < GCM_NONCE_BYTES + GCM_TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, GCM_NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-GCM_TAG_BYTES));
    const text = decipher.update(sealed.subarray(GCM_NONCE_BYTES, -GCM_TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

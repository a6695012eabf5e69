import { sha256 } from "../../util/sha256.ts";

/** A key's hash in hex, and the same as bytes for comparisons in constant time. */
export interface KeyHash {
  readonly hex: string;
  readonly bytes: Buffer;
}

/** Keys remembered, wrong ones that somebody tries included; then all are forgotten. */
const MAX_REMEMBERED = 1000;

/** The hashes of the keys that are in use: one who calls often has its key hashed once. */
export class KeyHashes {
  readonly #remembered = new Map<string, KeyHash>();

  of(key: string): KeyHash {
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const hash = keyHash(key);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, hash);
    return hash;
  }
}

/** Hashes a key. */
export function keyHash(key: string): KeyHash {
  const hex = sha256(key);
  return { hex, bytes: Buffer.from(hex) };
}

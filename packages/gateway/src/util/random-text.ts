import { randomFillSync } from "node:crypto";

/** Bytes that are fetched at a time: a call of the generator costs far more than its bytes. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/**
 * The text of so many random bytes, for an id that nobody can guess. Keys and nonces take theirs from `node:crypto`
 * directly, so that no copy of them stays in memory.
 * @param bytes at most 4096
 */
export function randomText(bytes: number, encoding: "hex" | "base64url"): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString(encoding, used - bytes, used);
}

import { hashText } from "./hash.ts";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Hands out ids that follow from how many were handed out before and from what was asked. */
export class IdSource {
  #count = 0;

  /**
   * The next id.
   * @param prefix the provider's own prefix, such as `chatcmpl-`
   * @param seed text of the request
   * @param length letters and digits after the prefix
   */
  next(prefix: string, seed = "", length = 24): string {
    this.#count += 1;
    return prefix + letters(this.#count, hashText(seed), length);
  }

  /** Starts the sequence again, so that a test sees the same ids. */
  reset(): void {
    this.#count = 0;
  }
}

// A splitmix-like generator: the count alone keeps ids apart, the hash makes them follow the request.
function letters(count: number, hash: number, length: number): string {
  let state = (Math.imul(count, 0x9e3779b9) ^ hash) >>> 0;
  let text = "";
  while (text.length < length) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    text += ALPHABET[((mixed ^ (mixed >>> 14)) >>> 0) % ALPHABET.length];
  }
  // The count in base 36 at the end makes a repeat impossible, not only unlikely.
  const tail = count.toString(36);
  return text.slice(0, Math.max(0, length - tail.length)) + tail;
}

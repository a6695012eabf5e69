import { hash } from "node:crypto";

/**
 * A set that remembers 64 bits of each text's SHA-1 in 16 to 32 bytes, so that a million identifiers fit where the
 * texts themselves would not. Two different texts among a million are taken for equal once in 10^7 files.
 */
export class IdSet {
  #slots = new BigUint64Array(1024);
  #size = 0;

  /** @returns whether the text is new */
  add(text: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const added = insert(this.#slots, fingerprint(text));
    if (added) this.#size += 1;
    return added;
  }

  #grow(): void {
    const larger = new BigUint64Array(this.#slots.length * 2);
    for (const slot of this.#slots) if (slot !== 0n) insert(larger, slot);
    this.#slots = larger;
  }
}

/** Open addressing; zero marks a free slot. */
function insert(slots: BigUint64Array, value: bigint): boolean {
  const mask = slots.length - 1;
  for (let index = Number(value & BigInt(mask)); ; index = (index + 1) & mask) {
    const slot = slots[index]!;
    if (slot === value) return false;
    if (slot !== 0n) continue;
    slots[index] = value;
    return true;
  }
}

function fingerprint(text: string): bigint {
  const value = hash("sha1", text, "buffer").readBigUInt64LE(0);
  return value === 0n ? 1n : value;
}

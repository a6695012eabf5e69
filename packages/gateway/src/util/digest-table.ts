/** Bytes of a SHA-256. */
const LENGTH = 32;

/** SHA-256 digests in ascending order, packed: to look one up no object is made, and no collection of garbage walks them. */
export class DigestTable {
  /** The digests one behind the other. */
  readonly bytes: Uint8Array;
  /** The first four bytes of each as a number, which tells nearly all apart. */
  readonly heads: Uint32Array;

  /** @param bytes as another table had them; threads may hand them over to one another */
  constructor(bytes: Uint8Array, heads: Uint32Array) {
    this.bytes = bytes;
    this.heads = heads;
  }

  /** @param digests in hex, ascending, each once */
  static of(digests: readonly string[]): DigestTable {
    const bytes = new Uint8Array(digests.length * LENGTH);
    const heads = new Uint32Array(digests.length);
    for (const [index, digest] of digests.entries()) {
      bytes.set(Buffer.from(digest, "hex"), index * LENGTH);
      heads[index] = headOf(digest);
    }
    return new DigestTable(bytes, heads);
  }

  get size(): number {
    return this.heads.length;
  }

  /**
   * Where a digest stands.
   * @param digest in hex
   * @returns -1 for one that is not in the table
   */
  indexOf(digest: string): number {
    const head = headOf(digest);
    let [from, to] = [0, this.heads.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.heads[middle]! < head) from = middle + 1;
      else to = middle;
    }
    for (let index = from; this.heads[index] === head; index += 1)
      if (this.#at(index) === digest) return index;
    return -1;
  }

  #at(index: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + index * LENGTH, LENGTH).toString("hex");
  }
}

function headOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 8), 16);
}

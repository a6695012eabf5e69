import { DigestTable } from "../../util/digest-table.ts";
import { sha256 } from "../../util/sha256.ts";
import type { ConfiguredKey } from "./gateway-config.ts";

/** Whose key one of the file may be. */
export type KeyOwnerKind = "user" | "team";

/** Keys as one thread hands them to another: buffers alone, so that none is copied and no object made. */
export interface PackedKeys {
  readonly hashes: Uint8Array;
  readonly hashHeads: Uint32Array;
  readonly owners: Uint8Array;
  readonly ownerHeads: Uint32Array;
  /** The keys in the order of their hashes, as JSON. */
  readonly texts: Uint8Array;
  /** Where each key's text begins, and where the last one ends. */
  readonly starts: Uint32Array;
  /** Each key's place in the file. */
  readonly places: Uint32Array;
}

/**
 * The keys of a configuration file. There may be 100,000, of which few call: they are kept packed and read one at a time,
 * because to make that many objects would hold up every call at a reload.
 */
export class ConfiguredKeys {
  readonly packed: PackedKeys;
  readonly #hashes: DigestTable;
  readonly #owners: DigestTable;

  constructor(packed: PackedKeys) {
    this.packed = packed;
    this.#hashes = new DigestTable(packed.hashes, packed.hashHeads);
    this.#owners = new DigestTable(packed.owners, packed.ownerHeads);
  }

  /** @param keys in the order of the file, each hash once */
  static of(keys: readonly ConfiguredKey[]): ConfiguredKeys {
    const sorted = keys
      .map((key, place) => ({ hash: key.principal.keyHash, place, text: Buffer.from(JSON.stringify(key)) }))
      .sort((one, other) => (one.hash < other.hash ? -1 : 1));
    const starts = new Uint32Array(sorted.length + 1);
    for (const [index, { text }] of sorted.entries()) starts[index + 1] = starts[index]! + text.length;
    const texts = new Uint8Array(starts.at(-1)!);
    for (const [index, { text }] of sorted.entries()) texts.set(text, starts[index]);
    const hashes = DigestTable.of(sorted.map(({ hash }) => hash));
    const owners = DigestTable.of([...new Set(keys.flatMap(ownersOf))].sort());
    return new ConfiguredKeys({
      hashes: hashes.bytes,
      hashHeads: hashes.heads,
      owners: owners.bytes,
      ownerHeads: owners.heads,
      texts,
      starts,
      places: Uint32Array.from(sorted, ({ place }) => place),
    });
  }

  get size(): number {
    return this.#hashes.size;
  }

  /**
   * Reads a key.
   * @param keyHash in hex
   */
  find(keyHash: string): ConfiguredKey | undefined {
    const index = this.#hashes.indexOf(keyHash);
    if (index === -1) return undefined;
    const { texts, starts } = this.packed;
    const text = Buffer.from(
      texts.buffer,
      texts.byteOffset + starts[index]!,
      starts[index + 1]! - starts[index]!,
    );
    return JSON.parse(text.toString()) as ConfiguredKey;
  }

  /** Where a key stands in the file's list. */
  placeOf(keyHash: string): number | undefined {
    const index = this.#hashes.indexOf(keyHash);
    return index === -1 ? undefined : this.packed.places[index];
  }

  /** Whether a key is of this user or team. */
  isOwner(kind: KeyOwnerKind, id: string): boolean {
    return this.#owners.indexOf(ownerDigest(kind, id)) !== -1;
  }
}

function ownersOf({ principal: { userId, teamId } }: ConfiguredKey): string[] {
  return [
    ...(userId === undefined ? [] : [ownerDigest("user", userId)]),
    ...(teamId === undefined ? [] : [ownerDigest("team", teamId)]),
  ];
}

function ownerDigest(kind: KeyOwnerKind, id: string): string {
  return sha256(`${kind} ${id}`);
}

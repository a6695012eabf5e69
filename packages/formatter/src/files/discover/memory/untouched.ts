import type { KnownFailure } from "../../cache/file-record.ts";
import { FOLDER_WIDTH, type RememberedTree, STAMP_WIDTH } from "./remembered-tree.ts";
import { type StatReader, statReader } from "./stat-reader.ts";

const SLASH = 47;

type Failures = ReadonlyMap<number, KnownFailure>;

/** What of a remembered tree is as it was. */
export interface Untouched {
  /** 1 for each folder, by its row, whose entries are the same. */
  readonly folders: Uint8Array;
  /** 1 for each entry that is a file with a known outcome and the same stamp. */
  readonly files: Uint8Array;
  /** For each folder, by its row: how many files are in it and below, if all are untouched and no failures; else -1. */
  readonly counts: Int32Array;
}

/**
 * Compares a remembered tree with what is there, in one tight pass: a run over an unchanged tree does little else.
 *
 * @param failures of the tree's remarks, by the index of their entry.
 * @param folder where the tree starts; absolute, ending in a slash.
 * @param device the file system that change times are trusted of.
 * @param settled changes from here on, in ms, are too young to be trusted.
 */
export function findUntouched(
  tree: RememberedTree,
  failures: Failures,
  folder: string,
  device: number,
  settled: number,
): Untouched {
  const pass = new Pass(tree, failures, device, settled, statReader(folder));
  pass.visit(folder, 0);
  return pass;
}

class Pass implements Untouched {
  readonly folders: Uint8Array;
  readonly files: Uint8Array;
  readonly counts: Int32Array;
  readonly #tree: RememberedTree;
  readonly #failures: Failures;
  readonly #device: number;
  readonly #settled: number;
  readonly #reader: StatReader;

  constructor(tree: RememberedTree, failures: Failures, device: number, settled: number, reader: StatReader) {
    this.folders = new Uint8Array(tree.folders.length / FOLDER_WIDTH);
    this.files = new Uint8Array(tree.entries.length);
    this.counts = new Int32Array(this.folders.length).fill(-1);
    this.#tree = tree;
    this.#failures = failures;
    this.#device = device;
    this.#settled = settled;
    this.#reader = reader;
  }

  /** Goes through a folder and all in it, unless it has changed: then its entries may be others. Returns its count. */
  visit(folder: string, row: number): number {
    const { entries, folders, stamps } = this.#tree;
    const at = row * FOLDER_WIDTH;
    const { fields } = this.#reader;
    if (
      !this.#reader.read(folder) ||
      folders[at] === 0 ||
      fields.ctimeMs !== folders[at] ||
      fields.ino !== folders[at + 1] ||
      fields.dev !== this.#device ||
      fields.ctimeMs >= this.#settled
    )
      return -1;
    this.folders[row] = 1;
    const end = folders[at + FOLDER_WIDTH + 2] ?? entries.length;
    let child = row + 1;
    let count = 0;
    let isWhole = true;
    for (let index = folders[at + 2]!; index < end; index++) {
      const name = entries[index]!;
      if (name.charCodeAt(name.length - 1) === SLASH) {
        const below = this.visit(folder + name, child);
        if (below < 0) isWhole = false;
        else count += below;
        child += folders[child * FOLDER_WIDTH + 3]!;
      } else if (
        this.#reader.read(folder + name) &&
        stamps[index * STAMP_WIDTH] === fields.mtimeMs &&
        stamps[index * STAMP_WIDTH + 1] === fields.size
      ) {
        this.files[index] = 1;
        if (this.#failures.has(index)) isWhole = false;
        else count++;
      } else isWhole = false;
    }
    if (!isWhole) return -1;
    this.counts[row] = count;
    return count;
  }
}

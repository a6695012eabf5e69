import { FOLDER_WIDTH, type RememberedTree, STAMP_WIDTH } from "./remembered-tree.ts";
import { type StatReader, statReader } from "./stat-reader.ts";

const SLASH = 47;

/** What of a remembered tree is as it was. */
export interface Untouched {
  /** 1 for each folder, by its row, whose entries are the same. */
  readonly folders: Uint8Array;
  /** 1 for each entry that is a file with a known outcome and the same stamp. */
  readonly files: Uint8Array;
  /** How many files there are, when all folders and all files are untouched; else `undefined`. */
  readonly count: number | undefined;
}

/**
 * Compares a remembered tree with what is there, in one tight pass: a run over an unchanged tree does little else.
 *
 * @param folder where the tree starts; absolute, ending in a slash.
 * @param device the file system that change times are trusted of.
 * @param settled changes from here on, in ms, are too young to be trusted.
 */
export function findUntouched(
  tree: RememberedTree,
  folder: string,
  device: number,
  settled: number,
): Untouched {
  const pass = new Pass(tree, device, settled, statReader(folder));
  pass.visit(folder, 0);
  return pass;
}

class Pass implements Untouched {
  readonly folders: Uint8Array;
  readonly files: Uint8Array;
  #count = 0;
  #isWhole = true;
  readonly #tree: RememberedTree;
  readonly #device: number;
  readonly #settled: number;
  readonly #reader: StatReader;

  constructor(tree: RememberedTree, device: number, settled: number, reader: StatReader) {
    this.folders = new Uint8Array(tree.folders.length / FOLDER_WIDTH);
    this.files = new Uint8Array(tree.entries.length);
    this.#tree = tree;
    this.#device = device;
    this.#settled = settled;
    this.#reader = reader;
  }

  get count(): number | undefined {
    return this.#isWhole ? this.#count : undefined;
  }

  /** Goes through a folder and all in it, unless it has changed: then its entries may be others. */
  visit(folder: string, row: number): void {
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
    ) {
      this.#isWhole = false;
      return;
    }
    this.folders[row] = 1;
    const end = folders[at + FOLDER_WIDTH + 2] ?? entries.length;
    let child = row + 1;
    for (let index = folders[at + 2]!; index < end; index++) {
      const name = entries[index]!;
      if (name.charCodeAt(name.length - 1) === SLASH) {
        this.visit(folder + name, child);
        child += folders[child * FOLDER_WIDTH + 3]!;
      } else if (
        this.#reader.read(folder + name) &&
        stamps[index * STAMP_WIDTH] === fields.mtimeMs &&
        stamps[index * STAMP_WIDTH + 1] === fields.size
      ) {
        this.files[index] = 1;
        this.#count++;
      } else this.#isWhole = false;
    }
  }
}

import { lowerBound } from "../../../util/lower-bound.ts";
import { FOLDER_WIDTH, type RememberedTree, STAMP_WIDTH } from "./remembered-tree.ts";
import { CHANGED, DEVICE, INODE, MODIFIED, milliseconds, SIZE, statReader } from "./stat-reader.ts";

const SLASH = 47;

/** How a remembered tree was compared with what is there. */
export interface Comparison {
  /** Where the tree starts; absolute, ending in a slash. */
  readonly folder: string;
  /** The file system that change times are trusted of. */
  readonly device: number;
  /** Changes from here on, in ms since 1970, are too young to be trusted. */
  readonly settled: number;
}

/** What of a remembered tree is as it was, and where. */
export class Untouched {
  readonly #tree: RememberedTree;
  /** 1 for each entry that is a folder with the same entries, or a file with a known outcome and the same stamp. */
  readonly #same: Uint8Array;
  /** The indices of all other entries, and of files that are no Python, ascending. */
  readonly #exceptions: readonly number[];

  /** Compares all entries in one tight pass: a run over an unchanged tree does little else. */
  constructor(tree: RememberedTree, comparison: Comparison) {
    this.#tree = tree;
    this.#same = insideFolder(comparison.folder, (start) => compare(tree, start, comparison));
    const exceptions = tree.remarks.failures.map(([entry]) => entry);
    for (let at = this.#same.indexOf(0); at !== -1; at = this.#same.indexOf(0, at + 1)) exceptions.push(at);
    this.#exceptions = exceptions.sort((a, b) => a - b);
  }

  /** Whether that is everything. */
  get isWhole(): boolean {
    return !this.#same.includes(0);
  }

  /** Whether the file, by its index, has the same stamp. */
  hasFile(index: number): boolean {
    return this.#same[index] === 1;
  }

  /** Whether the folder, by its row, has the same entries. */
  hasFolder(row: number): boolean {
    return this.#same[this.#tree.folders[row * FOLDER_WIDTH]!] === 1;
  }

  /** How many files are in a folder, by its row, and below, if all are untouched and no failures. */
  countOf(row: number): number | undefined {
    const { entries, folders } = this.#tree;
    if (!this.hasFolder(row)) return undefined;
    const behind = row + folders[row * FOLDER_WIDTH + 2]!;
    const first = folders[row * FOLDER_WIDTH + 1]!;
    const end = folders[behind * FOLDER_WIDTH + 1] ?? entries.length;
    const exception = this.#exceptions[lowerBound(this.#exceptions, first)];
    if (exception !== undefined && exception < end) return undefined;
    return end - first - (behind - row - 1);
  }
}

/** @param start the way to the tree's folder. */
function compare(
  { entries, stamps }: RememberedTree,
  start: string,
  { folder, device, settled }: Comparison,
): Uint8Array {
  const same = new Uint8Array(entries.length);
  const read = statReader(folder);
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!;
    const numbers = read(start + entry);
    if (numbers === undefined) continue;
    const time = stamps[index * STAMP_WIDTH]!;
    const detail = stamps[index * STAMP_WIDTH + 1]!;
    if (entry.charCodeAt(entry.length - 1) !== SLASH) {
      if (numbers[SIZE] === detail && milliseconds(numbers, MODIFIED) === time) same[index] = 1;
    } else if (
      milliseconds(numbers, CHANGED) === time &&
      numbers[INODE] === detail &&
      numbers[DEVICE] === device &&
      time !== 0 &&
      time < settled
    )
      same[index] = 1;
  }
  return same;
}

/**
 * Does something that takes the shortest paths: the system looks up each part of one, and they need not be put together.
 *
 * @param action is told the way to the folder; empty when that is the working directory for the time being.
 */
function insideFolder<Result>(folder: string, action: (start: string) => Result): Result {
  const here = process.cwd();
  if (`${here}/` === folder) return action("");
  try {
    // Nobody may be left in another folder, as one would be who may not enter this one again.
    process.chdir(here);
    process.chdir(folder);
  } catch {
    return action(folder);
  }
  try {
    return action("");
  } finally {
    process.chdir(here);
  }
}

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
    this.#same = compare(tree, comparison);
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

function compare({ entries, stamps }: RememberedTree, { folder, device, settled }: Comparison): Uint8Array {
  const same = new Uint8Array(entries.length);
  const read = statReader(folder);
  const start = fromHere(folder);
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

/** The path of a folder as it is shortest from the working directory on down: the system looks up each of its parts. */
function fromHere(folder: string): string {
  const here = `${process.cwd()}/`;
  return folder.startsWith(here) ? folder.slice(here.length) : folder;
}

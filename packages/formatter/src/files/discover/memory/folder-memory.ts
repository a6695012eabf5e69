import { type Stats, statSync } from "node:fs";
import type { Stored } from "../../cache/stored.ts";
import { IGNORE_FILE } from "../ignore-file.ts";
import { FOLDER_WIDTH, type RememberedFolders, rememberedFrom } from "./remembered.ts";
import { hasSteadyTimes } from "./steady-file-systems.ts";

/** A change younger than this, in ms, may be followed by one with the same time: clocks of file systems are coarse. */
const SETTLING = 3000;

/** A folder that is not remembered. */
export const UNKNOWN = -1;

/** A folder that the search is in. */
interface OpenFolder {
  readonly row: number;
  readonly known: number;
}

/**
 * What earlier searches by the same rules found in each folder: one that has the same change time and inode has the
 * same entries and need not be read. When an ignore file has changed, nothing is remembered.
 */
export class FolderMemory {
  readonly #stored: Stored;
  readonly #device: number;
  readonly #settled = Date.now() - SETTLING;
  readonly #known: RememberedFolders;
  readonly #ignoreFiles: Map<string, number>;
  /** For each folder of this search: its entries, or its row in what is known. */
  readonly #entries: (string[] | number)[] = [];
  /** Columns as in what is known, but for the index of the first entry. */
  readonly #folders: number[] = [];
  readonly #open: OpenFolder[] = [];
  #isChanged = false;

  private constructor(stored: Stored, device: number) {
    this.#stored = stored;
    this.#device = device;
    const known = rememberedFrom(stored.read());
    const isValid = known.ignoreFiles.every(([path, changed]) => changed === this.#changeOfIgnoreFile(path));
    this.#known = isValid ? known : rememberedFrom(undefined);
    this.#ignoreFiles = new Map(this.#known.ignoreFiles);
  }

  /** The memory of searches from a folder; `undefined` where change times are not known to be reliable. */
  static from(folder: string, stored: Stored): FolderMemory | undefined {
    const stats = statOf(folder);
    if (stats === undefined || !hasSteadyTimes(folder)) return undefined;
    return new FolderMemory(stored, stats.dev);
  }

  /** The row of the folder where the search starts. */
  get start(): number {
    return this.#known.folders.length > 0 ? 0 : UNKNOWN;
  }

  /** Begins a folder; whether what is known of it still holds. */
  enter(folder: string, known: number): boolean {
    const stats = statOf(folder);
    const changed = stats !== undefined && stats.dev === this.#device ? this.#settledChange(stats) : 0;
    const isSame = known !== UNKNOWN && changed !== 0 && this.#hasStamp(known, changed, stats!.ino);
    this.#open.push({ row: this.#entries.length, known });
    this.#folders.push(changed, stats?.ino ?? 0, 0, 1);
    this.#entries.push(isSame ? known : []);
    return isSame;
  }

  /** Notes an entry of a folder that is being read. */
  add(name: string): void {
    (this.#entries[this.#open.at(-1)!.row] as string[]).push(name);
  }

  /** The folder has to be read again next time, too: what one of its links leads to changes without it. */
  distrust(): void {
    this.#folders[this.#open.at(-1)!.row * FOLDER_WIDTH] = 0;
  }

  /** Ends the folder begun last. */
  leave(): void {
    const { row, known } = this.#open.pop()!;
    this.#folders[row * FOLDER_WIDTH + 3] = this.#entries.length - row;
    const entries = this.#entries[row]!;
    if (typeof entries === "number" || this.#isChanged) return;
    const [changed = 0, inode = 0] = this.#folders.slice(row * FOLDER_WIDTH);
    this.#isChanged =
      known === UNKNOWN ||
      !this.#hasStamp(known, changed, inode) ||
      entries.join("/") !==
        this.#known.entries.slice(this.firstEntry(known), this.firstEntry(known + 1)).join("/");
  }

  /** Notes an ignore file, be it there or not; returns whether it was known before. */
  noteIgnoreFile(path: string): boolean {
    if (this.#ignoreFiles.has(path)) return true;
    this.#ignoreFiles.set(path, this.#changeOfIgnoreFile(path));
    this.#isChanged = true;
    return false;
  }

  /** Whether the folder, whose path ends in a slash, has an ignore file of its own. */
  hasIgnoreFile(folder: string): boolean {
    return this.#ignoreFiles.size > 0 && (this.#ignoreFiles.get(folder + IGNORE_FILE) ?? 0) !== 0;
  }

  /** Where the entries of a known folder begin; they end where the next one's begin. */
  firstEntry(row: number): number {
    return this.#known.folders[row * FOLDER_WIDTH + 2] ?? this.#known.entries.length;
  }

  entry(index: number): string {
    return this.#known.entries[index]!;
  }

  /** The row behind a known folder and all in it. */
  behind(row: number): number {
    return row + this.#known.folders[row * FOLDER_WIDTH + 3]!;
  }

  /** The known folders in a known folder by their names, each with a slash. */
  childrenOf(row: number): ReadonlyMap<string, number> {
    const children = new Map<string, number>();
    if (row === UNKNOWN) return children;
    let child = row + 1;
    for (let index = this.firstEntry(row); index < this.firstEntry(row + 1); index++) {
      if (!this.entry(index).endsWith("/")) continue;
      children.set(this.entry(index), child);
      child = this.behind(child);
    }
    return children;
  }

  /** Stores what this search has found, if that is new. */
  save(): void {
    if (!this.#isChanged) return;
    const entries: string[] = [];
    this.#entries.forEach((own, row) => {
      this.#folders[row * FOLDER_WIDTH + 2] = entries.length;
      const names =
        typeof own === "number"
          ? this.#known.entries.slice(this.firstEntry(own), this.firstEntry(own + 1))
          : own;
      for (const name of names) entries.push(name);
    });
    const contents: RememberedFolders = {
      entries,
      folders: this.#folders,
      ignoreFiles: [...this.#ignoreFiles],
    };
    this.#stored.write(contents);
  }

  #hasStamp(row: number, changed: number, inode: number): boolean {
    const { folders } = this.#known;
    return folders[row * FOLDER_WIDTH] === changed && folders[row * FOLDER_WIDTH + 1] === inode;
  }

  /** The change time, or 0 when it is too young to be trusted. */
  #settledChange(stats: Stats): number {
    return stats.ctimeMs < this.#settled ? stats.ctimeMs : 0;
  }

  /** 0 when there is none; what equals nothing, itself included, when its time is too young. */
  #changeOfIgnoreFile(path: string): number {
    const stats = statOf(path);
    return stats === undefined ? 0 : this.#settledChange(stats) || Number.NaN;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

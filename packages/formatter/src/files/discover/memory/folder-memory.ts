import type { Stats } from "node:fs";
import { statPath } from "../../../mode/config/stat-path.ts";
import type { FileStamp, KnownFailure, Outcome } from "../../cache/file-record.ts";
import type { Stored } from "../../cache/stored.ts";
import {
  decodeTree,
  emptyTree,
  encodeTree,
  FOLDER_WIDTH,
  type RememberedTree,
  STAMP_WIDTH,
} from "./remembered-tree.ts";
import { hasSteadyTimes } from "./steady-file-systems.ts";
import { TreeBuilder } from "./tree-builder.ts";
import { Untouched } from "./untouched.ts";

/** A change younger than this, in ms, may be followed by one with the same time: clocks of file systems are coarse. */
const SETTLING = 3000;

/** A folder or entry that is not remembered. */
export const UNKNOWN = -1;

const nothing: ReadonlyMap<string, number> = new Map();

/** A folder that is being read. */
export interface ReadFolder {
  /** 0 when it is not to be trusted. */
  changed: number;
  readonly inode: number;
  /** What is found in it. */
  readonly names: string[];
  /** What was in it before, by name: rows of folders, indices of files. */
  readonly known: ReadonlyMap<string, number>;
}

/**
 * What earlier searches by the same rules found in each folder, and what became of the files: a folder that has the
 * same change time and inode has the same entries and need not be read. When an ignore file has changed, nothing is
 * remembered.
 */
export class FolderMemory {
  readonly #folder: string;
  readonly #stored: Stored;
  readonly #device: number;
  /** Whether change times of folders tell all about their entries. */
  readonly #isSteady: boolean;
  readonly #settled = Date.now() - SETTLING;
  readonly #known: RememberedTree;
  readonly #untouched: Untouched | undefined;
  readonly #failures: ReadonlyMap<number, KnownFailure>;
  readonly #ignoreFiles: Map<string, number>;
  /** Folders with an ignore file of their own, each with a slash. */
  readonly #scopes: Set<string>;
  /** The folders of this search, each before those in it: unchanged ones by their row in what is known. */
  readonly #folders: (ReadFolder | number)[] = [];
  /** What became of files in this run, by folder and name. */
  readonly #fresh = new Map<string, Map<string, FileStamp>>();
  #isChanged = false;

  /** @param folder where searches start; absolute, ending in a slash. */
  constructor(folder: string, stored: Stored) {
    this.#folder = folder;
    this.#stored = stored;
    this.#device = statPath(folder)?.dev ?? Number.NaN;
    this.#isSteady = hasSteadyTimes(folder);
    const known = decodeTree(stored.read());
    const isValid = known.remarks.ignoreFiles.every(
      ([path, changed]) => changed === this.#changeOfIgnoreFile(path),
    );
    this.#known = isValid ? known : emptyTree;
    this.#failures = new Map(this.#known.remarks.failures);
    if (this.#isSteady && this.#known.folders.length > 0)
      this.#untouched = new Untouched(this.#known, { folder, device: this.#device, settled: this.#settled });
    this.#ignoreFiles = new Map(this.#known.remarks.ignoreFiles);
    this.#scopes = new Set(
      [...this.#ignoreFiles].filter(([, changed]) => changed !== 0).map(([path]) => folderOf(path)),
    );
  }

  /** Another one whenever something else is remembered. */
  get id(): number {
    return this.#known.id;
  }

  /** Whether everything was known when this memory was made, and is as it was. */
  get isUntouched(): boolean {
    return this.#untouched?.isWhole ?? false;
  }

  /** The row of the folder where the search starts. */
  get start(): number {
    return this.#known.folders.length > 0 ? 0 : UNKNOWN;
  }

  /** Passes over a known folder; returns how many files are in it and below, or `undefined` if it has to be entered. */
  pass(known: number): number | undefined {
    const count = known === UNKNOWN ? undefined : this.#untouched?.countOf(known);
    if (count === undefined) return undefined;
    for (let row = known; row < this.behind(known); row++) this.#folders.push(row);
    return count;
  }

  /** Begins a folder; `undefined` when what is known of it still holds. */
  enter(folder: string, known: number): ReadFolder | undefined {
    if (known !== UNKNOWN && this.#untouched?.hasFolder(known)) {
      this.#folders.push(known);
      return undefined;
    }
    const stats = statPath(folder);
    const changed = stats !== undefined && stats.dev === this.#device ? this.#settledChange(stats) : 0;
    const inode = stats?.ino ?? 0;
    if (known !== UNKNOWN && changed !== 0 && this.#hasStamp(this.#ownEntry(known), changed, inode)) {
      this.#folders.push(known);
      return undefined;
    }
    const read: ReadFolder = { changed, inode, names: [], known: this.#entriesOf(known) };
    this.#folders.push(read);
    return read;
  }

  /** Ends a folder that was read; `known` is its row. */
  leave(read: ReadFolder, known: number): void {
    this.#isChanged ||=
      known === UNKNOWN ||
      !this.#hasStamp(this.#ownEntry(known), read.changed, read.inode) ||
      read.names.join("/") !== [...this.#entriesOf(known).keys()].join("/");
  }

  /** Notes an ignore file, be it there or not; returns whether it was known before. */
  noteIgnoreFile(path: string): boolean {
    if (this.#ignoreFiles.has(path)) return true;
    this.#ignoreFiles.set(path, this.#changeOfIgnoreFile(path));
    this.#isChanged = true;
    return false;
  }

  /** Whether the unchanged folder, whose path ends in a slash, has an ignore file of its own. */
  hasIgnoreFile(folder: string): boolean {
    return this.#scopes.size > 0 && this.#scopes.has(folder);
  }

  /** Where the entries of a known folder begin; they end where the next one's begin. */
  firstEntry(row: number): number {
    return this.#known.folders[row * FOLDER_WIDTH + 1] ?? this.#known.entries.length;
  }

  /** The absolute path of an entry; a folder's ends in a slash. */
  path(index: number): string {
    return this.#folder + this.#known.entries[index]!;
  }

  /** The row behind a known folder and all in it. */
  behind(row: number): number {
    return row + this.#known.folders[row * FOLDER_WIDTH + 2]!;
  }

  /** What became of a file, by its index, that was seen to be untouched when the search began. */
  untouchedOutcome(index: number): Outcome | undefined {
    return this.#untouched?.hasFile(index) ? this.#outcome(index) : undefined;
  }

  /** What became of a file that has not changed since, by its index. */
  outcomeOf(index: number, stats: FileStamp): Outcome | undefined {
    const isSame = this.#hasStamp(index, stats.mtimeMs, stats.size);
    return isSame ? this.#outcome(index) : undefined;
  }

  #outcome(index: number): Outcome {
    return this.#failures.size === 0 ? "formatted" : (this.#failures.get(index) ?? "formatted");
  }

  /** Remembers what became of a file by its absolute path; one that this search has not found is left out. */
  add(path: string, stamp: FileStamp): void {
    if (!path.startsWith(this.#folder)) return;
    const folder = folderOf(path);
    const files = this.#fresh.get(folder) ?? new Map<string, FileStamp>();
    this.#fresh.set(folder, files.set(path.slice(folder.length), stamp));
    this.#isChanged = true;
  }

  /** Stores what this search has found and what became of it, if that is new. */
  save(): void {
    if (!this.#isChanged || this.#folders.length === 0) return;
    const builder = new TreeBuilder(this.#known, this.#folders, this.#fresh);
    this.#stored.write(...encodeTree(builder.build(this.#folder, [...this.#ignoreFiles])));
  }

  /** The entries of a known folder by their names: a folder's row, a file's index. */
  #entriesOf(row: number): ReadonlyMap<string, number> {
    if (row === UNKNOWN) return nothing;
    const entries = new Map<string, number>();
    const { length } = row === 0 ? "" : this.#known.entries[this.#ownEntry(row)]!;
    let child = row + 1;
    for (let index = this.firstEntry(row); index < this.firstEntry(row + 1); index++) {
      const name = this.#known.entries[index]!.slice(length);
      const isFolder = name.endsWith("/");
      entries.set(name, isFolder ? child : index);
      if (isFolder) child = this.behind(child);
    }
    return entries;
  }

  #ownEntry(row: number): number {
    return this.#known.folders[row * FOLDER_WIDTH]!;
  }

  #hasStamp(entry: number, time: number, detail: number): boolean {
    const { stamps } = this.#known;
    return stamps[entry * STAMP_WIDTH] === time && stamps[entry * STAMP_WIDTH + 1] === detail;
  }

  /** The change time, or 0 when it is too young to be trusted. */
  #settledChange(stats: Stats): number {
    return this.#isSteady && stats.ctimeMs < this.#settled ? stats.ctimeMs : 0;
  }

  /** 0 when there is none or none is relied on; what equals nothing, itself included, when its time is too young. */
  #changeOfIgnoreFile(path: string): number {
    const stats = this.#isSteady ? statPath(path) : undefined;
    return stats === undefined ? 0 : this.#settledChange(stats) || Number.NaN;
  }
}

/** The path up to its last slash, that included. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

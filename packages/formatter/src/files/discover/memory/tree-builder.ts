import type { FileStamp, KnownFailure } from "../../cache/file-record.ts";
import type { ReadFolder } from "./folder-memory.ts";
import {
  FOLDER_WIDTH,
  type Remarks,
  type RememberedTree,
  STAMP_WIDTH,
  START,
  type TreeContents,
} from "./remembered-tree.ts";

/** Puts together what the next search is to know: what this one knew, has read, and what became of the files. */
export class TreeBuilder {
  readonly #known: RememberedTree;
  readonly #knownFailures: ReadonlyMap<number, KnownFailure>;
  readonly #searched: readonly (ReadFolder | number)[];
  readonly #fresh: ReadonlyMap<string, ReadonlyMap<string, FileStamp>>;
  readonly #entries: string[] = [];
  readonly #folders: number[] = [];
  readonly #stamps: number[] = [];
  readonly #failures: [number, KnownFailure][] = [];

  /**
   * @param searched folders of the search, each before those in it: as they were read, or their rows in `known`.
   * @param fresh what became of files, by folder and name.
   */
  constructor(
    known: RememberedTree,
    searched: readonly (ReadFolder | number)[],
    fresh: ReadonlyMap<string, ReadonlyMap<string, FileStamp>>,
  ) {
    this.#known = known;
    this.#knownFailures = new Map(known.remarks.failures);
    this.#searched = searched;
    this.#fresh = fresh;
  }

  /** @param start absolute path of the first folder, ending in a slash. */
  build(start: string, ignoreFiles: Remarks["ignoreFiles"]): TreeContents {
    this.#entries.push(START);
    this.#stamps.push(Number.NaN, Number.NaN);
    this.#addFolder(0, start, "");
    return {
      entries: this.#entries,
      folders: Float64Array.from(this.#folders),
      stamps: Float64Array.from(this.#stamps),
      remarks: { failures: this.#failures, ignoreFiles },
    };
  }

  /**
   * @param own the folder's entry.
   * @param absolute its path, ending in a slash.
   * @param path the same from the tree's start.
   */
  #addFolder(own: number, absolute: string, path: string): void {
    const at = this.#folders.length;
    const searched = this.#searched[at / FOLDER_WIDTH]!;
    const first = this.#entries.length;
    this.#folders.push(own, first, 1);
    if (typeof searched === "number") this.#repeatFolder(searched, own, absolute, path);
    else {
      this.#setStamp(own, searched.changed, searched.inode);
      for (const name of searched.names) this.#addEntry(name, absolute, path, searched.known.get(name));
    }
    const end = this.#entries.length;
    for (let index = first; index < end; index++) {
      const entry = this.#entries[index]!;
      if (entry.endsWith("/")) this.#addFolder(index, absolute + entry.slice(path.length), entry);
    }
    this.#folders[at + 2] = (this.#folders.length - at) / FOLDER_WIDTH;
  }

  #repeatFolder(row: number, own: number, absolute: string, path: string): void {
    const { folders, entries, stamps } = this.#known;
    const at = row * FOLDER_WIDTH;
    const known = folders[at]! * STAMP_WIDTH;
    this.#setStamp(own, stamps[known]!, stamps[known + 1]!);
    const end = folders[at + FOLDER_WIDTH + 1] ?? entries.length;
    for (let index = folders[at + 1]!; index < end; index++)
      this.#addEntry(entries[index]!.slice(path.length), absolute, path, index);
  }

  #setStamp(entry: number, time: number, detail: number): void {
    this.#stamps[entry * STAMP_WIDTH] = time;
    this.#stamps[entry * STAMP_WIDTH + 1] = detail;
  }

  /** @param known the entry's index in what is known; for a folder whatever it is. */
  #addEntry(name: string, folder: string, path: string, known: number | undefined): void {
    const index = this.#entries.push(path + name) - 1;
    const fresh = this.#fresh.get(folder)?.get(name);
    if (name.endsWith("/") || (fresh ?? known) === undefined) this.#stamps.push(Number.NaN, Number.NaN);
    else if (fresh !== undefined) this.#stamps.push(fresh.mtimeMs, fresh.size);
    else {
      const { stamps } = this.#known;
      this.#stamps.push(stamps[known! * STAMP_WIDTH]!, stamps[known! * STAMP_WIDTH + 1]!);
    }
    const failure = fresh === undefined ? this.#knownFailures.get(known ?? -1) : fresh.failure;
    if (failure !== undefined && !name.endsWith("/")) this.#failures.push([index, failure]);
  }
}

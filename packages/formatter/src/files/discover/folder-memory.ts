import { statPath } from "../../mode/config/stat-path.ts";
import { isOff } from "../../util/speed-paths.ts";
import type { Stored } from "../cache/stored.ts";
import { hasSteadyTimes } from "./steady-file-systems.ts";

/** A change younger than this, in ms, may be followed by one with the same time: clocks of file systems are coarse. */
const SETTLING = 3000;

/** A folder as a search has found it. */
export interface FolderState {
  /** Change time in ms since 1970; 0 when it is not to be trusted. */
  changed: number;
  readonly inode: number;
}

/** What a search has found in a folder, as it is stored; the name ends in a slash. */
export type KnownFolder = [name: string, changed: number, inode: number, entries: (string | KnownFolder)[]];

/** An ignore file and its change time; 0 when it was not there. */
type IgnoreFile = [path: string, changed: number];

interface Contents {
  readonly ignoreFiles: readonly IgnoreFile[];
  readonly start: KnownFolder | undefined;
}

const nothing: Contents = { ignoreFiles: [], start: undefined };

/**
 * What the last search by the same rules found in each folder: one with the same change time and inode has the same
 * entries and need not be read. When an ignore file has changed, nothing is remembered.
 */
export class FolderMemory {
  readonly #stored: Stored;
  readonly #device: number;
  /** Whether change times of folders tell all about their entries. */
  readonly #isSteady: boolean;
  readonly #settled = Date.now() - SETTLING;
  readonly #ignoreFiles: Map<string, number>;
  /** Folders with an ignore file of their own, each with a slash. */
  readonly #scopes: ReadonlySet<string>;
  /** Where the search starts; what it finds takes the place of what was known, folder by folder. */
  start: KnownFolder | undefined;
  #isChanged = false;

  /** @param folder where searches start; absolute, ending in a slash. */
  constructor(folder: string, stored: Stored) {
    this.#stored = stored;
    this.#device = statPath(folder)?.dev ?? Number.NaN;
    this.#isSteady = hasSteadyTimes(folder) && !isOff("folder-memory");
    const stores = this.#isSteady ? contentsFrom(stored.read()?.contents) : nothing;
    const isValid = stores.ignoreFiles.every(([path, changed]) => changed === this.#changeOfIgnoreFile(path));
    const { ignoreFiles, start } = isValid ? stores : nothing;
    this.#ignoreFiles = new Map(ignoreFiles);
    this.#scopes = new Set(
      ignoreFiles
        .filter(([, changed]) => changed !== 0)
        .map(([path]) => path.slice(0, path.lastIndexOf("/") + 1)),
    );
    this.start = start;
  }

  /** The folder as it is now, to be asked before it is read. */
  stateOf(folder: string): FolderState {
    const stats = this.#isSteady ? statPath(folder) : undefined;
    const isTrusted = stats !== undefined && stats.dev === this.#device && stats.ctimeMs < this.#settled;
    return { changed: isTrusted ? stats.ctimeMs : 0, inode: stats?.ino ?? 0 };
  }

  /** Notes that a folder was read. */
  noteRead(): void {
    this.#isChanged = true;
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

  /** Stores what this search has found. */
  save(): void {
    if (!this.#isChanged || !this.#isSteady) return;
    this.#stored.write({ ignoreFiles: [...this.#ignoreFiles], start: this.start });
  }

  /** What equals nothing, itself included, when its time is too young. */
  #changeOfIgnoreFile(path: string): number {
    const stats = this.#isSteady ? statPath(path) : undefined;
    if (stats === undefined) return 0;
    return stats.ctimeMs < this.#settled ? stats.ctimeMs : Number.NaN;
  }
}

/** Nothing where it is damaged. */
function contentsFrom(stored: unknown): Contents {
  const { ignoreFiles, start } = (stored ?? {}) as Partial<Contents>;
  const isWhole =
    Array.isArray(ignoreFiles) &&
    ignoreFiles.every((file): boolean => Array.isArray(file)) &&
    isFolder(start);
  return isWhole ? { ignoreFiles, start } : nothing;
}

function isFolder(stored: unknown): stored is KnownFolder {
  return (
    Array.isArray(stored) &&
    Array.isArray(stored[3]) &&
    stored[3].every((entry): boolean => typeof entry === "string" || isFolder(entry))
  );
}

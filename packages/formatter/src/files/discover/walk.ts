import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { statPath } from "../../mode/config/stat-path.ts";
import type { Outcome } from "../cache/file-record.ts";
import { describeOsError, osErrorCode } from "../os-error.ts";
import { DiscoveryError } from "./discovery-error.ts";
import { isExcluded } from "./exclusion.ts";
import { IGNORE_FILE, IgnoreScope, isIgnored } from "./ignore-file.ts";
import { type FolderMemory, type ReadFolder, UNKNOWN } from "./memory/folder-memory.ts";

/** What decides over the files of a recursive search. */
export interface WalkRules {
  /** Absolute path of the project root; expressions see paths relative to it with a slash in front. */
  readonly root: string;
  readonly include: RegExp;
  readonly exclude: RegExp;
  readonly extendExclude: RegExp | undefined;
  readonly forceExclude: RegExp | undefined;
  readonly usesIgnoreFiles: boolean;
}

/** Who hears of each file that is found or left out. */
export interface WalkListener {
  /**
   * @param stats if it had to be looked at again.
   * @param known what became of it before, when the memory knows it and it has not changed.
   */
  found(path: string, stats: Stats | undefined, known: Outcome | undefined): void;
  ignored(path: string, reason: string): void;
  /** Takes the place of `found` where nobody wants the names of well formatted files that the memory knows. */
  unchanged?: ((count: number) => void) | undefined;
}

/** Finds the Python files below a folder, in order of their names (Black: `gen_python_files`). */
export class Walk {
  readonly #rules: WalkRules;
  readonly #listener: WalkListener;
  readonly #memory: FolderMemory | undefined;
  readonly #rootLength: number;

  /** @param memory of walks by the same rules; what it knows to be ignored is not reported. */
  constructor(rules: WalkRules, listener: WalkListener, memory?: FolderMemory) {
    this.#rules = rules;
    this.#listener = listener;
    this.#memory = memory;
    this.#rootLength = rules.root.endsWith("/") ? rules.root.length - 1 : rules.root.length;
  }

  /**
   * @param folder absolute, ending in a slash.
   * @param outer rules of the folders above.
   * @param known the folder's row in the memory.
   * @throws {DiscoveryError} when a folder or link cannot be read.
   */
  visit(folder: string, outer: IgnoreScope | undefined, known: number = UNKNOWN): void {
    const memory = this.#memory;
    const { unchanged } = this.#listener;
    const count = unchanged && memory?.pass(known);
    if (unchanged !== undefined && count !== undefined) {
      unchanged(count);
      return;
    }
    const notes = memory?.enter(folder, known);
    if (memory !== undefined && notes === undefined) this.#repeat(folder, outer, known, memory);
    else this.#read(folder, outer, notes);
    if (notes !== undefined) memory?.leave(notes, known);
  }

  /** Goes through an unchanged folder. */
  #repeat(folder: string, outer: IgnoreScope | undefined, row: number, memory: FolderMemory): void {
    const scope = memory.hasIgnoreFile(folder) ? new IgnoreScope(folder, outer) : outer;
    let child = row + 1;
    const end = memory.firstEntry(row + 1);
    for (let index = memory.firstEntry(row); index < end; index++) {
      const path = memory.path(index);
      if (path.endsWith("/")) {
        this.visit(path, scope, child);
        child = memory.behind(child);
      } else this.#look(path, index);
    }
  }

  #look(path: string, index: number): void {
    const untouched = this.#memory?.untouchedOutcome(index);
    const stats = untouched === undefined ? statPath(path) : undefined;
    const known = untouched ?? (stats && this.#memory?.outcomeOf(index, stats));
    if (known === "formatted" && this.#listener.unchanged !== undefined) this.#listener.unchanged(1);
    else this.#listener.found(path, stats, known);
  }

  /** @param notes where the memory takes down what is in the folder. */
  #read(folder: string, outer: IgnoreScope | undefined, notes: ReadFolder | undefined): void {
    const entries = readFolder(folder);
    const hasOwnRules = this.#rules.usesIgnoreFiles && entries.some(({ name }) => name === IGNORE_FILE);
    const isNewRule = hasOwnRules && this.#memory?.noteIgnoreFile(`${folder}${IGNORE_FILE}`) === false;
    const scope = hasOwnRules ? new IgnoreScope(folder, outer) : outer;
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      const kind = kindOf(entry, path);
      // What a link leads to changes without its folder, which has to be read again next time.
      if (notes !== undefined && entry.isSymbolicLink()) notes.changed = 0;
      const reason = this.#reasonAgainst(entry, path, kind === "folder", folder, scope);
      if (reason !== undefined) this.#listener.ignored(path, reason);
      else if (kind === "folder") {
        const name = `${entry.name}/`;
        notes?.names.push(name);
        this.visit(`${path}/`, scope, isNewRule ? UNKNOWN : notes?.known.get(name));
      } else if (kind === "file" && this.#rules.include.test(path.slice(this.#rootLength))) {
        notes?.names.push(entry.name);
        this.#look(path, notes?.known.get(entry.name) ?? UNKNOWN);
      }
    }
  }

  /** Why an entry is left out. */
  #reasonAgainst(
    entry: Dirent,
    path: string,
    isFolder: boolean,
    folder: string,
    scope: IgnoreScope | undefined,
  ): string | undefined {
    const withSlash = isFolder ? `${path}/` : path;
    if (scope !== undefined && isIgnored(withSlash, scope.rules)) return "matches a .gitignore file content";
    const exclusion = exclusionOf(withSlash.slice(this.#rootLength), this.#rules);
    if (exclusion !== undefined || !entry.isSymbolicLink()) return exclusion;
    return problemOfLink(path, folder, isFolder, this.#rules.root);
  }
}

function exclusionOf(path: string, rules: WalkRules): string | undefined {
  if (isExcluded(path, rules.exclude)) return "matches the --exclude regular expression";
  if (isExcluded(path, rules.extendExclude)) return "matches the --extend-exclude regular expression";
  if (isExcluded(path, rules.forceExclude)) return "matches the --force-exclude regular expression";
  return undefined;
}

function readFolder(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    throw new DiscoveryError(
      `cannot read the folder: ${describeOsError(error, folder.replace(/(?<=.)\/$/, ""))}`,
    );
  }
}

function kindOf(entry: Dirent, path: string): "file" | "folder" | "other" {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (!entry.isSymbolicLink()) return "other";
  try {
    const target = statSync(path);
    return target.isDirectory() ? "folder" : target.isFile() ? "file" : "other";
  } catch {
    return "other";
  }
}

/** Why a link is not followed. A link to a folder around itself would be walked for ever. */
function problemOfLink(path: string, folder: string, isFolder: boolean, root: string): string | undefined {
  let target: string;
  try {
    target = realpathSync.native(path);
  } catch (error) {
    if (osErrorCode(error) === "ELOOP") throw new DiscoveryError(`Symlink loop from '${path}'`);
    return undefined;
  }
  if (!isWithin(target, root)) return `is a symbolic link that points outside ${root}`;
  if (isFolder && isWithin(realpathSync.native(folder), target))
    return "is a symbolic link to a folder that holds it";
  return undefined;
}

/** Whether the path is the folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

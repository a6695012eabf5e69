import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { describeOsError, osErrorCode } from "../os-error.ts";
import { DiscoveryError } from "./discovery-error.ts";
import { isExcluded } from "./exclusion.ts";
import { IGNORE_FILE, IgnoreScope, isIgnored } from "./ignore-file.ts";
import { type FolderMemory, UNKNOWN } from "./memory/folder-memory.ts";

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
  found(path: string): void;
  ignored(path: string, reason: string): void;
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
    if (this.#memory?.enter(folder, known) === true) this.#repeat(folder, outer, known, this.#memory);
    else this.#read(folder, outer, known);
    this.#memory?.leave();
  }

  /** Goes through an unchanged folder. */
  #repeat(folder: string, outer: IgnoreScope | undefined, row: number, memory: FolderMemory): void {
    const scope = memory.hasIgnoreFile(folder) ? new IgnoreScope(folder, outer) : outer;
    let child = row + 1;
    const end = memory.firstEntry(row + 1);
    for (let index = memory.firstEntry(row); index < end; index++) {
      const name = memory.entry(index);
      if (name.endsWith("/")) {
        this.visit(folder + name, scope, child);
        child = memory.behind(child);
      } else this.#listener.found(folder + name);
    }
  }

  #read(folder: string, outer: IgnoreScope | undefined, row: number): void {
    const memory = this.#memory;
    const entries = readFolder(folder);
    const hasOwnRules = this.#rules.usesIgnoreFiles && entries.some(({ name }) => name === IGNORE_FILE);
    const isNewRule = hasOwnRules && memory?.noteIgnoreFile(`${folder}${IGNORE_FILE}`) === false;
    const scope = hasOwnRules ? new IgnoreScope(folder, outer) : outer;
    const children = memory?.childrenOf(isNewRule ? UNKNOWN : row);
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      const kind = kindOf(entry, path);
      if (entry.isSymbolicLink()) memory?.distrust();
      const reason = this.#reasonAgainst(entry, path, kind === "folder", folder, scope);
      if (reason !== undefined) this.#listener.ignored(path, reason);
      else if (kind === "folder") {
        const name = `${entry.name}/`;
        memory?.add(name);
        this.visit(`${path}/`, scope, children?.get(name));
      } else if (kind === "file" && this.#rules.include.test(path.slice(this.#rootLength))) {
        memory?.add(entry.name);
        this.#listener.found(path);
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

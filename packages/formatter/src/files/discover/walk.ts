import { type Dirent, readdirSync, statSync } from "node:fs";
import { RealPaths, realPath } from "../../mode/config/real-paths.ts";
import { describeOsError, osErrorCode } from "../os-error.ts";
import { DiscoveryError } from "./discovery-error.ts";
import { isExcluded } from "./exclusion.ts";
import type { FolderMemory, KnownFolder } from "./folder-memory.ts";
import { IGNORE_FILE, IgnoreScope, isIgnored } from "./ignore-file.ts";

const SLASH = 0x2f;

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
   * @throws {DiscoveryError} when a folder or link cannot be read.
   */
  start(folder: string, outer: IgnoreScope | undefined): void {
    const start = this.#visit(folder, "", outer, this.#memory?.start);
    if (this.#memory !== undefined) this.#memory.start = start;
  }

  /** Goes through a folder; returns what is known of it then. */
  #visit(
    folder: string,
    name: string,
    outer: IgnoreScope | undefined,
    known: KnownFolder | undefined,
  ): KnownFolder {
    const state = this.#memory?.stateOf(folder) ?? { changed: 0, inode: 0 };
    if (
      known !== undefined &&
      state.changed !== 0 &&
      known[1] === state.changed &&
      known[2] === state.inode
    ) {
      this.#repeat(folder, outer, known[3]);
      return known;
    }
    this.#memory?.noteRead();
    const entries = this.#read(folder, outer, known?.[3] ?? [], () => {
      state.changed = 0;
    });
    return [name, state.changed, state.inode, entries];
  }

  /** Goes through an unchanged folder. */
  #repeat(folder: string, outer: IgnoreScope | undefined, entries: (string | KnownFolder)[]): void {
    const scope = this.#memory?.hasIgnoreFile(folder) ? new IgnoreScope(folder, outer) : outer;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index]!;
      if (typeof entry === "string") this.#listener.found(folder + entry);
      else entries[index] = this.#visit(folder + entry[0], entry[0], scope, entry);
    }
  }

  /**
   * @param known what was in the folder before.
   * @param distrust called when the folder's change time does not tell of all changes.
   * @returns what is in it now.
   */
  #read(
    folder: string,
    outer: IgnoreScope | undefined,
    known: readonly (string | KnownFolder)[],
    distrust: () => void,
  ): (string | KnownFolder)[] {
    const entries = readFolder(folder);
    const hasOwnRules = this.#rules.usesIgnoreFiles && entries.some(({ name }) => name === IGNORE_FILE);
    const isNewRule = hasOwnRules && this.#memory?.noteIgnoreFile(`${folder}${IGNORE_FILE}`) === false;
    const scope = hasOwnRules ? new IgnoreScope(folder, outer) : outer;
    // A new rule holds for all folders below.
    const folders = isNewRule ? [] : known.filter((entry) => typeof entry !== "string");
    const byName = new Map(folders.map((entry) => [entry[0], entry]));
    const found: (string | KnownFolder)[] = [];
    for (const entry of entries) {
      const path = `${folder}${entry.name}`;
      const kind = kindOf(entry, path);
      // What a link leads to changes without its folder, which has to be read again next time.
      if (entry.isSymbolicLink()) distrust();
      const reason = this.#reasonAgainst(entry, path, kind === "folder", folder, scope);
      if (reason !== undefined) this.#listener.ignored(path, reason);
      else if (kind === "folder") {
        const name = `${entry.name}/`;
        found.push(this.#visit(`${path}/`, name, scope, byName.get(name)));
      } else if (kind === "file" && this.#rules.include.test(path.slice(this.#rootLength))) {
        found.push(entry.name);
        this.#listener.found(path);
      }
    }
    return found;
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
    target = realPath(path);
  } catch (error) {
    if (osErrorCode(error) === "ELOOP") throw new DiscoveryError(`Symlink loop from '${path}'`);
    target = new RealPaths().leniently(path);
  }
  if (!isWithin(target, root)) return `is a symbolic link that points outside ${root}`;
  if (isFolder && isWithin(realPath(folder), target)) return "is a symbolic link to a folder that holds it";
  return undefined;
}

/** Whether the path is the folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith("/") || path.charCodeAt(folder.length) === SLASH;
}

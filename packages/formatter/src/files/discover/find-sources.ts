import { isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { RealPaths, realPath } from "../../mode/config/real-paths.ts";
import type { Settings } from "../../mode/config/settings.ts";
import { isFile, isFolder, type PathState } from "../../mode/config/stat-path.ts";
import { defaultExclude } from "../../mode/options.ts";
import { withSlashes } from "../../util/slashes.ts";
import { describeOsError } from "../os-error.ts";
import { isExcluded } from "./exclusion.ts";
import type { FolderMemory } from "./folder-memory.ts";
import { IGNORE_FILE, IgnoreScope } from "./ignore-file.ts";
import { isWithin, Walk, type WalkRules } from "./walk.ts";

/** One input of the run. */
export interface Source {
  /** As messages show it: given paths as given, found ones absolute. */
  readonly path: string;
  readonly absolute: string;
  /** Standard input: the name it goes by if it is the only input. */
  readonly stdinName?: string | undefined;
  /** Where the search has looked at it already. */
  readonly state?: PathState | undefined;
}

/** Who hears of the search's progress. */
export interface DiscoveryListener {
  found(source: Source): void;
  ignored(path: string, reason: string): void;
  note(message: string, kind: "warning" | "error"): void;
  /** Hears of each input; only where somebody wants to know. */
  info?(message: string): void;
}

/** Gives what is remembered of searches from a folder, absolute and ending in a slash, by the same rules. */
export type RememberFolders = (folder: string, rules: readonly string[]) => FolderMemory;

/** Before the name of standard input (Black: `STDIN_PLACEHOLDER`). */
const STDIN_PLACEHOLDER = "__BLACK_STDIN_FILENAME__";

const defaultExcludePattern = new RegExp(defaultExclude);

/**
 * Turns the arguments into files: explicit ones pass only `force-exclude`, folders are searched (Black: `get_sources`).
 *
 * @param root the project root, absolute; `undefined` when the sources share none.
 * @param remember where to keep what is in a folder, for the next search by the same rules.
 * @param realPaths of the sources, as far as they are known.
 * @returns memories of the folders searched, to be saved.
 * @throws {DiscoveryError} when a folder or an ignore file cannot be read.
 */
export function findSources(
  settings: Settings,
  root: string | undefined,
  listener: DiscoveryListener,
  remember?: RememberFolders,
  realPaths: RealPaths = new RealPaths(),
): FolderMemory[] {
  const memories: FolderMemory[] = [];
  const found = settings.sources.length > 1 ? reportOnce(listener) : listener.found;
  const heard = { ...listener, found };
  for (const given of settings.sources) {
    const isNamedStdin = given === "-" && settings.stdinFilename !== undefined;
    const named = withSlashes(isNamedStdin ? settings.stdinFilename! : given);
    const path = simplify(named);
    if (isNamedStdin && isExcluded(named, settings.forceExclude)) {
      listener.ignored(path, "--stdin-filename matches the --force-exclude regular expression");
      continue;
    }
    const state = isNamedStdin ? undefined : realPaths.stat(path);
    if (isNamedStdin || isFile(state)) {
      const source = { path, absolute: absoluteOf(path), stdinName: isNamedStdin ? path : undefined, state };
      findFile(source, realPaths, settings.forceExclude, root, heard);
    } else if (isFolder(state)) {
      const memory = findInFolder(path, settings, root, heard, remember);
      if (memory !== undefined) memories.push(memory);
    } else if (given === "-") {
      listener.info?.("Found input source stdin");
      found({ path: "-", absolute: resolve("-"), stdinName: "-" });
    } else listener.note(`invalid path: ${given}`, "error");
  }
  return memories;
}

function reportOnce(listener: DiscoveryListener): DiscoveryListener["found"] {
  const reported = new Set<string>();
  return (source) => {
    if (reported.has(source.path)) return;
    reported.add(source.path);
    listener.found(source);
  };
}

/** Python's `str(Path(x))`, with slashes: no `./`, no doubled or trailing ones; `..` stays. */
function simplify(path: string): string {
  const start = sep === "/" ? startOf(path) : parse(path).root;
  const rest = path.slice(start.length);
  const isSimple = !/(?:^|\/)\.?(?:\/|$)/.test(rest);
  if (isSimple) return path;
  const parts = rest.split("/").filter((part) => part !== "" && part !== ".");
  return start + parts.join("/") || ".";
}

/** Two slashes, no more and no less, mean something to some systems, so that Python keeps them. */
function startOf(path: string): string {
  if (!path.startsWith("/")) return "";
  return /^\/\/(?!\/)/.test(path) ? "//" : "/";
}

function findFile(
  source: Source,
  realPaths: RealPaths,
  forceExclude: RegExp | undefined,
  root: string | undefined,
  listener: DiscoveryListener,
): void {
  const { path, absolute } = source;
  let target: string;
  try {
    target = source.stdinName !== undefined ? realPaths.leniently(path) : realPaths.of(path);
  } catch (error) {
    listener.ignored(path, `cannot be read because ${describeOsError(error, path)}`);
    return;
  }
  const base = root ?? realPaths.leniently(join(absolute, ".."));
  if (!isWithin(target, base)) {
    listener.ignored(path, `is a symbolic link that points outside ${base}`);
    listener.note(`Skipping invalid source: "${path}"`, "warning");
    return;
  }
  if (forceExclude !== undefined && isExcluded(`/${relativePath(path, target, base)}`, forceExclude)) {
    listener.ignored(path, "matches the --force-exclude regular expression");
    return;
  }
  const found = source.stdinName === undefined ? source : besideOthers(source);
  listener.info?.(`Found input source: "${found.path}"`);
  listener.found(found);
}

/** Python's `os.path.abspath(x)`: `..` goes, whatever links do. */
function absoluteOf(path: string): string {
  const absolute = isAbsolute(path) ? path : `${process.cwd()}/${path}`;
  // Most paths are as they should be, and there may be thousands.
  return sep === "/" && !/\/\.{0,2}(?:\/|$)/.test(absolute) ? absolute : withSlashes(resolve(path));
}

/** Beside other inputs standard input is a file like these, which hardly exists and never is the one it is named after. */
function besideOthers(source: Source): Source {
  const path = STDIN_PLACEHOLDER + source.path;
  return { path, absolute: absoluteOf(path), stdinName: source.stdinName };
}

/** The path below the root without resolving links, so that expressions see the name as it was given. */
function relativePath(path: string, target: string, root: string): string {
  const collapsed = absoluteOf(path);
  if (!isWithin(collapsed, root)) return withSlashes(relative(root, target));
  return collapsed.slice(root.endsWith("/") ? root.length : root.length + 1);
}

function findInFolder(
  path: string,
  settings: Settings,
  root: string | undefined,
  listener: DiscoveryListener,
  remember: RememberFolders | undefined,
): FolderMemory | undefined {
  const folder = realPath(path);
  const base = root ?? folder;
  listener.info?.(`Found input source directory: "${folder}"`);
  const rules: WalkRules = {
    root: base,
    include: settings.include,
    exclude: settings.exclude ?? defaultExcludePattern,
    extendExclude: settings.extendExclude,
    forceExclude: settings.forceExclude,
    usesIgnoreFiles: settings.exclude === undefined,
  };
  const start = withSlash(folder);
  const memory = remember?.(start, Object.values(rules).map(String));
  const hasOuterRules = rules.usesIgnoreFiles && base !== folder;
  const found = (path: string): void => listener.found({ path, absolute: path });
  if (hasOuterRules) memory?.noteIgnoreFile(withSlash(base) + IGNORE_FILE);
  const walk = new Walk(rules, { found, ignored: listener.ignored }, memory);
  walk.start(start, hasOuterRules ? new IgnoreScope(base, undefined) : undefined);
  return memory;
}

function withSlash(folder: string): string {
  return folder.endsWith("/") ? folder : `${folder}/`;
}

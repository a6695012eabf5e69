import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { describeOsError, osErrorCode } from "../os-error.ts";
import { DiscoveryError } from "./discovery-error.ts";
import { isExcluded } from "./exclusion.ts";
import { type IgnoreRules, isIgnored, readIgnoreFile } from "./ignore-file.ts";

/** What decides over the files of a recursive search. */
export interface WalkRules {
  /** Absolute path of the project root; expressions see paths relative to it with a slash in front. */
  readonly root: string;
  readonly include: RegExp;
  readonly exclude: RegExp;
  readonly extendExclude: RegExp | undefined;
  readonly forceExclude: RegExp | undefined;
}

/** Who hears of each file that is found or left out. */
export interface WalkListener {
  found(path: string): void;
  ignored(path: string, reason: string): void;
}

/**
 * Finds the Python files below a folder, in order of their names (Black: `gen_python_files`).
 *
 * @param ignoreRules rules of the folders from the root to this one; `undefined` when ignore files do not apply.
 * @throws {DiscoveryError} when a folder or link cannot be read.
 */
export function walk(
  folder: string,
  rules: WalkRules,
  ignoreRules: readonly IgnoreRules[] | undefined,
  listener: WalkListener,
): void {
  const prefixLength = rules.root.endsWith("/") ? rules.root.length - 1 : rules.root.length;
  for (const entry of readFolder(folder)) {
    const path = folder.endsWith("/") ? folder + entry.name : `${folder}/${entry.name}`;
    const kind = kindOf(entry, path);
    const isFolder = kind === "folder";
    const withSlash = isFolder ? `${path}/` : path;
    if (ignoreRules !== undefined && isIgnored(withSlash, ignoreRules)) {
      listener.ignored(path, "matches a .gitignore file content");
      continue;
    }
    const reason = exclusionOf(withSlash.slice(prefixLength), rules);
    if (reason !== undefined) {
      listener.ignored(path, reason);
      continue;
    }
    if (entry.isSymbolicLink()) {
      const problem = problemOfLink(path, folder, isFolder, rules.root);
      if (problem !== undefined) {
        listener.ignored(path, problem);
        continue;
      }
    }
    if (isFolder) walk(path, rules, withRulesOf(path, ignoreRules), listener);
    else if (kind === "file" && rules.include.test(path.slice(prefixLength))) listener.found(path);
  }
}

function withRulesOf(
  folder: string,
  outer: readonly IgnoreRules[] | undefined,
): readonly IgnoreRules[] | undefined {
  if (outer === undefined) return undefined;
  const own = readIgnoreFile(folder);
  return own === undefined ? outer : [...outer, own];
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
    throw new DiscoveryError(`cannot read the folder: ${describeOsError(error, folder)}`);
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PatternError } from "../../util/python-regex/pattern-error.ts";
import { pythonRepr } from "../../util/python-repr.ts";
import { describeOsError, osErrorCode } from "../os-error.ts";
import { DiscoveryError } from "./discovery-error.ts";
import { type GitPattern, translateGitPattern } from "./gitignore/git-pattern.ts";
import { GitPatterns } from "./gitignore/git-patterns.ts";

export const IGNORE_FILE = ".gitignore";

/** The rules of one folder's `.gitignore`. */
export interface IgnoreRules {
  /** Absolute path of the folder, ending in a slash. */
  readonly base: string;
  readonly matcher: GitPatterns;
}

/** Reads a folder's `.gitignore`; nothing when there is none or it is empty (Black: `get_gitignore`). */
function readIgnoreFile(folder: string): IgnoreRules[] {
  const path = join(folder, IGNORE_FILE);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes(osErrorCode(error) ?? "")) return [];
    const reason = error instanceof TypeError ? "it is not UTF-8" : describeOsError(error, path);
    throw new DiscoveryError(`Could not read ${path}: ${reason}`);
  }
  const lines = text.replace(/\r\n?/g, "\n").match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const patterns = lines.flatMap((line) => readPattern(line, path));
  if (patterns.length === 0) return [];
  return [{ base: folder.endsWith("/") ? folder : `${folder}/`, matcher: new GitPatterns(patterns) }];
}

function readPattern(line: string, path: string): GitPattern[] {
  try {
    const pattern = translateGitPattern(line);
    return pattern === undefined ? [] : [pattern];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new DiscoveryError(`Could not parse ${path}: Invalid git pattern: ${pythonRepr(line)}`);
  }
}

/** The ignore files that have a say in a folder: its own and those of the folders above. They are read when asked for. */
export class IgnoreScope {
  readonly #folder: string;
  readonly #outer: IgnoreScope | undefined;
  #rules: readonly IgnoreRules[] | undefined;

  /** @param folder absolute path of a folder with an ignore file of its own */
  constructor(folder: string, outer: IgnoreScope | undefined) {
    this.#folder = folder;
    this.#outer = outer;
  }

  /**
   * All rules, outermost first.
   *
   * @throws {DiscoveryError} when an ignore file cannot be read or holds a pattern that git does not know.
   */
  get rules(): readonly IgnoreRules[] {
    this.#rules ??= [...(this.#outer?.rules ?? []), ...readIgnoreFile(this.#folder)];
    return this.#rules;
  }
}

/** Whether one of the folders' rules, outermost first, leaves the path out; a folder's path ends in a slash. */
export function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  for (const { base, matcher } of rules) {
    if (!path.startsWith(base)) return false;
    if (matcher.ignores(path.slice(base.length))) return true;
  }
  return false;
}

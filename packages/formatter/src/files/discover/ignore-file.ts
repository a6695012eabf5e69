import { readFileSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { pythonRepr } from "../../util/python-repr.ts";
import { describeOsError, osErrorCode } from "../os-error.ts";
import { DiscoveryError } from "./discovery-error.ts";

/** The rules of one folder's `.gitignore`. */
export interface IgnoreRules {
  /** Absolute path of the folder, ending in a slash. */
  readonly base: string;
  readonly matcher: Ignore;
}

/**
 * Reads a folder's `.gitignore`; `undefined` when there is none or it is empty (Black: `get_gitignore`).
 *
 * @throws {DiscoveryError} when it cannot be read or holds a pattern that git does not know.
 */
export function readIgnoreFile(folder: string): IgnoreRules | undefined {
  const path = join(folder, ".gitignore");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes(osErrorCode(error) ?? "")) return undefined;
    throw new DiscoveryError(describeOsError(error, path));
  }
  const lines = text.replace(/^\ufeff/, "").match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const line of lines) {
    const pattern = line.trimEnd();
    if (pattern !== "/" && /^!?\/*$/.test(pattern) && pattern !== "")
      throw new DiscoveryError(`Could not parse ${path}: Invalid git pattern: ${pythonRepr(line)}`);
  }
  if (lines.every((line) => line.trim() === "" || line.startsWith("#"))) return undefined;
  const matcher = ignore({ ignorecase: false, allowRelativePaths: true }).add(
    lines.map((line) => line.replace(/\r?\n$/, "")),
  );
  return { base: folder.endsWith("/") ? folder : `${folder}/`, matcher };
}

/** Whether one of the folders' rules, outermost first, leaves the path out; a folder's path ends in a slash. */
export function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  for (const { base, matcher } of rules) {
    if (!path.startsWith(base)) return false;
    if (matcher.ignores(path.slice(base.length))) return true;
  }
  return false;
}

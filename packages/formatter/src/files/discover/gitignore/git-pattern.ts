import { PatternError } from "../../../util/python-regex/pattern-error.ts";
import { rstrip } from "../../../util/python-text.ts";
import { translateGlob } from "./translate-glob.ts";

/** One line of an ignore file. */
export interface GitPattern {
  /** Source of an expression with the flag `u`; its one group holds the slash when a folder is what matched. */
  readonly source: string;
  /** Whether what matches is ignored; not so behind a `!`. */
  readonly ignores: boolean;
}

const FOLDER = "(/)";
const FOLDER_OR_FILE = "(?:(/)|$)";
const EVERYTHING = "[^\\n]";

/**
 * Translates a line as pathspec does, from which Black has its ignore files (pathspec: `GitIgnoreSpecPattern`). It
 * differs from git: what a later `!` names comes back even when its folder is ignored.
 *
 * @param line with its line end.
 * @returns `undefined` for blank lines, comments and what git drops.
 * @throws {PatternError} for what Black refuses.
 */
export function translateGitPattern(line: string): GitPattern | undefined {
  const text = line.endsWith("\\ ") ? line : rstrip(line);
  if (text === "" || text === "/" || text.startsWith("#")) return undefined;
  const ignores = !text.startsWith("!");
  const parts = (ignores ? text : text.slice(1)).split("/");
  const isFolder = parts.at(-1) === "";
  const segments = normalizeSegments(parts);
  if (segments.length === 0) throw new PatternError("nothing to match", text);
  const source = translateWhole(segments, isFolder) ?? translateSegments(segments, isFolder);
  return source === undefined ? undefined : { source, ignores };
}

/** A name alone applies at any depth, a slash at the end to all below; a slash at the start only anchors. */
function normalizeSegments(parts: readonly string[]): string[] {
  let segments = [...parts];
  if (segments[0] === "") segments.shift();
  else if (segments.length === 1 || (segments.length === 2 && segments[1] === "")) segments.unshift("**");
  if (segments.at(-1) === "") segments[segments.length - 1] = "**";
  segments = segments.filter((segment, i) => segment !== "**" || segments[i - 1] !== "**");
  return segments;
}

/** Patterns such as `*` that match whatever there is. */
function translateWhole(segments: readonly string[], isFolder: boolean): string | undefined {
  const text = segments.join("/");
  if (text === "**") return isFolder ? FOLDER : EVERYTHING;
  if (text === "**/*") return EVERYTHING;
  if (text === "**/*/**") return isFolder ? FOLDER : "/";
  return undefined;
}

function translateSegments(segments: readonly string[], isFolder: boolean): string | undefined {
  let source = "^";
  let needsSlash = false;
  const badRanges: PatternError[] = [];
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1;
    if (segment === "**") {
      if (i === 0) source += "(?:[^\\n]+/)?";
      else if (isLast) source += isFolder ? FOLDER : "/";
      else source += "(?:/[^\\n]+)?";
      needsSlash = i > 0;
      continue;
    }
    const glob = segment === "*" ? "[^/]+" : translateGlob(segment, badRanges);
    if (glob === undefined) return undefined;
    source += (needsSlash ? "/" : "") + glob + (isLast ? FOLDER_OR_FILE : "");
    needsSlash = true;
  }
  if (badRanges[0] !== undefined) throw badRanges[0];
  return source;
}

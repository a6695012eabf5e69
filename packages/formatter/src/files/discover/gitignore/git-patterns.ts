import type { GitPattern } from "./git-pattern.ts";

/** The patterns of one ignore file (pathspec: `GitIgnoreSpec`). */
export class GitPatterns {
  readonly #patterns: readonly { readonly regex: RegExp; readonly ignores: boolean }[];
  /** All that ignore in one: most paths match none of them. */
  readonly #anyIgnoring: RegExp;

  constructor(patterns: readonly GitPattern[]) {
    this.#patterns = patterns
      .map(({ source, ignores }) => ({ regex: new RegExp(source, "u"), ignores }))
      .reverse();
    const ignoring = patterns.filter((pattern) => pattern.ignores).map(({ source }) => `(?:${source})`);
    this.#anyIgnoring = new RegExp(ignoring.length === 0 ? "[]" : ignoring.join("|"), "u");
  }

  /**
   * Whether the path is left out: the last pattern that matches it decides, and one that matches the path itself
   * before one that matches a folder above it.
   *
   * @param path below the ignore file's folder; a folder's own ends in a slash.
   */
  ignores(path: string): boolean {
    if (!this.#anyIgnoring.test(path)) return false;
    let byFolder: boolean | undefined;
    for (const { regex, ignores } of this.#patterns) {
      const match = regex.exec(path);
      if (match === null) continue;
      if (match[1] === undefined) return ignores;
      byFolder ??= ignores;
    }
    return byFolder ?? false;
  }
}

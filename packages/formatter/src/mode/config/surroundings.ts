import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RealPaths } from "./real-paths.ts";
import { statPath } from "./stat-path.ts";
import { userFiles } from "./user-file.ts";

/** All that the settings of a run over folders may depend on besides the rest of its command line. */
export interface Surroundings {
  /** The folders as they were given. */
  readonly sources: readonly string[];
  /** The configuration file of the command line; `null` when there is none. */
  readonly config: string | null;
  /** What is around them: with the same text there are the same settings. */
  readonly text: string;
}

/** Looks around; `undefined` when there are no sources, or not all of them are folders. */
export function surroundingsOf(sources: readonly string[], config: string | null): Surroundings | undefined {
  if (sources.length === 0 || !sources.every((source) => statPath(source)?.isDirectory())) return undefined;
  const realPaths = new RealPaths();
  const starts = sources.map((source) => realPaths.leniently(source));
  const folders = new Set<string>();
  for (const start of starts)
    for (let folder = start; !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  const marks = [...folders].map((folder) => [
    existsSync(join(folder, ".git")),
    statPath(join(folder, ".hg"))?.isDirectory() ?? false,
    textAt(join(folder, "pyproject.toml")),
  ]);
  const configurations = [...userFiles(), ...(config === null ? [] : [config])].map(textAt);
  return { sources, config, text: JSON.stringify([starts, marks, configurations]) };
}

/** Whole, so that no time of change has to be trusted; `null` for what cannot be read: a run that needs it ends there. */
function textAt(path: string): string | null {
  try {
    // Mostly there is none, and an error takes a hundred times as long to make as this question.
    return statPath(path)?.isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

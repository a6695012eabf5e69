import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RealPaths } from "./real-paths.ts";
import { statPath } from "./stat-path.ts";
import type { Json } from "./text-memory.ts";
import { userFiles } from "./user-file.ts";

/** All that a run may depend on besides the rest of its command line and what is below its folders. */
export interface Surroundings {
  /** Files and folders as they were given. */
  readonly sources: readonly string[];
  /** The configuration file of the command line; `null` when there is none. */
  readonly config: string | null;
  /** What they are and what is around them: with the same text there are the same settings, and the files are the same. */
  readonly text: string;
}

/** Looks around; `undefined` when there are no sources, or not all of them are files or folders. */
export function surroundingsOf(sources: readonly string[], config: string | null): Surroundings | undefined {
  const realPaths = new RealPaths();
  const starts: Json[] = [];
  const folders = new Set<string>();
  for (const source of sources) {
    const stats = statPath(source);
    if (!stats?.isDirectory() && !stats?.isFile()) return undefined;
    const path = realPaths.leniently(source);
    starts.push(stats.isFile() ? [path, stats.mtimeMs, stats.size] : path);
    for (let folder = stats.isFile() ? dirname(path) : path; !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  if (sources.length === 0) return undefined;
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

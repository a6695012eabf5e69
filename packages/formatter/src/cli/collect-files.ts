import { type Stats, statSync } from "node:fs";
import type { Cache, KnownFailure } from "../files/cache/cache.ts";
import { cacheFolder } from "../files/cache/cache-folder.ts";
import { Stored } from "../files/cache/stored.ts";
import { type DiscoveryListener, findSources, type Source } from "../files/discover/find-sources.ts";
import type { ProjectRoot } from "../mode/config/project-root.ts";
import type { Settings } from "../mode/config/settings.ts";
import type { Console } from "./console.ts";
import type { Report } from "./report.ts";

/** A file of the run. */
export interface InputFile {
  /** As messages show it. */
  readonly path: string;
  readonly absolute: string;
  readonly isStdin: boolean;
  readonly size: number;
  /** What the cache says of a file that is untouched since. */
  readonly known: "formatted" | KnownFailure | undefined;
}

/**
 * Finds the files of the run, in the order of their paths (Black sorts `Path`s, folder by folder).
 *
 * @param onWork told the bytes to format so far, while the search still goes on.
 * @throws {DiscoveryError} when a folder or an ignore file cannot be read.
 */
export function collectFiles(
  settings: Settings,
  root: ProjectRoot | undefined,
  cache: Cache | undefined,
  report: Report,
  console: Console,
  onWork: (bytes: number) => void,
): InputFile[] {
  const files: InputFile[] = [];
  let bytes = 0;
  const listener: DiscoveryListener = {
    found: (source) => {
      const file = inspect(source, cache);
      files.push(file);
      if (file.known !== undefined) return;
      bytes += file.size;
      onWork(bytes);
    },
    ignored: (path, reason) => report.ignored(path, reason),
    note: (message, kind) => {
      if (kind === "error") console.message(message, "red");
      else if (settings.verbose) console.message(message, "bold", kind === "warning" ? "red" : "blue");
    },
  };
  // What is left out is only remembered, not why.
  const remembers = !settings.noCache && !settings.verbose;
  const remember = (key: unknown): Stored => new Stored(cacheFolder(settings.cacheDir), "folders", key);
  findSources(settings, root?.path, listener, remembers ? remember : undefined);
  return settings.sources.length > 1 ? files.sort(byPath) : files;
}

function inspect({ path, absolute, isStdin }: Source, cache: Cache | undefined): InputFile {
  const stats = isStdin ? undefined : statOf(absolute);
  return {
    path,
    absolute,
    isStdin,
    size: stats?.size ?? 0,
    known: stats === undefined ? undefined : lookUp(cache, path, absolute, stats),
  };
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A file that cannot be read is not known: formatting it will say why. Nor is one whose message has another path. */
function lookUp(cache: Cache | undefined, path: string, absolute: string, stats: Stats): InputFile["known"] {
  try {
    const known = cache?.find(absolute, stats);
    return typeof known !== "object" || known.path === path ? known : undefined;
  } catch {
    return undefined;
  }
}

function byPath(a: InputFile, b: InputFile): number {
  const left = a.path.replaceAll("/", "\u0000");
  const right = b.path.replaceAll("/", "\u0000");
  return left < right ? -1 : left > right ? 1 : 0;
}

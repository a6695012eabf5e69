import type { Cache } from "../files/cache/cache.ts";
import { cacheFolder } from "../files/cache/cache-folder.ts";
import type { Outcome } from "../files/cache/file-record.ts";
import { Stored } from "../files/cache/stored.ts";
import {
  type DiscoveryListener,
  findSources,
  type RememberFolders,
  type Source,
} from "../files/discover/find-sources.ts";
import { FolderMemory } from "../files/discover/folder-memory.ts";
import type { ProjectRoot } from "../mode/config/project-root.ts";
import type { RealPaths } from "../mode/config/real-paths.ts";
import type { Settings } from "../mode/config/settings.ts";
import { statPath } from "../mode/config/stat-path.ts";
import type { Console } from "./console.ts";
import type { Report } from "./report.ts";

/** A file of the run. */
export interface InputFile {
  /** As messages show it. */
  readonly path: string;
  readonly absolute: string;
  /** Standard input: the name it goes by if it is the only input. */
  readonly stdinName: string | undefined;
  readonly size: number;
  /** What earlier runs made of a file that is untouched since. */
  readonly known: Outcome | undefined;
}

/** The files of a run. */
export interface CollectedFiles {
  readonly files: readonly InputFile[];
  /** How many further files are well formatted and untouched, where nobody wants to know their names. */
  readonly unnamed: number;
  /** Of the folders searched. */
  readonly memories: readonly FolderMemory[];
}

/**
 * Finds the files of the run, in the order of their paths (Black sorts `Path`s, folder by folder).
 *
 * @param cache knows what became of files in earlier runs.
 * @param onWork told the bytes and the files to format so far, while the search still goes on.
 * @throws {DiscoveryError} when a folder or an ignore file cannot be read.
 */
export function collectFiles(
  settings: Settings,
  root: ProjectRoot | undefined,
  realPaths: RealPaths,
  cache: Cache | undefined,
  report: Report,
  console: Console,
  onWork: (bytes: number, files: number) => void,
): CollectedFiles {
  const files: InputFile[] = [];
  const wantsNames = settings.verbose || settings.report !== "text";
  let unnamed = 0;
  let bytes = 0;
  let unknown = 0;
  const listener: DiscoveryListener = {
    found: (source) => {
      const file = inspect(source, cache);
      if (file.known === "formatted" && !wantsNames) {
        unnamed++;
        return;
      }
      files.push(file);
      if (file.known !== undefined) return;
      bytes += file.size;
      unknown++;
      onWork(bytes, unknown);
    },
    ignored: (path, reason) => report.ignored(path, reason),
    note: (message, kind) => {
      if (kind === "error") console.message(message, "red");
      else if (settings.verbose) console.message(message, "bold", "red");
    },
    ...(settings.verbose && { info: (message: string) => console.message(message, "bold", "blue") }),
  };
  // What is left out is only remembered, not why.
  const remembers = !settings.noCache && !settings.verbose;
  const remember: RememberFolders = (folder, rules) =>
    new FolderMemory(folder, new Stored(cacheFolder(settings.cacheDir), "folders", [folder, rules]));
  const memories = findSources(settings, root?.path, listener, remembers ? remember : undefined, realPaths);
  return { files: settings.sources.length > 1 ? sortByPath(files) : files, unnamed, memories };
}

/** A failure whose message has another path is not known. */
function inspect(source: Source, cache: Cache | undefined): InputFile {
  const { path, absolute, stdinName } = source;
  const state = source.state ?? (stdinName === undefined ? statPath(absolute) : undefined);
  const known = state && cache?.find(absolute, state);
  const isOurs = typeof known !== "object" || known.path === path;
  return { path, absolute, stdinName, size: state?.size ?? 0, known: isOurs ? known : undefined };
}

/** Folder by folder, as if the slash came before all other characters. */
function sortByPath(files: readonly InputFile[]): InputFile[] {
  const keyed = files.map((file) => ({ file, key: file.path.replaceAll("/", "\u0000") }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ file }) => file);
}

import { cacheFolder } from "../files/cache/cache-folder.ts";
import { Stored } from "../files/cache/stored.ts";
import { FolderMemory } from "../files/discover/memory/folder-memory.ts";
import type { Settings } from "../mode/config/settings.ts";
import { type Surroundings, surroundingsOf } from "../mode/config/surroundings.ts";
import type { InputFile } from "./collect-files.ts";
import { WORKER_VARIABLES } from "./worker-count.ts";

const CACHE_OPTION = "--cache-dir";

/** A run that found nothing but files that were known and untouched. */
interface UneventfulRun {
  /** As they were before the settings were read. */
  readonly surroundings: Surroundings;
  /** The folders that were searched, each with the key of its memory and the id of what that held. */
  readonly folders: readonly (readonly [path: string, key: unknown, id: number])[];
  readonly answer: Answer;
}

/** What a run over known files comes to. */
export interface Answer {
  /** For standard error, as they are shown. */
  readonly messages: readonly string[];
  readonly exitCode: number;
}

/**
 * What earlier runs with the same command line, in the same place, tell this one. After an uneventful one only the
 * files and what the settings were read from have to be looked at: options, configuration and patterns need no second
 * reading, and the code that does so is not even loaded.
 */
export class RunMemory {
  readonly #folder: string;
  readonly #stored: Stored;
  readonly #opened = new Map<string, FolderMemory>();
  readonly #searched: [path: string, key: unknown, memory: FolderMemory][] = [];
  #surroundings: Surroundings | undefined;
  #areFilesKnown = false;

  /** @param hasStyles whether messages are styled. */
  constructor(args: readonly string[], hasStyles: boolean) {
    this.#folder = cacheFolder(valueOfCacheOption(args));
    const variables = WORKER_VARIABLES.map((name) => process.env[name]);
    this.#stored = new Stored(this.#folder, "runs", [args, process.cwd(), hasStyles, variables]);
  }

  /** What the last run came to, if this one would find as little; `undefined` when it has to be made. */
  repeat(): Answer | undefined {
    const last = isTold() ? undefined : asRun(this.#stored.readJson());
    if (last === undefined) return undefined;
    const { sources, config, text } = last.surroundings;
    this.#surroundings = surroundingsOf(sources, config);
    if (this.#surroundings?.text !== text) return undefined;
    const isSame = last.folders.every(([path, key, id]) => {
      const memory = this.#open(this.#folder, path, key);
      return memory.id === id && memory.isUntouched;
    });
    return isSame ? last.answer : undefined;
  }

  /** Takes down what the settings will be read from, unless `repeat` has done so: the same arguments name the same. */
  lookAround(sources: readonly string[], config: string | null): void {
    this.#surroundings ??= surroundingsOf(sources, config);
  }

  /**
   * What is remembered of a folder, compared with what is there now.
   *
   * @param path absolute, ending in a slash.
   * @param key all that a search from there and the outcome for a file depend on.
   */
  ofFolder(cacheDir: string | undefined, path: string, key: unknown): FolderMemory {
    const memory = this.#open(cacheFolder(cacheDir), path, key);
    this.#searched.push([path, key, memory]);
    return memory;
  }

  #open(cache: string, path: string, key: unknown): FolderMemory {
    const name = JSON.stringify([cache, path, key]);
    const memory = this.#opened.get(name) ?? new FolderMemory(path, new Stored(cache, "folders", key));
    this.#opened.set(name, memory);
    return memory;
  }

  /** Takes down what the run has found, named files among it. */
  note(files: readonly InputFile[]): void {
    this.#areFilesKnown = files.every(({ known }) => known !== undefined);
  }

  /** Remembers a run if it was uneventful and the next with its command line can tell that beforehand. */
  save({ cacheDir, noCache, verbose, report }: Settings, answer: Answer): void {
    const surroundings = this.#surroundings;
    if (surroundings === undefined || !this.#areFilesKnown) return;
    if (noCache || verbose || report !== "text" || isTold()) return;
    if (cacheFolder(cacheDir) !== this.#folder) return;
    if (!this.#searched.every(([, , memory]) => memory.isUntouched)) return;
    const folders = this.#searched.map(([path, key, { id }]) => [path, key, id] as const);
    const run: UneventfulRun = { surroundings, folders, answer };
    this.#stored.writeJson(run);
  }
}

/** Whether GitHub wants to be told what the run has done. */
function isTold(): boolean {
  return process.env.GITHUB_OUTPUT !== undefined;
}

/** Found without reading the other options; where it is misread, nothing is remembered. */
function valueOfCacheOption(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => arg === CACHE_OPTION || arg.startsWith(`${CACHE_OPTION}=`));
  const value = args[at]?.slice(CACHE_OPTION.length + 1);
  return value === "" ? args[at + 1] : value;
}

/** `undefined` for what is damaged. */
function asRun(stored: unknown): UneventfulRun | undefined {
  const { surroundings, folders, answer } = (stored ?? {}) as Partial<UneventfulRun>;
  const isWhole =
    Array.isArray(surroundings?.sources) &&
    Array.isArray(folders) &&
    folders.every((folder): boolean => Array.isArray(folder)) &&
    Array.isArray(answer?.messages) &&
    Number.isInteger(answer.exitCode);
  return isWhole ? { surroundings: surroundings!, folders: folders!, answer: answer! } : undefined;
}

import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { identityOfFile } from "../../../util/remembered-files.ts";
import type { ConfigFile, ConfigSource, GatewayConfig, RejectedFile } from "../gateway-config.ts";
import { ConfigError, type Problem } from "../problem.ts";
import type { ConfigTexts, ReadRequest } from "./config-thread.ts";
import { loadConfigApart } from "./load-apart.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

/** Milliseconds between two looks at the file; a change is in force within 2 s. */
const LOOK_EVERY = 500;
/** Bytes from which on a file is read apart also at the start, which takes longer for a short one. */
const LONG = 1_000_000;

/** Told of each reload, so that it can be logged. */
export interface ReloadReport {
  loaded(warnings: readonly Problem[]): void;
  /** The file is broken; the configuration before it stays in force. */
  rejected(error: Error): void;
  /** The thread that reads files beside callers failed, so that this one is read before them. */
  readHere(error: Error): void;
}

/** What another process has read. */
export interface ReadElsewhere {
  /** What its configuration was read from, where that is another one than before. */
  readonly inForce: ConfigTexts | undefined;
  /** What stands in the file, where that cannot be used. */
  readonly rejected: RejectedFile | undefined;
}

/**
 * The configuration of a file, read again when the file changes or `reload` is called. The file is looked at by its
 * path rather than watched through the system's notifications, because editors and Kubernetes replace files by
 * renaming and some file systems notify nobody. One that is opened with texts of the file follows another process that
 * reads it.
 */
export class WatchedConfig implements ConfigSource {
  current: GatewayConfig;
  file: ConfigFile;
  /** What the configuration in force was read from. */
  texts: ConfigTexts;
  readonly #request: ReadRequest;
  readonly #report: ReloadReport;
  readonly #readers = new Set<() => void>();
  #check: (config: GatewayConfig) => void = () => {};
  readonly #listeners = new Set<(config: GatewayConfig) => void>();
  readonly #timer: NodeJS.Timeout | undefined;
  /** The file and those that it includes, each with its identity when it was last read. */
  #files: ReadonlyMap<string, string>;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  private constructor(request: ReadRequest, report: ReloadReport, loaded: LoadedConfig) {
    const { texts, ...later } = request;
    this.#request = later;
    this.#report = report;
    this.current = loaded.config;
    this.file = loadedFile(request.file, loaded);
    this.texts = textsOf(request.file, loaded);
    this.#files = loaded.files;
    report.loaded(loaded.warnings);
    // Whoever gave the texts watches the file, and tells of what comes later.
    if (texts !== undefined) return;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    this.#timer.unref();
  }

  /** @throws ConfigError when the file cannot be used at the start */
  static async open(request: ReadRequest, report: ReloadReport): Promise<WatchedConfig> {
    const loaded = isLong(request.file) ? await loadSomewhere(request, true, report) : load(request);
    return new WatchedConfig(request, report, loaded);
  }

  subscribe(listener: (config: GatewayConfig) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param check throws for what must not come into force when the file is read again */
  require(check: (config: GatewayConfig) => void): void {
    this.#check = check;
  }

  /** @param listener told after each time that the file was read again, and came into force or was refused */
  onRead(listener: () => void): void {
    this.#readers.add(listener);
  }

  /** Reads the file again; a broken one is reported and changes nothing. */
  reload(): Promise<void> {
    return this.#next(async () => {
      await this.#readAgain(undefined);
      if (!this.#isClosed) for (const listener of this.#readers) listener();
    });
  }

  /** Takes over what another process has read. */
  follow({ inForce, rejected }: ReadElsewhere): Promise<void> {
    return this.#next(async () => {
      if (inForce !== undefined) await this.#readAgain(inForce);
      if (rejected !== undefined) this.file = { ...this.file, rejected };
    });
  }

  /** One after the other, in the order in which they were asked for. */
  #next(read: () => Promise<void>): Promise<void> {
    const reading = (this.#reading ?? Promise.resolve()).then(read).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    this.#reading = reading;
    return reading;
  }

  async #readAgain(texts: ConfigTexts | undefined): Promise<void> {
    // Also a file that is refused is read again only once it changes, whenever that is.
    this.#files = new Map([...this.#files.keys()].map((file) => [file, identityOfFile(file)]));
    try {
      const request = texts === undefined ? this.#request : { ...this.#request, texts };
      const loaded = await loadSomewhere(request, false, this.#report);
      if (this.#isClosed) return;
      this.#check(loaded.config);
      this.current = loaded.config;
      this.file = loadedFile(request.file, loaded);
      this.texts = textsOf(request.file, loaded);
      this.#files = loaded.files;
      this.#report.loaded(loaded.warnings);
    } catch (error) {
      const problems = (error as Error).message.split("\n");
      const bytes = await bytesOf(this.#request.file);
      if (this.#isClosed) return;
      this.file = { ...this.file, rejected: { at: Date.now(), bytes, problems } };
      this.#report.rejected(error as Error);
      return;
    }
    for (const listener of this.#listeners) listener(this.current);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#reading === undefined && hasChanged(this.#files)) void this.reload();
  }
}

function load({ file, environment, commandLine, providers, texts }: ReadRequest): LoadedConfig {
  return loadConfig(file, environment, commandLine, providers && { providers }, texts);
}

/** A thread that cannot start or ends must not keep a file from coming into force. */
function loadSomewhere(
  request: ReadRequest,
  isAwaited: boolean,
  report: ReloadReport,
): Promise<LoadedConfig> {
  return loadConfigApart(request, isAwaited).catch((error: Error) => {
    if (error instanceof ConfigError) throw error;
    report.readHere(error);
    return load(request);
  });
}

/** Whether reading a file leaves so much behind that clearing it would hold up calls later. */
function isLong(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONG;
}

/** A file as it stands once it is read. */
function loadedFile(path: string, { bytes, warnings }: LoadedConfig): ConfigFile {
  return { path, loadedAt: Date.now(), bytes, warnings, rejected: undefined };
}

function textsOf(path: string, { bytes, included }: LoadedConfig): ConfigTexts {
  return new Map([[path, bytes], ...included]);
}

function bytesOf(file: string): Promise<Uint8Array | undefined> {
  return readFile(file).catch(() => undefined);
}

function hasChanged(files: ReadonlyMap<string, string>): boolean {
  return [...files].some(([file, identity]) => identityOfFile(file) !== identity);
}

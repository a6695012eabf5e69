import { identityOfFile } from "../../util/remembered-files.ts";
import type { LoadedConfig } from "./config-thread.ts";
import type { CommandLineOverrides, ConfigFile, ConfigSource, GatewayConfig } from "./gateway-config.ts";
import { loadConfigApart } from "./load-apart.ts";
import { loadConfig, readText } from "./load-config.ts";
import { ConfigError, type Problem } from "./problem.ts";

/** Milliseconds between two looks at the file; a change is in force within 2 s. */
const LOOK_EVERY = 500;

/** Told of each reload, so that it can be logged. */
export interface ReloadReport {
  loaded(warnings: readonly Problem[]): void;
  /** The file is broken; the configuration before it stays in force. */
  rejected(error: Error): void;
}

/**
 * The configuration of a file, read again when the file changes or `reload` is called. The file is looked at by its
 * path rather than watched through the system's notifications, because editors and Kubernetes replace files by
 * renaming and some file systems notify nobody.
 */
export class WatchedConfig implements ConfigSource {
  current: GatewayConfig;
  file: ConfigFile;
  readonly #file: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #commandLine: CommandLineOverrides;
  readonly #report: ReloadReport;
  #check: (config: GatewayConfig) => void = () => {};
  readonly #listeners = new Set<(config: GatewayConfig) => void>();
  readonly #timer: NodeJS.Timeout;
  readonly #providers: readonly string[] | undefined;
  /** The file and those that it includes. */
  #files: readonly string[];
  /** Identity of the files as they were last read. */
  #identity: string;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  /** @throws ConfigError when the file cannot be used at the start */
  constructor(
    file: string,
    environment: Readonly<Record<string, string | undefined>>,
    commandLine: CommandLineOverrides,
    report: ReloadReport,
    providers?: readonly string[],
  ) {
    this.#file = file;
    this.#providers = providers;
    this.#environment = environment;
    this.#commandLine = commandLine;
    this.#report = report;
    // Before the file is read: a change in between is then seen at the next look.
    const identity = identityOf([file]);
    const { config, warnings, included, text } = this.#load();
    this.current = config;
    this.file = loadedFile(file, text, warnings);
    this.#files = [file, ...included];
    this.#identity = [identity, ...included.map(identityOfFile)].join();
    report.loaded(warnings);
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
    this.#timer.unref();
  }

  subscribe(listener: (config: GatewayConfig) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param check throws for what must not come into force when the file is read again */
  require(check: (config: GatewayConfig) => void): void {
    this.#check = check;
  }

  /** Reads the file again; a broken one is reported and changes nothing. */
  reload(): Promise<void> {
    const reading = (this.#reading ?? Promise.resolve())
      .then(() => this.#readAgain())
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
    return reading;
  }

  async #readAgain(): Promise<void> {
    this.#identity = identityOf(this.#files);
    try {
      const { config, warnings, included, text } = await this.#loadApart();
      if (this.#isClosed) return;
      this.#check(config);
      this.current = config;
      this.file = loadedFile(this.#file, text, warnings);
      this.#follow([this.#file, ...included]);
      this.#report.loaded(warnings);
    } catch (error) {
      const problems = (error as Error).message.split("\n");
      this.file = { ...this.file, rejected: { at: Date.now(), text: textOf(this.#file), problems } };
      this.#report.rejected(error as Error);
      return;
    }
    for (const listener of this.#listeners) listener(this.current);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  #load(): LoadedConfig {
    const context = this.#providers === undefined ? {} : { providers: this.#providers };
    return loadConfig(this.#file, this.#environment, this.#commandLine, context);
  }

  /** A thread that cannot start or ends must not keep a change from coming into force. */
  #loadApart(): Promise<LoadedConfig> {
    const request = {
      file: this.#file,
      environment: this.#environment,
      commandLine: this.#commandLine,
      providers: this.#providers,
    };
    return loadConfigApart(request).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
      return this.#load();
    });
  }

  /** Watches other files than before, where the included ones changed. */
  #follow(files: readonly string[]): void {
    if (files.join() === this.#files.join()) return;
    this.#files = files;
    this.#identity = identityOf(files);
  }

  #look(): void {
    if (this.#reading === undefined && identityOf(this.#files) !== this.#identity) void this.reload();
  }
}

/** A file as it stands once it is read. */
function loadedFile(path: string, text: string, warnings: readonly Problem[]): ConfigFile {
  return { path, loadedAt: Date.now(), text, warnings, rejected: undefined };
}

function textOf(file: string): string | undefined {
  try {
    return readText(file);
  } catch {
    return undefined;
  }
}

function identityOf(files: readonly string[]): string {
  return files.map(identityOfFile).join();
}

import { isDeepStrictEqual } from "node:util";
import type { CacheSettings, ConfigSource } from "../../platform/config/gateway-config.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { Siblings } from "../../platform/siblings/siblings.ts";
import type { StoredAnswers } from "./answer-cache.ts";

/** Milliseconds between two lines of the log about a store that fails. */
const WARN_EVERY_MS = 10_000;

/** The response cache as the configuration in force wants it. Its code is loaded where there is one. */
export class CacheSwitch {
  current: StoredAnswers | undefined;
  readonly #logger: Logger;
  readonly #siblings: Siblings | undefined;
  readonly #unsubscribe: () => void;
  #settings: CacheSettings | undefined;
  #switching: Promise<void> = Promise.resolve();
  #warnedAt = Number.NEGATIVE_INFINITY;

  private constructor(config: ConfigSource, logger: Logger, siblings: Siblings | undefined) {
    this.#logger = logger;
    this.#siblings = siblings;
    this.#unsubscribe = config.subscribe((changed) => void this.#use(changed.cache));
  }

  /** @param siblings the other workers, which forget answers together with this one */
  static async open(config: ConfigSource, logger: Logger, siblings?: Siblings): Promise<CacheSwitch> {
    const opened = new CacheSwitch(config, logger, siblings);
    await opened.#use(config.current.cache);
    return opened;
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#use(undefined);
  }

  /** Changes follow one another in the order in which they came. */
  #use(settings: CacheSettings | undefined): Promise<void> {
    this.#switching = this.#switching
      .then(() => this.#switchTo(settings))
      .catch((error: unknown) => this.#warn(error));
    return this.#switching;
  }

  async #switchTo(settings: CacheSettings | undefined): Promise<void> {
    if (isDeepStrictEqual(settings, this.#settings)) return;
    const before = this.current;
    this.#settings = settings;
    this.current = settings && (await this.#openCache(settings));
    await before?.entries.close();
  }

  async #openCache(settings: CacheSettings): Promise<StoredAnswers> {
    const { StoredAnswers } = await import("./answer-cache.ts");
    const { namePrefix } = await import("./cache-key.ts");
    const { openEntries } = await import("./open-entries.ts");
    const entries = await openEntries(settings, namePrefix(settings), this.#logger, this.#siblings);
    return new StoredAnswers(settings, entries, (error) => this.#warn(error));
  }

  #warn(error: unknown): void {
    if (performance.now() - this.#warnedAt < WARN_EVERY_MS) return;
    this.#warnedAt = performance.now();
    this.#logger.warn({ error: describeError(error) }, "the response cache failed; calls go on without it");
  }
}

import type { Redis } from "ioredis";
import type { Logger } from "../../platform/log/logger.ts";
import { tellFailures } from "../../platform/redis/tell-failures.ts";
import type { EntryStore } from "./entry-store.ts";

/** Milliseconds that a call waits for Redis before it goes on without the cache. */
const COMMAND_TIMEOUT_MS = 500;
/** Milliseconds for which a Redis that failed is not asked again, so that calls do not wait for it. */
const RETRY_MS = 1000;
const SCANNED_KEYS = 1000;

/** Answers in Redis, shared by replicas. */
export class RedisEntries implements EntryStore {
  readonly #redis: Redis;
  readonly #prefix: string;
  #awayUntil = 0;

  private constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** Does not wait for the server. @param prefix begins the names of all entries */
  static async open(url: string, prefix: string, logger: Logger): Promise<RedisEntries> {
    const { Redis } = await import("ioredis");
    const redis = new Redis(url, {
      maxRetriesPerRequest: 0,
      connectTimeout: 3000,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // What is written to one that says nothing would grow in memory, and later be written for nobody.
      socketTimeout: 2 * COMMAND_TIMEOUT_MS,
      autoResendUnfulfilledCommands: false,
    });
    tellFailures(redis, logger, "the Redis of the response cache does not answer");
    return new RedisEntries(redis, prefix);
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#guarded(() => this.#redis.get(key))) ?? undefined;
  }

  async set(key: string, entry: string, ttl: number): Promise<void> {
    await this.#guarded(() => this.#redis.set(key, entry, "PX", Math.max(1, Math.floor(ttl * 1000))));
  }

  async delete(keys: readonly string[]): Promise<void> {
    // Limits may be counted in the same database.
    const own = keys.filter((key) => key.startsWith(this.#prefix));
    if (own.length > 0) await this.#redis.unlink(...own);
  }

  async clear(): Promise<void> {
    const pattern = `${this.#prefix.replace(/[*?[\]\\^]/g, "\\$&")}*`;
    for (let cursor = "0"; ; ) {
      const [next, keys] = await this.#redis.scan(cursor, "MATCH", pattern, "COUNT", SCANNED_KEYS);
      if (keys.length > 0) await this.#redis.unlink(...keys);
      if (next === "0") return;
      cursor = next;
    }
  }

  async ping(): Promise<void> {
    await this.#redis.ping();
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
  }

  /** @throws Error without asking while Redis is away */
  async #guarded<T>(command: () => Promise<T>): Promise<T> {
    if (performance.now() < this.#awayUntil) throw new Error("Redis is away");
    try {
      return await command();
    } catch (error) {
      this.#awayUntil = performance.now() + RETRY_MS;
      throw error;
    }
  }
}

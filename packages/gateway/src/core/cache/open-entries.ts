import type { CacheSettings } from "../../platform/config/gateway-config.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { type Siblings, topics } from "../../platform/siblings/siblings.ts";
import type { EntryStore } from "./entry-store.ts";

/** Where a cache keeps its answers. @param prefix begins the names of all entries */
export async function openEntries(
  { redisUrl, maxBytes }: CacheSettings,
  prefix: string,
  logger: Logger,
  siblings: Siblings | undefined,
): Promise<EntryStore> {
  if (redisUrl === undefined) {
    const { MemoryEntries } = await import("./memory-entries.ts");
    const entries = new MemoryEntries(maxBytes);
    return siblings === undefined ? entries : forgottenTogether(entries, siblings);
  }
  const { RedisEntries } = await import("./redis-entries.ts");
  return RedisEntries.open(redisUrl, prefix, logger);
}

/** Answers that each worker keeps for itself; what an administrator removes is removed in all of them. */
function forgottenTogether(entries: EntryStore, { primary, tellOthers }: Siblings): EntryStore {
  primary.on(topics.cache, (keys: readonly string[] | undefined) =>
    keys === undefined ? entries.clear() : entries.delete(keys),
  );
  return {
    get: (key) => entries.get(key),
    set: (key, entry, ttl) => entries.set(key, entry, ttl),
    delete: (keys) => {
      tellOthers(topics.cache, keys);
      return entries.delete(keys);
    },
    clear: () => {
      tellOthers(topics.cache);
      return entries.clear();
    },
    ping: () => entries.ping(),
    close: () => entries.close(),
  };
}

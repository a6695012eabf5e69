import type { CacheSettings } from "../../platform/config/gateway-config.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { EntryStore } from "./entry-store.ts";

/** Where a cache keeps its answers. @param prefix begins the names of all entries */
export async function openEntries(
  { redisUrl, maxBytes }: CacheSettings,
  prefix: string,
  logger: Logger,
): Promise<EntryStore> {
  if (redisUrl === undefined) {
    const { MemoryEntries } = await import("./memory-entries.ts");
    return new MemoryEntries(maxBytes);
  }
  const { RedisEntries } = await import("./redis-entries.ts");
  return RedisEntries.open(redisUrl, prefix, logger);
}

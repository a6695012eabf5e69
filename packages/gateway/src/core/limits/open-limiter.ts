import type { Logger } from "../../platform/log/logger.ts";
import { CountingLimiter, type SpentBefore } from "./counting-limiter.ts";
import type { Limiter } from "./limiter.ts";
import { MemoryCounters } from "./memory-counters.ts";

/** The limiter: shared by all replicas where there is a Redis, else this process's own. */
export async function openLimiter(
  redisUrl: string | undefined,
  spentBefore: SpentBefore,
  logger: Logger,
): Promise<Limiter> {
  if (redisUrl === undefined) return new CountingLimiter(new MemoryCounters(), spentBefore, logger);
  const { openRedis } = await import("./redis/open-redis.ts");
  const { RedisCounters } = await import("./redis/redis-counters.ts");
  const { StandbyCounters } = await import("./redis/standby-counters.ts");
  const shared = new RedisCounters(await openRedis(redisUrl, logger));
  return new CountingLimiter(await StandbyCounters.open(shared, logger), spentBefore, logger);
}

import type { Logger } from "../../platform/log/logger.ts";
import type { Siblings } from "../../platform/siblings/siblings.ts";
import { type Store, storeOfCalls } from "../../platform/store/schema.ts";
import type { Timezone } from "../ledger/budget-window.ts";
import { Rollovers } from "../ledger/rollover.ts";
import type { Budgets } from "./budgets.ts";
import type { Counters } from "./counters.ts";
import { CountingLimiter } from "./counting-limiter.ts";
import { HoldStore } from "./hold-store.ts";
import type { Limiter } from "./limiter.ts";
import { MemoryBudgets, type SpentBefore } from "./memory-budgets.ts";
import { MemoryCounters } from "./memory-counters.ts";
import type { Priorities } from "./priorities.ts";

/**
 * The limiter. Limits are shared by all replicas where there is a Redis, and budgets where there is a PostgreSQL; else
 * this process has them for itself, or the workers of one gateway have them in common.
 */
export async function openLimiter(
  redisUrl: string | undefined,
  spentBefore: SpentBefore,
  logger: Logger,
  store?: Store,
  siblings?: Siblings,
  underModels?: Limiter["underModels"],
  timezone: Timezone = () => undefined,
  priorities?: () => Priorities | undefined,
): Promise<Limiter> {
  const counters =
    redisUrl === undefined ? await ownCounters(siblings) : await sharedCounters(redisUrl, logger);
  if (redisUrl !== undefined && store?.kind !== "postgres")
    logger.warn(
      "Redis shares limits only: without a PostgreSQL (DATABASE_URL) each gateway has every budget for itself",
    );
  const ofCalls = store && storeOfCalls(store);
  const budgets = await openBudgets(spentBefore, logger, ofCalls, siblings);
  const rollovers = new Rollovers(ofCalls, timezone);
  const parts = { counters, budgets, logger, underModels, priorities, timezone, rollovers };
  return new CountingLimiter(parts).open();
}

async function ownCounters(siblings: Siblings | undefined): Promise<Counters> {
  if (siblings === undefined) return new MemoryCounters();
  return new (await import("./worker-limits.ts")).WorkerCounters(siblings);
}

async function sharedCounters(redisUrl: string, logger: Logger): Promise<Counters> {
  const { openRedis } = await import("./redis/open-redis.ts");
  const { RedisCounters } = await import("./redis/redis-counters.ts");
  const { StandbyCounters } = await import("./redis/standby-counters.ts");
  return StandbyCounters.open(new RedisCounters(await openRedis(redisUrl, logger)), logger);
}

async function openBudgets(
  spentBefore: SpentBefore,
  logger: Logger,
  store: Store | undefined,
  siblings: Siblings | undefined,
): Promise<Budgets> {
  if (store?.kind === "sqlite" && siblings !== undefined)
    return new (await import("./worker-limits.ts")).WorkerBudgets(siblings, new HoldStore(store));
  if (store?.kind !== "postgres")
    return new MemoryBudgets(spentBefore, store && new HoldStore(store), logger);
  const { SharedBudgets } = await import("./shared-budgets.ts");
  return new SharedBudgets(store, logger);
}

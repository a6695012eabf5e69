import type { Redis } from "ioredis";
import type { Logger } from "../../../platform/log/logger.ts";
import { tellFailures } from "../../../platform/redis/tell-failures.ts";

/** Milliseconds that a command may take, and a connection may say nothing to one. */
const ANSWER_WITHIN = 2000;

/**
 * A connection to Redis that comes back by itself. The ioredis package is loaded only here, because most gateways
 * run without it.
 */
export async function openRedis(url: string, logger: Logger): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    connectTimeout: 3000,
    commandTimeout: ANSWER_WITHIN,
    // What is written to one that says nothing would grow in memory.
    socketTimeout: ANSWER_WITHIN,
    // Whoever asked does not wait any more.
    autoResendUnfulfilledCommands: false,
  });
  tellFailures(redis, logger, "the Redis that shares limits does not answer");
  return redis;
}

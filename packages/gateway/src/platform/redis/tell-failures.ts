import type { Redis } from "ioredis";
import type { Logger } from "../log/logger.ts";
import { Recurring } from "../log/recurring.ts";

/**
 * Logs what goes wrong with a connection to Redis, at once and then once a minute, with its host and port; its address as configured has the password too.
 * @param message says what the connection is for
 */
export function tellFailures(redis: Redis, logger: Logger, message: string): void {
  const { host, port, path } = redis.options;
  const address = path ?? `${host}:${port}`;
  const failing = new Recurring();
  redis.on("error", (error: NodeJS.ErrnoException) => {
    // An error about several addresses of one name has no message of its own.
    const reason = error.message || error.code;
    if (failing.failed(reason)) logger.warn({ address, error: reason }, message);
  });
  redis.on("ready", () => failing.ended());
}

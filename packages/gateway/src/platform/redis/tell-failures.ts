import type { Redis } from "ioredis";
import type { Logger } from "../log/logger.ts";

/**
 * Logs what goes wrong with a connection to Redis, with its host and port; its address as configured has the password too.
 * @param message says what the connection is for
 */
export function tellFailures(redis: Redis, logger: Logger, message: string): void {
  const { host, port, path } = redis.options;
  const address = path ?? `${host}:${port}`;
  redis.on("error", (error: NodeJS.ErrnoException) =>
    // An error about several addresses of one name has no message of its own.
    logger.warn({ address, error: error.message || error.code }, message),
  );
}

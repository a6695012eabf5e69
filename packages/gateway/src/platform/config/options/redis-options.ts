import { count, flag, optional, text, unenforced } from "../option.ts";

const ONE_SERVER = "limits are shared through one server; name it with `host` and `port`, or `url`";

/** Connection of `litellm_settings.cache_params` to Redis, which limits are shared through. */
export const cacheRedisOptions = {
  url: optional(text("", "`redis://...` or `rediss://...`, in place of the others.")),
  host: optional(text("", "The server's name or address.")),
  port: optional(count(0, "6379 without it.")),
  username: optional(text("", "For servers with users.")),
  password: optional(text("", "REDIS_PASSWORD without it.")),
  db: optional(count(0, "Number of the database.")),
  ssl: optional(flag(false, "Connect by TLS.")),
  redis_startup_nodes: unenforced(ONE_SERVER),
  sentinel_nodes: unenforced(ONE_SERVER),
  service_name: unenforced(ONE_SERVER),
} as const;

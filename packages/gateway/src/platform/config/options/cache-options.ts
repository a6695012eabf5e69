import { amount, count, flag, ignored, oneOf, optional, text, texts, unenforced } from "./option.ts";

const ONE_SERVER = "one server keeps the answers; name it with `host` and `port`, or `url`";
const EXACT = "answers are found by equal requests, not by similar ones";
const OTHER_PLACE = "answers are kept in memory or in Redis";

/** Names that LiteLLM has for the calls whose answers are kept, and the wire formats of these calls. */
export const CACHED_CALL_TYPES = {
  completion: "chat",
  acompletion: "chat",
  embedding: "embeddings",
  aembedding: "embeddings",
  responses: "responses",
  aresponses: "responses",
  anthropic_messages: "messages",
  aanthropic_messages: "messages",
  generate_content: "gemini",
  agenerate_content: "gemini",
} as const;

/** Connection of `litellm_settings.cache_params` to Redis, which limits are shared through too. */
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

/** What of `litellm_settings.cache_params` says which answers are kept, for whom and how long. */
export const cacheOptions = {
  type: optional(
    text("", "`local` (in memory) or `redis`; `redis` where a Redis is named anywhere, else `local`."),
  ),
  mode: oneOf(
    ["default_on", "default_off"],
    "default_on",
    "With `default_off` only requests with `cache: {use-cache: true}` use the cache.",
  ),
  scope: oneOf(
    ["team", "key", "global"],
    "team",
    "Who shares answers: the keys of one team (a key without a team shares with nobody), nobody, or everybody.",
  ),
  ttl: optional(amount(0, "Seconds for which an answer is kept; 600 without it.")),
  default_in_memory_ttl: optional(amount(0, "The same for `local`, where `ttl` is missing.")),
  default_in_redis_ttl: optional(amount(0, "The same for `redis`, where `ttl` is missing.")),
  namespace: optional(text("", "What the names of the entries begin with; `portico` without it.")),
  supported_call_types: optional(
    texts([], "The calls whose answers are kept, by LiteLLM's names; all of them without it."),
  ),
  max_messages: optional(
    count(0, "Requests with more messages (or contents, or items of input) are left out."),
  ),
  max_memory_mb: amount(
    64,
    "Megabytes of answers that `local` keeps; the ones not used longest go first.",
    1,
  ),
  similarity_threshold: ignored(EXACT),
  redis_semantic_cache_embedding_model: ignored(EXACT),
  qdrant_api_base: ignored(OTHER_PLACE),
  disk_cache_dir: ignored(OTHER_PLACE),
  s3_bucket_name: ignored(OTHER_PLACE),
  gcs_bucket_name: ignored(OTHER_PLACE),
  redis_flush_size: ignored("each answer is written at once"),
  max_connections: ignored("one connection carries all commands"),
} as const;

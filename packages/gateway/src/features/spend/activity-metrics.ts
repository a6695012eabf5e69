import type { JsonObject } from "../../contract/json.ts";
import type { KeyRow } from "../../core/auth/records/keys-table.ts";
import type { Sum } from "./sums.ts";

/** Sums under LiteLLM's names; numbers of their own, because one answer can have a hundred thousand of these. */
export class Metrics {
  #spend = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #cacheReadTokens = 0;
  #cacheWriteTokens = 0;
  #requests = 0;
  #successes = 0;

  add(sum: Sum): void {
    this.#spend += sum.spend;
    this.#promptTokens += sum.promptTokens;
    this.#completionTokens += sum.completionTokens;
    this.#cacheReadTokens += sum.cacheReadTokens;
    this.#cacheWriteTokens += sum.cacheWriteTokens;
    this.#requests += sum.requests;
    this.#successes += sum.successes;
  }

  shown(): Record<string, number> {
    return {
      spend: this.#spend,
      prompt_tokens: this.#promptTokens,
      completion_tokens: this.#completionTokens,
      cache_read_input_tokens: this.#cacheReadTokens,
      cache_creation_input_tokens: this.#cacheWriteTokens,
      api_requests: this.#requests,
      successful_requests: this.#successes,
      total_tokens: this.#promptTokens + this.#completionTokens,
      failed_requests: this.#requests - this.#successes,
    };
  }

  /** The same as `metadata` has it. */
  totals(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.shown()).map(([name, value]) => [`total_${name.replace(/^total_/, "")}`, value]),
    );
  }
}

type Keys = ReadonlyMap<string, Pick<KeyRow, "key_alias" | "team_id" | "user_id">>;

/** One value of a dimension, and the keys that it was used by. */
class Part {
  readonly #metrics = new Metrics();
  readonly #keys = new Map<string, Metrics>();
  readonly #metadata: JsonObject;

  constructor(metadata: JsonObject) {
    this.#metadata = metadata;
  }

  add(key: string, sum: Sum): void {
    this.#metrics.add(sum);
    const own = this.#keys.get(key) ?? new Metrics();
    own.add(sum);
    this.#keys.set(key, own);
  }

  shown(keys: Keys): JsonObject {
    const breakdown = [...this.#keys].map(([key, metrics]) => [key, keyPart(keys, key, metrics)]);
    return {
      metrics: this.#metrics.shown(),
      metadata: this.#metadata,
      api_key_breakdown: Object.fromEntries(breakdown),
    };
  }
}

/** What was used on one day, by LiteLLM's dimensions. */
export class DayActivity {
  readonly #keys: Keys;
  readonly #metrics = new Metrics();
  readonly #ofKeys = new Map<string, Metrics>();
  readonly #models = new Map<string, Part>();
  readonly #providers = new Map<string, Part>();
  readonly #entities = new Map<string, Part>();

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  add(sum: Sum<"model" | "provider" | "key">): void {
    const key = sum.of.key!;
    this.#metrics.add(sum);
    partOf(this.#models, sum.of.model ?? "unknown").add(key, sum);
    partOf(this.#providers, sum.of.provider ?? "unknown").add(key, sum);
    const own = this.#ofKeys.get(key) ?? new Metrics();
    own.add(sum);
    this.#ofKeys.set(key, own);
  }

  addEntity(id: string, alias: string | undefined, sum: Sum<"key">): void {
    partOf(this.#entities, id, alias === undefined ? {} : { alias }).add(sum.of.key!, sum);
  }

  shown(): JsonObject {
    const shown = (parts: ReadonlyMap<string, Part>) =>
      Object.fromEntries([...parts].map(([name, part]) => [name, part.shown(this.#keys)]));
    const models = shown(this.#models);
    return {
      metrics: this.#metrics.shown(),
      breakdown: {
        models,
        model_groups: models,
        providers: shown(this.#providers),
        api_keys: Object.fromEntries(
          [...this.#ofKeys].map(([key, metrics]) => [key, keyPart(this.#keys, key, metrics)]),
        ),
        entities: shown(this.#entities),
        mcp_servers: {},
        endpoints: {},
      },
    };
  }
}

function partOf(parts: Map<string, Part>, name: string, metadata: JsonObject = {}): Part {
  const part = parts.get(name) ?? new Part(metadata);
  parts.set(name, part);
  return part;
}

function keyPart(keys: Keys, key: string, metrics: Metrics): JsonObject {
  const { key_alias = null, team_id = null, user_id = null } = keys.get(key) ?? {};
  return { metrics: metrics.shown(), metadata: { key_alias, team_id, user_id, key_exists: keys.has(key) } };
}

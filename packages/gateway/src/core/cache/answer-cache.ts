import type { Target } from "../../contract/deployment.ts";
import { type JsonObject, objectOf } from "../../contract/json.ts";
import { noUsage } from "../../contract/usage.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import type { CacheSettings } from "../../platform/config/gateway-config.ts";
import type { Answer } from "../call/answer.ts";
import { type CacheControls, readCacheControls } from "../call/cache-controls.ts";
import type { AnswerCache, CacheLook } from "../call/model-call.ts";
import type { PreparedCall } from "../call/prepare-call.ts";
import { resolveModel } from "../routing/resolve-model.ts";
import { cacheKey, isRepeatable } from "./cache-key.ts";
import { type Entry, newEntry, parseEntry, textToKeep } from "./entry.ts";
import type { EntryStore } from "./entry-store.ts";
import { KeptStream } from "./kept-stream.ts";
import { replayed } from "./replayed.ts";

/** Seconds for which a caller may have an answer kept. */
const MAX_TTL = 30 * 86_400;

/** Types of calls whose answers are kept; what the gateway does by itself calls models under other names. */
const CACHED_CALLS: ReadonlySet<string> = new Set([
  "acompletion",
  "anthropic_messages",
  "aresponses",
  "aembedding",
  "agenerate_content",
  "agenerate_content_stream",
]);

/** What one call is to the cache. */
interface Turn {
  readonly prepared: PreparedCall;
  readonly targets: readonly Target[];
  readonly controls: CacheControls;
  readonly key: string;
}

/** Keeps answers in a store, and finds them for equal calls of the same tenant. A store that fails is no failure. */
export class StoredAnswers implements AnswerCache {
  readonly settings: CacheSettings;
  readonly entries: EntryStore;
  readonly #onFailure: (error: unknown) => void;

  constructor(settings: CacheSettings, entries: EntryStore, onFailure: (error: unknown) => void) {
    this.settings = settings;
    this.entries = entries;
    this.#onFailure = onFailure;
  }

  look(prepared: PreparedCall): Promise<CacheLook> | undefined {
    const turn = this.#turnOf(prepared);
    if (turn === undefined) return undefined;
    prepared.call.record.cacheKey = turn.key;
    return this.#look(turn);
  }

  #turnOf(prepared: PreparedCall): Turn | undefined {
    const { call, config, data, model } = prepared;
    const { formats, isOptIn } = this.settings;
    if (!formats.has(call.format) || !CACHED_CALLS.has(call.record.callType)) return undefined;
    const controls = readCacheControls(data, defaultControls(prepared));
    if (isOptIn && !controls.isAskedFor) return undefined;
    if (!controls.mayLook && !controls.mayKeep) return undefined;
    if (this.#isTooLong(data) || !isRepeatable(prepared)) return undefined;
    let targets: readonly Target[];
    try {
      targets = resolveModel(model, config).targets;
    } catch {
      // Routing says what is wrong with the name.
      return undefined;
    }
    const key = cacheKey(prepared, targets, this.settings, controls.namespace);
    return { prepared, targets, controls, key };
  }

  #isTooLong({ messages, input, contents }: JsonObject): boolean {
    const { maxMessages } = this.settings;
    const list = messages ?? contents ?? input;
    return maxMessages !== undefined && Array.isArray(list) && list.length > maxMessages;
  }

  async #look(turn: Turn): Promise<CacheLook> {
    const answer = turn.controls.mayLook ? await this.#find(turn) : undefined;
    return { answer, keep: (made) => (turn.controls.mayKeep ? this.#keep(turn, made) : made) };
  }

  async #find({ prepared, targets, controls, key }: Turn): Promise<Answer | undefined> {
    const { call, data } = prepared;
    const text = await this.entries.get(key).catch((error) => this.#onFailure(error));
    const entry = typeof text === "string" ? parseEntry(text) : undefined;
    if (entry === undefined || isOlder(entry, controls.maxAge)) return undefined;
    const target = targets.find(
      ({ deployment, model }) => deployment.id === entry.deploymentId && model === entry.model,
    );
    const answer = target && replayed(entry, prepared);
    if (target === undefined || answer === undefined) return undefined;
    // Who keeps the answer keeps the request as it would have gone out.
    await call.adapter?.changes(data, target, entry.native);
    const { record } = call;
    record.deployment = target.deployment;
    record.provider = entry.provider;
    record.apiBase = entry.apiBase;
    // The provider has made no second response: what is kept of this one is the gateway's alone.
    record.native = entry.native && call.format !== "responses";
    record.isCacheHit = true;
    return answer;
  }

  #keep({ prepared, controls, key }: Turn, answer: Answer): Answer {
    const { call, data } = prepared;
    // The answer of another model is better than none, but not for those who ask later.
    if (call.record.attemptedFallbacks > 0) return answer;
    const put = (entry: Entry | undefined): void => {
      if (entry === undefined) return;
      const ttl = Math.min(controls.ttl ?? this.settings.ttl, MAX_TTL);
      void this.entries.set(key, JSON.stringify(entry), ttl).catch((error) => this.#onFailure(error));
    };
    if (answer.kind === "whole") {
      const text = textToKeep(answer, call.format);
      const { contentType, usage = noUsage } = answer;
      if (text !== undefined)
        put(newEntry(call.record, { kind: "whole", text, contentType, usage, streamOptions: null }));
      return answer;
    }
    const dialect = prepared.deps.dialectOf(call.format as DialectFormat);
    const stream = new KeptStream(answer, dialect, (text, usage) =>
      put(
        newEntry(call.record, {
          kind: "stream",
          text,
          contentType: "application/json",
          usage,
          streamOptions: data.stream_options ?? null,
        }),
      ),
    );
    return { ...answer, stream };
  }
}

/** LiteLLM's place for the controls of all calls of a key or team: `metadata.cache`. */
function defaultControls({ call }: PreparedCall): JsonObject {
  const { metadata, teamMetadata } = call.principal;
  return { ...objectOf(teamMetadata.cache), ...objectOf(metadata.cache) };
}

function isOlder({ storedAt }: Entry, maxAge: number | undefined): boolean {
  return maxAge !== undefined && Date.now() - storedAt > maxAge * 1000;
}

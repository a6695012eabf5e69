import type { StreamGrammar } from "../../contract/dialect.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { SimilarJson } from "../similar-json.ts";
import { readChatUsage } from "../usage.ts";

interface ChoiceState {
  finished: boolean;
  /** Indexes of the tool calls that have begun. */
  tools?: Set<unknown>;
}

/**
 * The order of a chat completion stream: chunks with one id, per choice deltas and then a `finish_reason`, possibly a
 * chunk with usage and no choices, `[DONE]`. A chunk with `error` ends it.
 */
export class ChatGrammar implements StreamGrammar {
  isComplete = false;
  failed = false;
  hasContent = false;
  outputCharacters = 0;
  serviceTier: unknown;
  isUsageOnly = false;
  readonly #json = new SimilarJson();
  readonly #choices = new Map<number, ChoiceState>();
  #id = "";
  #usage: Usage | undefined;

  usage(): Usage | undefined {
    return this.#usage;
  }

  accept(_event: string | undefined, data: string): string | undefined {
    if (this.isComplete || this.failed) return "an event came after the end";
    this.isUsageOnly = false;
    if (data === "[DONE]") return this.#done();
    const chunk = this.#json.parse(data);
    return chunk === undefined ? "a chunk is not a JSON object" : this.check(undefined, chunk);
  }

  check(_event: string | undefined, chunk: JsonObject): string | undefined {
    if (this.isComplete || this.failed) return "an event came after the end";
    this.isUsageOnly = false;
    if (chunk.error !== undefined && chunk.error !== null) {
      this.failed = true;
      return undefined;
    }
    const choices = chunk.choices ?? (isUsageChunk(chunk) ? [] : undefined);
    if (!Array.isArray(choices)) return "a chunk has no choices";
    const wrongId = this.#checkId(chunk.id);
    if (wrongId !== undefined) return wrongId;
    this.serviceTier = chunk.service_tier ?? this.serviceTier;
    if (isJsonObject(chunk.usage)) this.#usage = readChatUsage(chunk.usage, this.serviceTier);
    for (const choice of choices) {
      const wrong = this.#choice(choice);
      if (wrong !== undefined) return wrong;
    }
    this.isUsageOnly = isUsageChunk(chunk);
    return undefined;
  }

  // Azure's first chunk, with the results of its prompt filter, has an empty id.
  #checkId(id: unknown): string | undefined {
    if (typeof id !== "string" || id === "") return undefined;
    if (this.#id === "") this.#id = id;
    return this.#id === id ? undefined : "the id changed within the stream";
  }

  #choice(choice: unknown): string | undefined {
    // A host that gives one choice may leave its index out.
    const index = isJsonObject(choice) ? (choice.index ?? 0) : undefined;
    if (!isJsonObject(choice) || typeof index !== "number") return "a choice has no index";
    let state = this.#choices.get(index);
    if (state === undefined) {
      state = { finished: false };
      this.#choices.set(index, state);
    }
    const wrong = isJsonObject(choice.delta) ? this.#delta(choice.delta, state) : undefined;
    if (wrong !== undefined) return wrong;
    if (typeof choice.finish_reason === "string") {
      state.finished = true;
      this.hasContent = true;
    }
    return undefined;
  }

  #delta(delta: JsonObject, state: ChoiceState): string | undefined {
    const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    const characters =
      lengthOf(delta.content) +
      lengthOf(delta.refusal) +
      lengthOf(delta.reasoning_content) +
      lengthOf(delta.reasoning);
    this.outputCharacters += characters;
    if (characters > 0 || calls.length > 0 || isJsonObject(delta.function_call) || isJsonObject(delta.audio))
      this.hasContent = true;
    if (state.finished && (characters > 0 || calls.length > 0)) return "content came after finish_reason";
    for (const call of calls) {
      const wrong = this.#toolCall(call, state);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #toolCall(call: unknown, state: ChoiceState): string | undefined {
    if (!isJsonObject(call)) return "a tool call is not an object";
    const called = objectOf(call.function);
    // Some hosts leave the index out when they send a call whole.
    if (state.tools?.has(call.index) !== true && call.type !== "custom" && typeof called.name !== "string") {
      return "a tool call started without a name";
    }
    state.tools ??= new Set();
    state.tools.add(call.index);
    if (typeof called.arguments === "string") this.outputCharacters += called.arguments.length;
    return undefined;
  }

  #done(): string | undefined {
    if (this.#choices.size === 0) return "[DONE] came before any choice";
    for (const [index, state] of this.#choices) {
      if (!state.finished) return `[DONE] came before choice ${index} finished`;
    }
    this.isComplete = true;
    return undefined;
  }
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}

/**
 * Whether a chunk is the one without choices that `stream_options.include_usage` adds before the end. Moonshot, DeepInfra
 * and some proxies leave their list out of it.
 */
function isUsageChunk({ choices, usage }: JsonObject): boolean {
  return isJsonObject(usage) && (choices == null || (Array.isArray(choices) && choices.length === 0));
}

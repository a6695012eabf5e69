import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { optionsFor } from "../../formats/provider-options.ts";
import { queryOf, searchCall } from "../../formats/tools/web-search.ts";
import { toNeutralUsage } from "../../formats/usage.ts";
import type { EventMessage } from "./event-stream.ts";
import { readConverseUsage, readEnd } from "./from-converse.ts";
import { GROUNDING, ranAtBedrock, readCitations, readSearchResult } from "./hosted-tool.ts";
import { ANSWER_TOOL } from "./to-converse.ts";

type OpenBlock =
  | { readonly kind: "text" | "reasoning"; readonly id: string }
  | { readonly kind: "tool" | "search"; readonly id: string; readonly name: string; input: string };

/** Statuses of the exceptions that end a stream. */
const statuses: ReadonlyMap<string, number> = new Map([
  ["throttlingException", 429],
  ["serviceUnavailableException", 503],
  ["modelTimeoutException", 504],
  ["validationException", 400],
]);

/** Converse's events as neutral parts; a stream that ends without `messageStop` has no `finish`. */
export async function* fromConverseStream(
  messages: AsyncIterable<EventMessage>,
  toError: Provider["toError"],
): AsyncGenerator<LanguageModelV3StreamPart> {
  const reader = new EventReader();
  yield { type: "stream-start", warnings: [] };
  for await (const { kind, name, payload } of messages) {
    if (kind === "exception") throw toError(statuses.get(name) ?? 502, {}, JSON.stringify(payload));
    // `yield*` would await each part several times more.
    for (const part of reader.read(name, payload)) yield part;
  }
  yield* reader.end();
}

class EventReader {
  readonly #blocks = new Map<unknown, OpenBlock>();
  /** A text that has ended; citations of it may follow as blocks of their own. */
  #ended: string | undefined;
  #calledTool = false;
  #stopReason: unknown;
  #usage: Usage | undefined;

  *read(name: string, event: JsonObject): Generator<LanguageModelV3StreamPart> {
    const index = event.contentBlockIndex;
    switch (name) {
      case "contentBlockStart":
        yield* this.#start(index, objectOf(event.start));
        return;
      case "contentBlockDelta":
        yield* this.#delta(index, objectOf(event.delta));
        return;
      case "contentBlockStop":
        yield* this.#stop(index);
        return;
      case "messageStop":
        yield* this.#endText();
        this.#stopReason = event.stopReason;
        return;
      case "metadata":
        this.#usage = readConverseUsage(event);
    }
  }

  /** The usage follows the stop reason, so that only the stream's end shows that all is there. */
  *end(): Generator<LanguageModelV3StreamPart> {
    if (this.#stopReason === undefined) return;
    for (const index of [...this.#blocks.keys()]) yield* this.#stop(index);
    yield* this.#endText();
    const finishReason: LanguageModelV3FinishReason = readEnd(this.#stopReason, !this.#calledTool);
    yield { type: "finish", finishReason, usage: toNeutralUsage(this.#usage) };
  }

  *#endText(): Generator<LanguageModelV3StreamPart> {
    if (this.#ended !== undefined) yield { type: "text-end", id: this.#ended };
    this.#ended = undefined;
  }

  /** Only tools and their results announce themselves; texts begin with their first piece. */
  *#start(index: unknown, { toolUse, toolResult }: JsonObject): Generator<LanguageModelV3StreamPart> {
    yield* this.#stop(index);
    yield* this.#endText();
    if (isJsonObject(toolResult)) yield* readSearchResult(toolResult);
    if (!isJsonObject(toolUse)) return;
    if (ranAtBedrock(toolUse)) {
      const search = { kind: "search" as const, id: String(toolUse.toolUseId), name: GROUNDING, input: "" };
      if (toolUse.name === GROUNDING) this.#blocks.set(index, search);
      return;
    }
    if (toolUse.name === ANSWER_TOOL) {
      yield* this.#open(index, "text");
      return;
    }
    const tool = {
      kind: "tool" as const,
      id: String(toolUse.toolUseId),
      name: String(toolUse.name),
      input: "",
    };
    this.#blocks.set(index, tool);
    this.#calledTool = true;
    yield { type: "tool-input-start", id: tool.id, toolName: tool.name };
  }

  *#open(index: unknown, kind: "text" | "reasoning"): Generator<LanguageModelV3StreamPart> {
    yield* this.#endText();
    const id = String(index);
    this.#blocks.set(index, { kind, id });
    yield { type: `${kind}-start`, id };
  }

  *#delta(index: unknown, delta: JsonObject): Generator<LanguageModelV3StreamPart> {
    if (typeof delta.text === "string") yield* this.#text(index, delta.text);
    if (isJsonObject(delta.reasoningContent)) yield* this.#reasoning(index, delta.reasoningContent);
    if (isJsonObject(delta.toolUse)) yield* this.#input(index, String(delta.toolUse.input ?? ""));
    if (isJsonObject(delta.citation)) yield* readCitations([delta.citation]);
  }

  *#text(index: unknown, delta: string): Generator<LanguageModelV3StreamPart> {
    if (!this.#blocks.has(index)) yield* this.#open(index, "text");
    if (this.#blocks.get(index)!.kind !== "text") return;
    yield { type: "text-delta", id: String(index), delta };
  }

  *#reasoning(index: unknown, content: JsonObject): Generator<LanguageModelV3StreamPart> {
    if (!this.#blocks.has(index)) yield* this.#open(index, "reasoning");
    if (this.#blocks.get(index)!.kind !== "reasoning") return;
    const { text, signature, redactedContent } = content;
    const members = {
      ...(signature === undefined ? {} : { signature }),
      ...(redactedContent === undefined ? {} : { redactedData: redactedContent }),
    };
    const id = String(index);
    const delta = typeof text === "string" ? text : "";
    if (Object.keys(members).length === 0) yield { type: "reasoning-delta", id, delta };
    else yield { type: "reasoning-delta", id, delta, providerMetadata: optionsFor("anthropic", members) };
  }

  *#input(index: unknown, delta: string): Generator<LanguageModelV3StreamPart> {
    const block = this.#blocks.get(index);
    if (block === undefined || delta === "") return;
    if (block.kind === "search") block.input += delta;
    else if (block.kind === "tool") {
      block.input += delta;
      yield { type: "tool-input-delta", id: block.id, delta };
    } else if (block.kind === "text") yield { type: "text-delta", id: block.id, delta };
  }

  *#stop(index: unknown): Generator<LanguageModelV3StreamPart> {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block === undefined) return;
    if (block.kind === "text") {
      yield* this.#endText();
      this.#ended = block.id;
    }
    if (block.kind === "reasoning") yield { type: "reasoning-end", id: block.id };
    if (block.kind === "search") yield searchCall(block.id, queryOf(parseJsonObject(block.input)));
    if (block.kind !== "tool") return;
    const { id, name, input } = block;
    if (input === "") yield { type: "tool-input-delta", id, delta: "{}" };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: name, input: input || "{}" };
  }
}

import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { readChatFinishReason } from "../../formats/answer-members.ts";
import { readExtraContent } from "../../formats/signature.ts";
import type { SseEvent } from "../../formats/sse-event.ts";
import { readChatUsage, toNeutralUsage } from "../../formats/usage.ts";
import { citation, readPage } from "../../formats/web-search.ts";

interface ToolState {
  readonly id: string;
  readonly name: string;
  readonly metadata: ReturnType<typeof readExtraContent>;
  input: string;
}

/**
 * Chat completion chunks as neutral parts. `finish` comes only after `[DONE]`, because the usage chunk stands before
 * it; a stream that ends without it has no `finish`.
 */
export async function* fromChatStream(
  events: AsyncIterable<SseEvent>,
  toError: Provider["toError"],
): AsyncGenerator<LanguageModelV3StreamPart> {
  const reader = new ChunkReader();
  yield { type: "stream-start", warnings: [] };
  for await (const { data } of events) {
    if (data === "[DONE]") {
      for (const part of reader.finish()) yield part;
      return;
    }
    const chunk = parseJsonObject(data);
    if (chunk === undefined) throw new GatewayError(502, "api_error", "The provider's stream is not valid");
    if (chunk.error !== undefined && chunk.error !== null) throw toError(502, {}, data);
    // `yield*` would await each part several times more.
    for (const part of reader.read(chunk)) yield part;
  }
}

class ChunkReader {
  readonly #tools = new Map<number, ToolState>();
  #open: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  #openTool: number | undefined;
  #parts = 0;
  #usage: Usage | undefined;
  #finish: LanguageModelV3FinishReason | undefined;

  *read(chunk: JsonObject): Generator<LanguageModelV3StreamPart> {
    if (isJsonObject(chunk.usage)) this.#usage = readChatUsage(chunk.usage, chunk.service_tier);
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isJsonObject(choice)) return;
    if (isJsonObject(choice.delta)) yield* this.#delta(choice.delta);
    if (typeof choice.finish_reason === "string") this.#finish = readChatFinishReason(choice.finish_reason);
  }

  *finish(): Generator<LanguageModelV3StreamPart> {
    if (this.#finish === undefined) return;
    yield* this.#close();
    yield { type: "finish", finishReason: this.#finish, usage: toNeutralUsage(this.#usage) };
  }

  *#delta(delta: JsonObject): Generator<LanguageModelV3StreamPart> {
    const reasoning = reasoningText(delta);
    if (reasoning !== "") yield* this.#text("reasoning", reasoning);
    for (const text of [delta.content, delta.refusal]) {
      if (typeof text === "string" && text !== "") yield* this.#text("text", text);
    }
    yield* readAnnotations(delta);
    const calls: unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    for (const call of calls) if (isJsonObject(call)) yield* this.#toolCall(call);
  }

  *#text(kind: "text" | "reasoning", delta: string): Generator<LanguageModelV3StreamPart> {
    if (this.#open?.kind !== kind) {
      yield* this.#close();
      this.#open = { kind, id: String(this.#parts) };
      this.#parts += 1;
      yield { type: `${kind}-start`, id: this.#open.id };
    }
    yield { type: `${kind}-delta`, id: this.#open.id, delta };
  }

  *#toolCall(call: JsonObject): Generator<LanguageModelV3StreamPart> {
    const called = objectOf(call.function);
    // Hosts that send calls whole may leave the index out.
    const index = typeof call.index === "number" ? call.index : this.#tools.size;
    if (!this.#tools.has(index)) yield* this.#startTool(index, call, called);
    if (typeof called.arguments === "string" && called.arguments !== "") {
      yield* this.#toolInput(index, called.arguments);
    }
  }

  *#startTool(index: number, call: JsonObject, called: JsonObject): Generator<LanguageModelV3StreamPart> {
    if (typeof called.name !== "string") {
      throw new GatewayError(502, "api_error", "The provider's stream has a tool call without a name");
    }
    yield* this.#close();
    const id = typeof call.id === "string" && call.id !== "" ? call.id : `call_${index}`;
    const metadata = readExtraContent(call.extra_content);
    this.#tools.set(index, { id, name: called.name, metadata, input: "" });
    this.#openTool = index;
    yield { type: "tool-input-start", id, toolName: called.name, providerMetadata: metadata };
  }

  *#toolInput(index: number, delta: string): Generator<LanguageModelV3StreamPart> {
    const tool = this.#tools.get(index);
    if (tool === undefined || this.#openTool !== index) {
      throw new GatewayError(502, "api_error", "The provider's stream mixes the input of tool calls");
    }
    tool.input += delta;
    yield { type: "tool-input-delta", id: tool.id, delta };
  }

  /** Ends what is open, so that another part can begin. */
  *#close(): Generator<LanguageModelV3StreamPart> {
    if (this.#open !== undefined) {
      yield { type: `${this.#open.kind}-end`, id: this.#open.id };
      this.#open = undefined;
    }
    const tool = this.#openTool === undefined ? undefined : this.#tools.get(this.#openTool);
    if (tool === undefined) return;
    this.#openTool = undefined;
    const { id, name, metadata } = tool;
    if (tool.input === "") yield { type: "tool-input-delta", id, delta: "{}" };
    yield { type: "tool-input-end", id };
    const input = tool.input || "{}";
    yield { type: "tool-call", toolCallId: id, toolName: name, input, providerMetadata: metadata };
  }
}

/** Reasoning where a host shows it: `reasoning_content` (DeepSeek, vLLM) or `reasoning` (OpenRouter, Groq). */
export function reasoningText(message: JsonObject): string {
  const text = message.reasoning_content ?? message.reasoning;
  return typeof text === "string" ? text : "";
}

/** The pages that a text cites (OpenAI API reference: `annotations` of a message). */
export function readAnnotations({ annotations }: JsonObject) {
  if (!Array.isArray(annotations)) return [];
  return annotations
    .flatMap((annotation: unknown) => readPage(objectOf(annotation).url_citation))
    .map((page) => citation(page.url, page));
}

import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { readChatFinishReason } from "../../formats/answer-members.ts";
import { ChatGrammar } from "../../formats/chat/chat-grammar.ts";
import { type PartBatch, readBatch } from "../../formats/neutral-stream.ts";
import { readExtraContent } from "../../formats/signature.ts";
import { SimilarJson } from "../../formats/similar-json.ts";
import type { SseEvent } from "../../formats/sse-event.ts";
import { brokenGrammar } from "../../formats/stream-outcome.ts";
import { citation, readPage } from "../../formats/tools/web-search.ts";
import { readChatUsage, toNeutralUsage } from "../../formats/usage.ts";

interface ToolState {
  readonly id: string;
  readonly name: string;
  readonly metadata: ReturnType<typeof readExtraContent>;
  input: string;
}

/**
 * Chat completion chunks as neutral parts, those of a chunk of bytes together. `finish` comes only after `[DONE]`, because
 * the usage chunk stands before it; a stream that ends without it has no `finish`. What a native stream may not do ends
 * this one too.
 */
export async function* fromChatStream(
  chunks: AsyncIterable<readonly SseEvent[]>,
  toError: Provider["toError"],
): AsyncGenerator<PartBatch> {
  const grammar = new ChatGrammar();
  const reader = new ChunkReader();
  const json = new SimilarJson();
  yield [{ type: "stream-start", warnings: [] }];
  for await (const events of chunks) {
    const batch = readBatch(events, ({ data }, parts) => {
      if (data === "[DONE]") {
        requireRight(grammar.accept(undefined, data));
        reader.finish(parts);
        return false;
      }
      const chunk = json.parse(data);
      if (chunk === undefined) throw new GatewayError(502, "api_error", "The provider's stream is not valid");
      if (chunk.error !== undefined && chunk.error !== null) throw toError(502, {}, data);
      requireRight(grammar.check(undefined, chunk));
      reader.read(chunk, parts);
      return true;
    });
    yield batch.parts;
    if (batch.failure !== undefined) throw batch.failure;
    if (batch.isLast) return;
  }
}

function requireRight(wrong: string | undefined): void {
  if (wrong !== undefined) throw brokenGrammar(wrong);
}

class ChunkReader {
  readonly #tools = new Map<number, ToolState>();
  #open: { readonly kind: "text" | "reasoning"; readonly id: string } | undefined;
  #openTool: number | undefined;
  #parts = 0;
  #usage: Usage | undefined;
  #finish: LanguageModelV3FinishReason | undefined;

  read(chunk: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    if (isJsonObject(chunk.usage)) this.#usage = readChatUsage(chunk.usage, chunk.service_tier);
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    if (!isJsonObject(choice)) return;
    if (isJsonObject(choice.delta)) this.#delta(choice.delta, parts);
    if (typeof choice.finish_reason === "string") this.#finish = readChatFinishReason(choice.finish_reason);
  }

  finish(parts: LanguageModelV3StreamPart[]): void {
    if (this.#finish === undefined) return;
    this.#close(parts);
    parts.push({ type: "finish", finishReason: this.#finish, usage: toNeutralUsage(this.#usage) });
  }

  #delta(delta: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    const reasoning = reasoningText(delta);
    if (reasoning !== "") this.#text("reasoning", reasoning, parts);
    for (const text of [delta.content, delta.refusal]) {
      if (typeof text === "string" && text !== "") this.#text("text", text, parts);
    }
    parts.push(...readAnnotations(delta));
    const calls: unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    for (const call of calls) if (isJsonObject(call)) this.#toolCall(call, parts);
  }

  #text(kind: "text" | "reasoning", delta: string, parts: LanguageModelV3StreamPart[]): void {
    if (this.#open?.kind !== kind) {
      this.#close(parts);
      this.#open = { kind, id: String(this.#parts) };
      this.#parts += 1;
      parts.push({ type: `${kind}-start`, id: this.#open.id });
    }
    parts.push({ type: `${kind}-delta`, id: this.#open.id, delta });
  }

  #toolCall(call: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    const called = objectOf(call.function);
    // Hosts that send calls whole may leave the index out.
    const index = typeof call.index === "number" ? call.index : this.#tools.size;
    if (!this.#tools.has(index)) this.#startTool(index, call, called, parts);
    if (typeof called.arguments === "string" && called.arguments !== "") {
      this.#toolInput(index, called.arguments, parts);
    }
  }

  #startTool(index: number, call: JsonObject, called: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    if (typeof called.name !== "string") {
      throw new GatewayError(502, "api_error", "The provider's stream has a tool call without a name");
    }
    this.#close(parts);
    const id = typeof call.id === "string" && call.id !== "" ? call.id : `call_${index}`;
    const metadata = readExtraContent(call.extra_content);
    this.#tools.set(index, { id, name: called.name, metadata, input: "" });
    this.#openTool = index;
    parts.push({ type: "tool-input-start", id, toolName: called.name, providerMetadata: metadata });
  }

  #toolInput(index: number, delta: string, parts: LanguageModelV3StreamPart[]): void {
    const tool = this.#tools.get(index);
    if (tool === undefined || this.#openTool !== index) {
      throw new GatewayError(502, "api_error", "The provider's stream mixes the input of tool calls");
    }
    tool.input += delta;
    parts.push({ type: "tool-input-delta", id: tool.id, delta });
  }

  /** Ends what is open, so that another part can begin. */
  #close(parts: LanguageModelV3StreamPart[]): void {
    if (this.#open !== undefined) {
      parts.push({ type: `${this.#open.kind}-end`, id: this.#open.id });
      this.#open = undefined;
    }
    const tool = this.#openTool === undefined ? undefined : this.#tools.get(this.#openTool);
    if (tool === undefined) return;
    this.#openTool = undefined;
    const { id, name, metadata } = tool;
    if (tool.input === "") parts.push({ type: "tool-input-delta", id, delta: "{}" });
    parts.push({ type: "tool-input-end", id });
    const input = tool.input || "{}";
    parts.push({ type: "tool-call", toolCallId: id, toolName: name, input, providerMetadata: metadata });
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

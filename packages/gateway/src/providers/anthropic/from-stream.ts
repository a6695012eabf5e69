import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { statusOfErrorType } from "../../formats/error-statuses.ts";
import { MessagesGrammar } from "../../formats/messages/messages-grammar.ts";
import { type PartBatch, readBatch } from "../../formats/neutral-stream.ts";
import { optionsFor } from "../../formats/provider-options.ts";
import { SimilarJson } from "../../formats/similar-json.ts";
import type { SseEvent } from "../../formats/sse-event.ts";
import { brokenGrammar } from "../../formats/stream-outcome.ts";
import { queryOf, searchCall } from "../../formats/tools/web-search.ts";
import { readMessagesUsage, toNeutralUsage } from "../../formats/usage.ts";
import { readCitations, readEnd, readSearchResult } from "./from-response.ts";

type OpenBlock =
  | { readonly kind: "text" | "reasoning"; readonly id: string; readonly citations: unknown[] }
  | { readonly kind: "search"; readonly id: string; input: string }
  | { readonly kind: "tool"; readonly id: string; readonly name: string; input: string };

/**
 * Messages events as neutral parts, those of a chunk together; a stream that ends without `message_stop` has no `finish`.
 * What a native stream may not do ends this one too.
 */
export async function* fromMessagesStream(
  chunks: AsyncIterable<readonly SseEvent[]>,
  toError: Provider["toError"],
): AsyncGenerator<PartBatch> {
  const grammar = new MessagesGrammar();
  const reader = new EventReader();
  const json = new SimilarJson();
  yield [{ type: "stream-start", warnings: [] }];
  for await (const events of chunks) {
    const batch = readBatch(events, ({ event: name, data }, parts) => {
      const event = json.parse(data);
      if (event === undefined) throw new GatewayError(502, "api_error", "The provider's stream is not valid");
      if (event.type === "error") throw toError(statusOf(event) ?? 502, {}, data);
      const wrong = grammar.check(name, event);
      if (wrong !== undefined) throw brokenGrammar(wrong);
      reader.read(event, parts);
      return event.type !== "message_stop";
    });
    yield batch.parts;
    if (batch.failure !== undefined) throw batch.failure;
    if (batch.isLast) return;
  }
}

function statusOf({ error }: JsonObject): number | undefined {
  return isJsonObject(error) ? statusOfErrorType(error.type) : undefined;
}

class EventReader {
  readonly #blocks = new Map<unknown, OpenBlock>();
  #usage: Usage | undefined;
  #end: ReturnType<typeof readEnd> | undefined;

  read(event: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    switch (event.type) {
      case "message_start":
        this.#usage = readMessagesUsage(isJsonObject(event.message) ? event.message.usage : undefined);
        return;
      case "content_block_start":
        this.#start(event.index, objectOf(event.content_block), parts);
        return;
      case "content_block_delta":
        this.#delta(event.index, objectOf(event.delta), parts);
        return;
      case "content_block_stop":
        this.#stop(event.index, parts);
        return;
      case "message_delta":
        this.#usage = readMessagesUsage(event.usage, this.#usage);
        this.#end = readEnd(objectOf(event.delta));
        return;
      case "message_stop":
        if (this.#end !== undefined)
          parts.push({ type: "finish", ...this.#end, usage: toNeutralUsage(this.#usage) });
    }
  }

  #start(index: unknown, block: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    const id = String(index);
    switch (block.type) {
      case "text":
        this.#blocks.set(index, { kind: "text", id, citations: [] });
        parts.push({ type: "text-start", id });
        return;
      case "thinking":
        this.#blocks.set(index, { kind: "reasoning", id, citations: [] });
        parts.push({ type: "reasoning-start", id });
        return;
      case "redacted_thinking":
        this.#blocks.set(index, { kind: "reasoning", id, citations: [] });
        parts.push({
          type: "reasoning-start",
          id,
          providerMetadata: optionsFor("anthropic", { redactedData: block.data }),
        });
        return;
      case "tool_use": {
        const tool = { kind: "tool" as const, id: String(block.id), name: String(block.name), input: "" };
        this.#blocks.set(index, tool);
        parts.push({ type: "tool-input-start", id: tool.id, toolName: tool.name });
        return;
      }
      case "server_tool_use":
        if (block.name === "web_search")
          this.#blocks.set(index, { kind: "search", id: String(block.id), input: "" });
        return;
      case "web_search_tool_result":
        parts.push(readSearchResult(block));
    }
  }

  #delta(index: unknown, delta: JsonObject, parts: LanguageModelV3StreamPart[]): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    const { id } = block;
    if (delta.type === "text_delta") parts.push({ type: "text-delta", id, delta: String(delta.text) });
    if (delta.type === "thinking_delta")
      parts.push({ type: "reasoning-delta", id, delta: String(delta.thinking) });
    if (delta.type === "signature_delta") {
      const providerMetadata = optionsFor("anthropic", { signature: delta.signature });
      parts.push({ type: "reasoning-delta", id, delta: "", providerMetadata });
    }
    if (delta.type === "citations_delta" && "citations" in block) block.citations.push(delta.citation);
    if (delta.type === "input_json_delta" && block.kind === "search")
      block.input += String(delta.partial_json);
    if (delta.type === "input_json_delta" && block.kind === "tool" && delta.partial_json !== "") {
      block.input += String(delta.partial_json);
      parts.push({ type: "tool-input-delta", id, delta: String(delta.partial_json) });
    }
  }

  #stop(index: unknown, parts: LanguageModelV3StreamPart[]): void {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block === undefined) return;
    const { id } = block;
    if (block.kind === "search") {
      parts.push(searchCall(id, queryOf(parseJsonObject(block.input))));
      return;
    }
    if (block.kind !== "tool") {
      // A citation is for the whole of its text.
      parts.push(...readCitations(block.citations));
      parts.push({ type: `${block.kind}-end`, id });
      return;
    }
    if (block.input === "") parts.push({ type: "tool-input-delta", id, delta: "{}" });
    parts.push({ type: "tool-input-end", id });
    parts.push({ type: "tool-call", toolCallId: id, toolName: block.name, input: block.input || "{}" });
  }
}

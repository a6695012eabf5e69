import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { statusOfErrorType } from "../../formats/error-statuses.ts";
import { optionsFor } from "../../formats/provider-options.ts";
import type { SseEvent } from "../../formats/sse-event.ts";
import { readMessagesUsage, toNeutralUsage } from "../../formats/usage.ts";
import { queryOf, searchCall } from "../../formats/web-search.ts";
import { readCitations, readEnd, readSearchResult } from "./from-response.ts";

type OpenBlock =
  | { readonly kind: "text" | "reasoning"; readonly id: string; readonly citations: unknown[] }
  | { readonly kind: "search"; readonly id: string; input: string }
  | { readonly kind: "tool"; readonly id: string; readonly name: string; input: string };

/** Messages events as neutral parts; a stream that ends without `message_stop` has no `finish`. */
export async function* fromMessagesStream(
  events: AsyncIterable<SseEvent>,
  toError: Provider["toError"],
): AsyncGenerator<LanguageModelV3StreamPart> {
  const reader = new EventReader();
  yield { type: "stream-start", warnings: [] };
  for await (const { data } of events) {
    const event = parseJsonObject(data);
    if (event === undefined) throw new GatewayError(502, "api_error", "The provider's stream is not valid");
    if (event.type === "error") throw toError(statusOf(event) ?? 502, {}, data);
    // `yield*` would await each part several times more.
    for (const part of reader.read(event)) yield part;
    if (event.type === "message_stop") return;
  }
}

function statusOf({ error }: JsonObject): number | undefined {
  return isJsonObject(error) ? statusOfErrorType(error.type) : undefined;
}

class EventReader {
  readonly #blocks = new Map<unknown, OpenBlock>();
  #usage: Usage | undefined;
  #end: ReturnType<typeof readEnd> | undefined;

  *read(event: JsonObject): Generator<LanguageModelV3StreamPart> {
    switch (event.type) {
      case "message_start":
        this.#usage = readMessagesUsage(isJsonObject(event.message) ? event.message.usage : undefined);
        return;
      case "content_block_start":
        yield* this.#start(event.index, isJsonObject(event.content_block) ? event.content_block : {});
        return;
      case "content_block_delta":
        yield* this.#delta(event.index, objectOf(event.delta));
        return;
      case "content_block_stop":
        yield* this.#stop(event.index);
        return;
      case "message_delta":
        this.#usage = readMessagesUsage(event.usage, this.#usage);
        this.#end = readEnd(objectOf(event.delta));
        return;
      case "message_stop":
        if (this.#end !== undefined)
          yield { type: "finish", ...this.#end, usage: toNeutralUsage(this.#usage) };
    }
  }

  *#start(index: unknown, block: JsonObject): Generator<LanguageModelV3StreamPart> {
    const id = String(index);
    switch (block.type) {
      case "text":
        this.#blocks.set(index, { kind: "text", id, citations: [] });
        yield { type: "text-start", id };
        return;
      case "thinking":
        this.#blocks.set(index, { kind: "reasoning", id, citations: [] });
        yield { type: "reasoning-start", id };
        return;
      case "redacted_thinking":
        this.#blocks.set(index, { kind: "reasoning", id, citations: [] });
        yield {
          type: "reasoning-start",
          id,
          providerMetadata: optionsFor("anthropic", { redactedData: block.data }),
        };
        return;
      case "tool_use": {
        const tool = { kind: "tool" as const, id: String(block.id), name: String(block.name), input: "" };
        this.#blocks.set(index, tool);
        yield { type: "tool-input-start", id: tool.id, toolName: tool.name };
        return;
      }
      case "server_tool_use":
        if (block.name === "web_search")
          this.#blocks.set(index, { kind: "search", id: String(block.id), input: "" });
        return;
      case "web_search_tool_result":
        yield readSearchResult(block);
    }
  }

  *#delta(index: unknown, delta: JsonObject): Generator<LanguageModelV3StreamPart> {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    const { id } = block;
    if (delta.type === "text_delta") yield { type: "text-delta", id, delta: String(delta.text) };
    if (delta.type === "thinking_delta") yield { type: "reasoning-delta", id, delta: String(delta.thinking) };
    if (delta.type === "signature_delta") {
      const providerMetadata = optionsFor("anthropic", { signature: delta.signature });
      yield { type: "reasoning-delta", id, delta: "", providerMetadata };
    }
    if (delta.type === "citations_delta" && "citations" in block) block.citations.push(delta.citation);
    if (delta.type === "input_json_delta" && block.kind === "search")
      block.input += String(delta.partial_json);
    if (delta.type === "input_json_delta" && block.kind === "tool" && delta.partial_json !== "") {
      block.input += String(delta.partial_json);
      yield { type: "tool-input-delta", id, delta: String(delta.partial_json) };
    }
  }

  *#stop(index: unknown): Generator<LanguageModelV3StreamPart> {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block === undefined) return;
    const { id } = block;
    if (block.kind === "search") {
      yield searchCall(id, queryOf(parseJsonObject(block.input)));
      return;
    }
    if (block.kind !== "tool") {
      // A citation is for the whole of its text.
      yield* readCitations(block.citations);
      yield { type: `${block.kind}-end`, id };
      return;
    }
    if (block.input === "") yield { type: "tool-input-delta", id, delta: "{}" };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: block.name, input: block.input || "{}" };
  }
}

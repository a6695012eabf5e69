import type { LanguageModelV3Content, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import { type CallerTool, customInput } from "./caller-tools.ts";
import {
  type ItemStatus,
  messageItem,
  reasoningItem,
  textCitations,
  textPart,
  toolCallItem,
} from "./output-items.ts";

type SourcePart = Extract<LanguageModelV3Content, { type: "source" }>;

/** One event before it has its number: name and members. */
export type ItemEvent = readonly [name: string, members: JsonObject];

/** What an item under construction is, beside its id and place. */
export type ItemKind =
  | { readonly type: "message" }
  | { readonly type: "reasoning" }
  | {
      readonly type: "function_call" | "custom_tool_call";
      readonly callId: string;
      readonly tool: CallerTool;
    };

/** An output item while it is written: gives the events of its start, its deltas and its end in their order. */
export class OpenItem {
  readonly id: string;
  readonly #index: number;
  readonly #kind: ItemKind;
  #text = "";
  readonly #annotations: JsonObject[] = [];
  #metadata: SharedV3ProviderMetadata | undefined;

  constructor(id: string, index: number, kind: ItemKind, metadata: SharedV3ProviderMetadata | undefined) {
    this.id = id;
    this.#index = index;
    this.#kind = kind;
    this.#metadata = metadata;
  }

  /** What a provider signed arrives with any part of the item. */
  note(metadata: SharedV3ProviderMetadata | undefined): void {
    if (metadata !== undefined) this.#metadata = { ...this.#metadata, ...metadata };
  }

  start(): ItemEvent[] {
    const added: ItemEvent = ["response.output_item.added", { item: this.#item("in_progress", undefined) }];
    if (this.#kind.type !== "message") return [this.#placed(added)];
    return [
      this.#placed(added),
      this.#within("response.content_part.added", { content_index: 0, part: textPart("") }),
    ];
  }

  /** A custom tool's input stands within JSON that is not complete yet: it comes in one piece at the end. */
  get hasDeltas(): boolean {
    return this.#kind.type !== "custom_tool_call";
  }

  /** Takes more text. Gives what comes before the delta's own event. */
  append(delta: string): ItemEvent[] {
    const isFirst = this.#text === "";
    this.#text += delta;
    if (!isFirst || this.#kind.type !== "reasoning") return [];
    const part = { type: "summary_text", text: "" };
    return [this.#within("response.reasoning_summary_part.added", { summary_index: 0, part })];
  }

  delta(delta: string): ItemEvent {
    if (this.#kind.type === "message")
      return this.#within("response.output_text.delta", { content_index: 0, delta, logprobs: [] });
    if (this.#kind.type === "reasoning")
      return this.#within("response.reasoning_summary_text.delta", { summary_index: 0, delta });
    return this.#within("response.function_call_arguments.delta", { delta });
  }

  /** Cites a page for the text so far; only messages can. */
  cite(source: SourcePart): ItemEvent[] {
    if (this.#kind.type !== "message") return [];
    return textCitations(source, this.#text).map((annotation) => {
      const place = { content_index: 0, annotation_index: this.#annotations.length };
      this.#annotations.push(annotation);
      return this.#within("response.output_text.annotation.added", { ...place, annotation });
    });
  }

  end(status: ItemStatus): ItemEvent[] {
    return [
      ...this.#endContent(),
      this.#placed(["response.output_item.done", { item: this.finished(status) }]),
    ];
  }

  /** The item as it stands in the response's output. */
  finished(status: ItemStatus): JsonObject {
    return this.#item(status, this.#text);
  }

  #endContent(): ItemEvent[] {
    const text = this.#text;
    switch (this.#kind.type) {
      case "message":
        return [
          this.#within("response.output_text.done", { content_index: 0, text, logprobs: [] }),
          this.#within("response.content_part.done", {
            content_index: 0,
            part: textPart(text, this.#annotations),
          }),
        ];
      case "function_call": {
        const { name } = this.#kind.tool;
        return [this.#within("response.function_call_arguments.done", { name, arguments: text })];
      }
      case "custom_tool_call": {
        const input = customInput(text);
        return [
          this.#within("response.custom_tool_call_input.delta", { delta: input }),
          this.#within("response.custom_tool_call_input.done", { input }),
        ];
      }
      case "reasoning":
        if (text === "") return [];
        return [
          this.#within("response.reasoning_summary_text.done", { summary_index: 0, text }),
          this.#within("response.reasoning_summary_part.done", {
            summary_index: 0,
            part: { type: "summary_text", text },
          }),
        ];
    }
  }

  #item(status: ItemStatus, text: string | undefined): JsonObject {
    switch (this.#kind.type) {
      case "message":
        return messageItem(this.id, status, text, this.#annotations);
      case "function_call":
      case "custom_tool_call": {
        const call = { id: this.#kind.callId, tool: this.#kind.tool, input: text ?? "" };
        return toolCallItem(this.id, status, call, this.#metadata);
      }
      case "reasoning":
        return reasoningItem(this.id, text ?? "", text === undefined ? undefined : this.#metadata);
    }
  }

  #placed([name, members]: ItemEvent): ItemEvent {
    return [name, { output_index: this.#index, ...members }];
  }

  #within(name: string, members: JsonObject): ItemEvent {
    return [name, { item_id: this.id, output_index: this.#index, ...members }];
  }
}

/** The events of a search, which comes whole when it is over. */
export function searchEvents(item: JsonObject, output_index: number): ItemEvent[] {
  const { action: _, ...rest } = item;
  const at = { output_index, item_id: item.id };
  return [
    ["response.output_item.added", { output_index, item: { ...rest, status: "in_progress" } }],
    ["response.web_search_call.in_progress", at],
    ["response.web_search_call.searching", at],
    ["response.web_search_call.completed", at],
    ["response.output_item.done", { output_index, item }],
  ];
}

import type { StreamGrammar } from "../../contract/dialect.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { SimilarJson } from "../similar-json.ts";
import { readMessagesUsage } from "../usage.ts";

/** Delta types by the block types that they may extend; a type that is not listed is new and may go anywhere. */
const blocksOf: ReadonlyMap<string, ReadonlySet<unknown>> = new Map<string, ReadonlySet<unknown>>([
  ["text_delta", new Set(["text"])],
  ["citations_delta", new Set(["text"])],
  ["thinking_delta", new Set(["thinking"])],
  ["signature_delta", new Set(["thinking"])],
  ["input_json_delta", new Set(["tool_use", "server_tool_use", "mcp_tool_use"])],
]);

const EMPTY_AT_START: ReadonlySet<unknown> = new Set(["text", "thinking"]);

/**
 * The order of a Messages stream: `message_start`; blocks 0, 1, 2, ... each with start, deltas, stop; `message_delta`;
 * `message_stop`. `ping` may come anywhere, `error` ends it.
 */
export class MessagesGrammar implements StreamGrammar {
  failed = false;
  hasContent = false;
  outputCharacters = 0;
  readonly #json = new SimilarJson();
  #phase: "before" | "content" | "delta" | "stopped" = "before";
  #nextIndex = 0;
  #openBlock: unknown;
  #usage: Usage | undefined;

  get isComplete(): boolean {
    return this.#phase === "stopped";
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  accept(event: string | undefined, data: string): string | undefined {
    if (this.isComplete || this.failed) return "an event came after the end";
    const body = this.#json.parse(data);
    return body === undefined ? "an event's data is not a JSON object" : this.check(event, body);
  }

  check(event: string | undefined, body: JsonObject): string | undefined {
    if (this.isComplete || this.failed) return "an event came after the end";
    if (event !== undefined && event !== body.type) return "an event's name and its data's type differ";
    switch (body.type) {
      case "message_start":
        return this.#start(body);
      case "content_block_start":
        return this.#blockStart(body);
      case "content_block_delta":
        return this.#blockDelta(body);
      case "content_block_stop":
        return this.#blockStop(body);
      case "message_delta":
        return this.#messageDelta(body);
      case "message_stop":
        if (this.#phase !== "delta") return "message_stop came before message_delta";
        this.#phase = "stopped";
        return undefined;
      case "error":
        this.failed = true;
        return undefined;
      default:
        return typeof body.type === "string" ? undefined : "an event has no type";
    }
  }

  #start(body: JsonObject): string | undefined {
    if (this.#phase !== "before") return "message_start came twice";
    if (!isJsonObject(body.message)) return "message_start has no message";
    this.#phase = "content";
    this.#usage = readMessagesUsage(body.message.usage);
    return undefined;
  }

  #blockStart(body: JsonObject): string | undefined {
    if (this.#phase !== "content") return "a block started outside the content";
    if (this.#openBlock !== undefined) return "a block started inside another one";
    if (body.index !== this.#nextIndex) return `expected block ${this.#nextIndex}`;
    if (!isJsonObject(body.content_block) || typeof body.content_block.type !== "string") {
      return "content_block_start has no block";
    }
    this.#openBlock = body.content_block.type;
    // Texts and thoughts come in deltas; a block of another type says something by itself.
    if (!EMPTY_AT_START.has(this.#openBlock)) this.hasContent = true;
    return undefined;
  }

  #blockDelta(body: JsonObject): string | undefined {
    if (this.#openBlock === undefined || body.index !== this.#nextIndex) {
      return "a delta came for a block that is not open";
    }
    const { delta } = body;
    if (!isJsonObject(delta) || typeof delta.type !== "string") return "a content_block_delta has no delta";
    if (blocksOf.get(delta.type)?.has(this.#openBlock) === false) {
      return `a ${delta.type} came in a ${String(this.#openBlock)} block`;
    }
    this.hasContent = true;
    const text = delta.text ?? delta.thinking ?? delta.partial_json;
    if (typeof text === "string") this.outputCharacters += text.length;
    return undefined;
  }

  #blockStop(body: JsonObject): string | undefined {
    if (this.#openBlock === undefined || body.index !== this.#nextIndex) {
      return "a block stopped that is not open";
    }
    this.#openBlock = undefined;
    this.#nextIndex += 1;
    return undefined;
  }

  #messageDelta(body: JsonObject): string | undefined {
    if (this.#phase !== "content" && this.#phase !== "delta") return "message_delta came out of order";
    if (this.#openBlock !== undefined) return "message_delta came inside a block";
    this.#phase = "delta";
    this.hasContent = true;
    this.#usage = readMessagesUsage(body.usage, this.#usage);
    return undefined;
  }
}

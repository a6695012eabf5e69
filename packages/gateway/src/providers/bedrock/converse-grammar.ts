import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { brokenGrammar } from "../../formats/stream-outcome.ts";
import type { EventMessage } from "./event-stream.ts";

/**
 * Converse's events up to one that their order does not allow (Bedrock API reference, "ConverseStreamOutput").
 * @throws GatewayError 502 for that one
 */
export async function* checkedConverse(messages: AsyncIterable<EventMessage>): AsyncGenerator<EventMessage> {
  const grammar = new ConverseGrammar();
  for await (const message of messages) {
    const wrong = message.kind === "event" ? grammar.accept(message.name, message.payload) : undefined;
    if (wrong !== undefined) throw brokenGrammar(wrong);
    yield message;
  }
}

/**
 * The order of a Converse stream: `messageStart`; blocks, one after the other, each with its pieces and its end;
 * `messageStop`; `metadata`. Blocks of tools say that they start, others begin with their first piece.
 */
class ConverseGrammar {
  #phase: "before" | "content" | "stopped" | "counted" = "before";
  #open: number | undefined;
  #last = -1;

  /** The sentence says what is wrong. */
  accept(name: string, payload: JsonObject): string | undefined {
    switch (name) {
      case "messageStart":
        if (this.#phase !== "before") return "messageStart came twice";
        this.#phase = "content";
        return undefined;
      case "contentBlockStart":
      case "contentBlockDelta":
      case "contentBlockStop":
        return this.#block(name, payload);
      case "messageStop":
        // An empty answer may lack the start (strands-agents/sdk-typescript #749).
        if (this.#phase !== "content" && this.#phase !== "before") return "messageStop came out of order";
        if (this.#open !== undefined) return "the message stopped while a block was open";
        this.#phase = "stopped";
        return undefined;
      case "metadata":
        if (this.#phase !== "stopped") return "metadata came out of order";
        this.#phase = "counted";
        return undefined;
      default:
        return undefined;
    }
  }

  #block(name: string, { contentBlockIndex: index, delta }: JsonObject): string | undefined {
    if (this.#phase !== "content") return "a block came outside the content";
    if (typeof index !== "number") return "an event of a block has no index";
    if (name === "contentBlockStop") {
      if (this.#open !== index) return "a block stopped that is not open";
      this.#open = undefined;
      return undefined;
    }
    if (name === "contentBlockDelta" && this.#open === index) return undefined;
    if (this.#open !== undefined) return "a block started inside another one";
    if (index <= this.#last) return "a block started twice";
    if (name === "contentBlockDelta" && isJsonObject(delta) && delta.toolUse !== undefined)
      return "a tool's input came before its name";
    this.#open = index;
    this.#last = index;
    return undefined;
  }
}

import { GatewayError } from "../../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { decodeSse } from "../../../formats/sse-event.ts";

/** A tool call as the chat format has it. */
export interface ToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Collects a streamed chat completion while its text is handed on. */
export class ChatAnswer {
  #text = "";
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();

  get text(): string {
    return this.#text;
  }

  get toolCalls(): ToolCall[] {
    return [...this.#calls.values()].map(({ id, name, arguments: text }) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    }));
  }

  /**
   * Pieces of text as they come.
   * @throws GatewayError when the stream broke
   */
  async *read(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    for await (const { data } of decodeSse(stream)) {
      if (data === "[DONE]") return;
      const chunk = JSON.parse(data) as JsonObject;
      if (isJsonObject(chunk.error))
        throw broken(String(chunk.error.message ?? "The model's answer broke off"));
      const text = this.#take(chunk);
      if (text !== "") yield text;
    }
    throw broken("The model's answer broke off");
  }

  #take(chunk: JsonObject): string {
    const choice = Array.isArray(chunk.choices) ? (chunk.choices[0] as JsonObject | undefined) : undefined;
    const delta = choice?.delta;
    if (!isJsonObject(delta)) return "";
    if (Array.isArray(delta.tool_calls))
      for (const call of delta.tool_calls) this.#takeCall(call as JsonObject);
    const text = typeof delta.content === "string" ? delta.content : "";
    this.#text += text;
    return text;
  }

  #takeCall(piece: JsonObject): void {
    const index = Number(piece.index ?? 0);
    const call = this.#calls.get(index) ?? { id: "", name: "", arguments: "" };
    if (typeof piece.id === "string" && piece.id !== "") call.id = piece.id;
    if (isJsonObject(piece.function)) {
      if (typeof piece.function.name === "string") call.name += piece.function.name;
      if (typeof piece.function.arguments === "string") call.arguments += piece.function.arguments;
    }
    this.#calls.set(index, call);
  }
}

function broken(message: string): GatewayError {
  return new GatewayError(502, "api_error", message);
}

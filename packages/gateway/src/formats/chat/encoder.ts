import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { AnswerContext, EventCheck, StreamEncoder } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { answerId } from "../answer-members.ts";
import { writeExtraContent } from "../signature.ts";
import { AlikeEvents, dataEvent } from "../sse-event.ts";
import { fromNeutralUsage, writeChatUsage } from "../usage.ts";
import { chatCitations, finishReason, thinkingBlock } from "./from-result.ts";
import { wantsUsageChunk } from "./usage-chunk.ts";

/** What ends a stream of chunks. */
const DONE = "[DONE]";

type FinishPart = Extract<LanguageModelV3StreamPart, { type: "finish" }>;
type ToolCallPart = Extract<LanguageModelV3StreamPart, { type: "tool-call" }>;

/** Neutral parts as chat completion chunks. The first chunk waits for the first content. */
export class ChatEncoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #check: EventCheck;
  readonly #id: string;
  readonly #withUsage: boolean;
  /** Deltas of the calls that were begun, by their ids. */
  readonly #tools = new Map<string, AlikeEvents>();
  readonly #texts = new Map<string, AlikeEvents>();
  readonly #thoughts = new Map<string, string>();
  /** The range of the text that is written, in characters, which sources cite. */
  #textStart = 0;
  #textEnd = 0;
  #started = false;
  #usage: Usage | undefined;

  constructor(context: AnswerContext, check: EventCheck) {
    this.#context = context;
    this.#check = check;
    this.#id = answerId("chatcmpl-", context.callId);
    this.#withUsage = wantsUsageChunk(context.request);
  }

  push(part: LanguageModelV3StreamPart): string {
    switch (part.type) {
      case "text-start":
        this.#textStart = this.#textEnd;
        return "";
      case "text-delta":
        this.#textEnd += part.delta.length;
        return part.delta === "" ? "" : this.#text("content", part.delta);
      case "source": {
        const annotations = chatCitations(part, this.#textStart, this.#textEnd);
        return annotations.length === 0 ? "" : this.#delta({ annotations });
      }
      case "reasoning-start":
        this.#thoughts.set(part.id, "");
        return this.#thinking(part.id, part.providerMetadata);
      case "reasoning-delta":
        return this.#reasoning(part.id, part.delta) + this.#thinking(part.id, part.providerMetadata);
      case "reasoning-end":
        return this.#thinking(part.id, part.providerMetadata);
      case "tool-input-start":
        return this.#startTool(part.id, part.toolName, "", part.providerMetadata);
      case "tool-input-delta":
        return this.#toolDelta(part.id, part.delta);
      case "tool-call":
        return this.#wholeToolCall(part);
      case "finish":
        return this.#finish(part);
      default:
        return "";
    }
  }

  begin(): string {
    if (this.#started) return "";
    this.#started = true;
    return this.#choice({ role: "assistant", content: "" });
  }

  fail(error: GatewayError): string {
    return chatErrorEvent(error);
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  #chunk(choices: readonly JsonObject[], usage?: JsonObject): string {
    const chunk = this.#chunkOf(choices, usage);
    this.#check(undefined, chunk);
    return dataEvent(chunk);
  }

  #chunkOf(choices: readonly JsonObject[], usage?: JsonObject): JsonObject {
    const tier = this.#usage?.serviceTier;
    return {
      id: this.#id,
      object: "chat.completion.chunk",
      created: this.#context.created,
      model: this.#context.model,
      choices,
      ...(tier === undefined ? {} : { service_tier: tier }),
      ...(this.#withUsage ? { usage: usage ?? null } : {}),
    };
  }

  #choice(delta: JsonObject, finish: string | null = null): string {
    return this.#chunk([choiceOf(delta, finish)]);
  }

  /** A delta with nothing but a text. */
  #text(member: "content" | "reasoning_content", text: string): string {
    let texts = this.#texts.get(member);
    if (texts === undefined) {
      const delta: JsonObject = {};
      texts = this.#alike(delta, delta, member);
      this.#texts.set(member, texts);
    }
    return this.begin() + texts.next(text, this.#check);
  }

  #alike(delta: JsonObject, place: JsonObject, member: string): AlikeEvents {
    return new AlikeEvents(undefined, this.#chunkOf([choiceOf(delta, null)]), place, member);
  }

  #delta(delta: JsonObject): string {
    return this.begin() + this.#choice(delta);
  }

  #reasoning(id: string, delta: string): string {
    if (delta === "") return "";
    this.#thoughts.set(id, (this.#thoughts.get(id) ?? "") + delta);
    return this.#text("reasoning_content", delta);
  }

  /** A signature completes its block of reasoning: the block goes out whole, as a client must give it back. */
  #thinking(id: string, metadata: SharedV3ProviderMetadata | undefined): string {
    if (metadata === undefined) return "";
    const block = thinkingBlock({ text: this.#thoughts.get(id) ?? "", providerMetadata: metadata });
    return block === undefined ? "" : this.#delta({ thinking_blocks: [block] });
  }

  #startTool(
    id: string,
    name: string,
    input: string,
    metadata: SharedV3ProviderMetadata | undefined,
  ): string {
    const index = this.#tools.size;
    const called: JsonObject = {};
    const delta = { tool_calls: [{ index, function: called }] };
    this.#tools.set(id, this.#alike(delta, called, "arguments"));
    const call = { index, id, type: "function", function: { name, arguments: input } };
    return this.#delta({ tool_calls: [{ ...call, ...writeExtraContent(metadata) }] });
  }

  #toolDelta(id: string, delta: string): string {
    const deltas = this.#tools.get(id);
    if (deltas === undefined) throw new Error(`input came for tool call ${id}, which has not started`);
    return delta === "" ? "" : this.begin() + deltas.next(delta, this.#check);
  }

  #wholeToolCall(part: ToolCallPart): string {
    if (part.providerExecuted === true || this.#tools.has(part.toolCallId)) return "";
    return this.#startTool(part.toolCallId, part.toolName, part.input, part.providerMetadata);
  }

  #finish(part: FinishPart): string {
    this.#usage = fromNeutralUsage(part.usage);
    const end = this.begin() + this.#choice({}, finishReason(part, this.#tools.size > 0));
    const usage = this.#usage;
    const counted = this.#withUsage && usage !== undefined ? this.#chunk([], writeChatUsage(usage)) : "";
    this.#check(undefined, DONE);
    return `${end + counted}data: ${DONE}\n\n`;
  }
}

function choiceOf(delta: JsonObject, finish: string | null): JsonObject {
  return { index: 0, delta, logprobs: null, finish_reason: finish };
}

/** The event that ends a broken chat completion stream; no `[DONE]` follows it. */
export function chatErrorEvent(error: GatewayError): string {
  const { message, type, param, status } = error;
  return dataEvent({ error: { message, type, param: param ?? null, code: String(status) } });
}

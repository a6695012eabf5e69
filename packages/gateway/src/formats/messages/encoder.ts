import type {
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import type { AnswerContext, EventCheck, StreamEncoder } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { answerId, endOf, writeStopReason } from "../answer-members.ts";
import { packSignature, redactedDataOf, signatureOf, writeExtraContent } from "../signature.ts";
import { namedEvent } from "../sse-event.ts";
import { fromNeutralUsage, writeMessagesUsage } from "../usage.ts";
import { citations, searchBlocks, searchResultBlocks, searchUsage } from "./search-blocks.ts";

type FinishPart = Extract<LanguageModelV3StreamPart, { type: "finish" }>;
type SourcePart = Extract<LanguageModelV3StreamPart, { type: "source" }>;
type ToolCallPart = Extract<LanguageModelV3StreamPart, { type: "tool-call" }>;

/**
 * Neutral parts as Messages events. `message_start` waits for the first content, so that a call may still move to
 * another deployment before it. One block is open at a time; a new one closes it.
 */
export class MessagesEncoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #check: EventCheck;
  #started = false;
  #nextIndex = 0;
  #open: { readonly id: string; readonly index: number; readonly isText: boolean } | undefined;
  #searches = 0;
  readonly #toolCalls = new Set<string>();
  #usage: Usage | undefined;

  constructor(context: AnswerContext, check: EventCheck) {
    this.#context = context;
    this.#check = check;
  }

  push(part: LanguageModelV3StreamPart): string {
    switch (part.type) {
      case "text-start":
        return this.#start(part.id, { type: "text", text: "", citations: null });
      case "text-delta":
        return part.delta === "" ? "" : this.#delta(part.id, { type: "text_delta", text: part.delta });
      case "reasoning-start":
        return this.#startReasoning(part.id, part.providerMetadata);
      case "reasoning-delta":
        return (
          (part.delta === "" ? "" : this.#delta(part.id, { type: "thinking_delta", thinking: part.delta })) +
          this.#signature(part.id, part.providerMetadata)
        );
      case "tool-input-start":
        return this.#startTool(part.id, part.toolName, part.providerMetadata);
      case "tool-input-delta":
        return this.#delta(part.id, { type: "input_json_delta", partial_json: part.delta });
      case "reasoning-end":
        return this.#signature(part.id, part.providerMetadata) + this.#end(part.id);
      case "text-end":
      case "tool-input-end":
        return this.#end(part.id);
      case "tool-call":
        return this.#wholeToolCall(part);
      case "tool-result":
        return searchResultBlocks(part)
          .map((block) => this.#whole(part.toolCallId, block))
          .join("");
      case "source":
        return this.#cite(part);
      case "finish":
        return this.#finish(part);
      default:
        return "";
    }
  }

  begin(): string {
    if (this.#started) return "";
    this.#started = true;
    const message = {
      id: answerId("msg_", this.#context.callId),
      type: "message",
      role: "assistant",
      model: this.#context.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeMessagesUsage({ ...noUsage, input: roughInputTokens(this.#context.request) }),
    };
    return this.#event({ type: "message_start", message });
  }

  fail(error: GatewayError): string {
    return messagesErrorEvent(error);
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  #event(event: JsonObject & { readonly type: string }): string {
    this.#check(event.type, event);
    return namedEvent(event.type, event);
  }

  #start(id: string, block: JsonObject): string {
    const before = this.begin() + (this.#open === undefined ? "" : this.#end(this.#open.id));
    const index = this.#nextIndex;
    this.#nextIndex += 1;
    this.#open = { id, index, isText: block.type === "text" };
    return before + this.#event({ type: "content_block_start", index, content_block: block });
  }

  #startReasoning(id: string, metadata: SharedV3ProviderMetadata | undefined): string {
    const data = redactedDataOf(metadata);
    if (data !== undefined) return this.#start(id, { type: "redacted_thinking", data });
    return this.#start(id, { type: "thinking", thinking: "", signature: "" });
  }

  #startTool(id: string, name: string, metadata: SharedV3ProviderMetadata | undefined): string {
    this.#toolCalls.add(id);
    return this.#start(id, { type: "tool_use", id, name, input: {}, ...writeExtraContent(metadata) });
  }

  #delta(id: string, delta: JsonObject): string {
    if (this.#open?.id !== id) throw new Error(`a delta came for block ${id}, which is not open`);
    const { index } = this.#open;
    return this.#event({ type: "content_block_delta", index, delta });
  }

  #signature(id: string, metadata: SharedV3ProviderMetadata | undefined): string {
    const signature = signatureOf(metadata);
    if (signature === undefined || this.#open?.id !== id) return "";
    return this.#delta(id, { type: "signature_delta", signature: packSignature(signature) });
  }

  #end(id: string): string {
    if (this.#open?.id !== id) return "";
    const { index } = this.#open;
    this.#open = undefined;
    return this.#event({ type: "content_block_stop", index });
  }

  #wholeToolCall(part: ToolCallPart): string {
    if (part.providerExecuted === true) return this.#search(part);
    if (this.#toolCalls.has(part.toolCallId)) return "";
    return (
      this.#startTool(part.toolCallId, part.toolName, part.providerMetadata) +
      this.#delta(part.toolCallId, { type: "input_json_delta", partial_json: part.input }) +
      this.#end(part.toolCallId)
    );
  }

  #search(part: ToolCallPart): string {
    const [block] = searchBlocks(part);
    if (block === undefined) return "";
    this.#searches += 1;
    return (
      this.#start(part.toolCallId, { ...block, input: {} }) +
      this.#delta(part.toolCallId, { type: "input_json_delta", partial_json: part.input }) +
      this.#end(part.toolCallId)
    );
  }

  /** A block that comes in one piece. */
  #whole(id: string, block: JsonObject): string {
    return this.#start(id, block) + this.#end(id);
  }

  /** A page that the open text cites; one that comes after its text has no place. */
  #cite(source: SourcePart): string {
    const open = this.#open;
    if (open?.isText !== true) return "";
    return citations(source)
      .map((citation) => this.#delta(open.id, { type: "citations_delta", citation }))
      .join("");
  }

  #finish(part: FinishPart): string {
    this.#usage = fromNeutralUsage(part.usage);
    const before = this.begin() + (this.#open === undefined ? "" : this.#end(this.#open.id));
    const delta = writeStop(part, this.#toolCalls.size > 0);
    const usage = {
      ...writeMessagesUsage(this.#usage),
      ...(this.#searches > 0 && searchUsage(this.#searches)),
    };
    return (
      before + this.#event({ type: "message_delta", delta, usage }) + this.#event({ type: "message_stop" })
    );
  }
}

/** The field's rule of thumb for English text and code. */
const CHARACTERS_PER_TOKEN = 4;

/** Members whose length says nothing of their tokens: pictures and files, signatures, addresses. */
const uncounted: ReadonlySet<string> = new Set(["source", "data", "signature", "cache_control"]);

/**
 * Input tokens of a Messages request by the length of its texts, for the beginning of a stream whose provider counts
 * only at the end: Anthropic's own streams begin with a count, and clients show it as it is until `message_delta`
 * brings the right one.
 */
function roughInputTokens({ system, messages, tools }: JsonObject): number {
  return Math.ceil(charactersIn([system, messages, tools]) / CHARACTERS_PER_TOKEN);
}

/** Levels of a request that are looked at; schemas may go deeper. */
const DEEPEST = 32;

function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (depth > DEEPEST) return 0;
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + charactersIn(item, depth + 1), 0);
  if (!isJsonObject(value)) return 0;
  let sum = 0;
  for (const name in value) if (!uncounted.has(name)) sum += charactersIn(value[name], depth + 1);
  return sum;
}

/** The `error` event that ends a Messages stream. */
export function messagesErrorEvent(error: GatewayError): string {
  return namedEvent("error", { type: "error", error: { type: error.type, message: error.message } });
}

/**
 * `stop_reason` and `stop_sequence`. Hosts that say "stop" although they call a tool are corrected, because clients
 * run their tools only on `tool_use`.
 * @throws GatewayError 502 for an answer that was broken off
 */
export function writeStop(
  end: Pick<LanguageModelV3GenerateResult, "finishReason" | "providerMetadata" | "usage">,
  callsTools: boolean,
): { stop_reason: string; stop_sequence: string | null } {
  const reason = endOf(end);
  const sequence = end.providerMetadata?.anthropic?.stopSequence;
  if (typeof sequence === "string") return { stop_reason: "stop_sequence", stop_sequence: sequence };
  const corrected = callsTools && reason === "stop";
  return { stop_reason: corrected ? "tool_use" : writeStopReason(reason), stop_sequence: null };
}

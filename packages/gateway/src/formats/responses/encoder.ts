import type { LanguageModelV3StreamPart, SharedV3ProviderMetadata } from "@ai-sdk/provider";
import type { AnswerContext, EventCheck, StreamEncoder } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { answerId } from "../answer-members.ts";
import { AlikeEvents, namedEvent } from "../sse-event.ts";
import { fromNeutralUsage } from "../usage.ts";
import { CallerTools } from "./caller-tools.ts";
import { type ItemEvent, type ItemKind, OpenItem, searchEvents } from "./open-item.ts";
import { searchItem } from "./output-items.ts";
import { endState, errorCode, type ResponseState, responseObject } from "./response-object.ts";

type FinishPart = Extract<LanguageModelV3StreamPart, { type: "finish" }>;
type ToolResultPart = Extract<LanguageModelV3StreamPart, { type: "tool-result" }>;
type ToolCallPart = Extract<LanguageModelV3StreamPart, { type: "tool-call" }>;

const idPrefixes = {
  message: "msg_",
  reasoning: "rs_",
  function_call: "fc_",
  custom_tool_call: "ctc_",
} as const;

/**
 * Neutral parts as Responses events, numbered from 0. `response.created` waits for the first content or `begin`. One item is
 * open at a time; a new one closes it.
 */
export class ResponsesEncoder implements StreamEncoder {
  readonly #context: AnswerContext;
  readonly #check: EventCheck;
  readonly #output: JsonObject[] = [];
  readonly #toolCalls = new Set<string>();
  readonly #searches = new Map<string, ToolCallPart>();
  #open: { readonly partId: string; readonly item: OpenItem; readonly deltas: AlikeEvents } | undefined;
  #sequence = 0;
  #usage: Usage | undefined;

  constructor(context: AnswerContext, check: EventCheck) {
    this.#context = context;
    this.#check = check;
  }

  push(part: LanguageModelV3StreamPart): string {
    switch (part.type) {
      case "text-start":
        return this.#start(part.id, { type: "message" }, undefined);
      case "reasoning-start":
        return this.#start(part.id, { type: "reasoning" }, part.providerMetadata);
      case "tool-input-start":
        return this.#startTool(part.id, part.toolName, part.providerMetadata);
      case "text-delta":
      case "reasoning-delta":
      case "tool-input-delta":
        return this.#delta(part.id, part.delta, part.providerMetadata);
      case "text-end":
      case "reasoning-end":
      case "tool-input-end":
        return this.#end(part.id, part.providerMetadata);
      case "tool-call":
        return this.#wholeToolCall(part);
      case "tool-result":
        return this.#search(part);
      case "source":
        return this.#open === undefined ? "" : this.#events(this.#open.item.cite(part));
      case "finish":
        return this.#finish(part);
      default:
        return "";
    }
  }

  begin(): string {
    if (this.#sequence > 0) return "";
    const state: ResponseState = { status: "in_progress", output: [] };
    return this.#response("response.created", state) + this.#response("response.in_progress", state);
  }

  fail(error: GatewayError): string {
    if (this.#sequence === 0) return responsesErrorEvent(error, 0);
    const output = [
      ...this.#output,
      ...(this.#open === undefined ? [] : [this.#open.item.finished("incomplete")]),
    ];
    return this.#response("response.failed", { status: "failed", output, error, usage: this.#usage });
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  #event(event: ItemEvent): string {
    const [name] = event;
    const data = numbered(event, this.#sequence++);
    this.#check(name, data);
    return namedEvent(name, data);
  }

  #events(events: readonly ItemEvent[]): string {
    return events.map((event) => this.#event(event)).join("");
  }

  #response(name: string, state: ResponseState): string {
    const response = responseObject(this.#context, state);
    return this.#event([name, { response: this.#context.shown?.(response) ?? response }]);
  }

  #start(partId: string, kind: ItemKind, metadata: SharedV3ProviderMetadata | undefined): string {
    const before = this.begin() + this.#closeOpen("completed");
    const index = this.#output.length;
    const id = answerId(idPrefixes[kind.type], this.#context.callId, index);
    const item = new OpenItem(id, index, kind, metadata);
    const delta = item.delta("");
    const data = numbered(delta, 0);
    const deltas = new AlikeEvents(delta[0], data, data, "delta");
    this.#open = { partId, item, deltas };
    return before + this.#events(item.start());
  }

  #startTool(id: string, name: string, metadata: SharedV3ProviderMetadata | undefined): string {
    this.#toolCalls.add(id);
    const tool = CallerTools.of(this.#context.request.tools).callerTool(name);
    const type = tool.type === "custom" ? "custom_tool_call" : "function_call";
    return this.#start(id, { type, callId: id, tool }, metadata);
  }

  #delta(partId: string, delta: string, metadata: SharedV3ProviderMetadata | undefined): string {
    if (this.#open?.partId !== partId) throw new Error(`a delta came for part ${partId}, which is not open`);
    const { item, deltas } = this.#open;
    item.note(metadata);
    if (delta === "") return "";
    const before = this.#events(item.append(delta));
    return item.hasDeltas ? before + deltas.next(delta, this.#check, this.#sequence++) : before;
  }

  #end(partId: string, metadata: SharedV3ProviderMetadata | undefined): string {
    if (this.#open?.partId !== partId) return "";
    this.#open.item.note(metadata);
    return this.#closeOpen("completed");
  }

  #closeOpen(status: "completed" | "incomplete"): string {
    if (this.#open === undefined) return "";
    const { item } = this.#open;
    this.#open = undefined;
    this.#output.push(item.finished(status));
    return this.#events(item.end(status));
  }

  #wholeToolCall(part: ToolCallPart): string {
    if (part.providerExecuted === true) this.#searches.set(part.toolCallId, part);
    if (part.providerExecuted === true || this.#toolCalls.has(part.toolCallId)) return "";
    return (
      this.#startTool(part.toolCallId, part.toolName, part.providerMetadata) +
      this.#delta(part.toolCallId, part.input, undefined) +
      this.#end(part.toolCallId, undefined)
    );
  }

  /** A search is told of when its result is there. */
  #search(result: ToolResultPart): string {
    const call = this.#searches.get(result.toolCallId);
    if (call === undefined) return "";
    const before = this.begin() + this.#closeOpen("completed");
    const index = this.#output.length;
    const id = answerId("ws_", this.#context.callId, index);
    const item = searchItem(id, call, result, this.#context.request);
    if (item === undefined) return before;
    this.#output.push(item);
    return before + this.#events(searchEvents(item, index));
  }

  #finish(part: FinishPart): string {
    this.#usage = fromNeutralUsage(part.usage);
    const end = endState(part);
    const before = this.begin() + this.#closeOpen(end.status === "incomplete" ? "incomplete" : "completed");
    const state = { ...end, output: this.#output, usage: this.#usage };
    return before + this.#response(`response.${end.status}`, state);
  }
}

function numbered([name, members]: ItemEvent, sequence_number: number): JsonObject {
  return { type: name, sequence_number, ...members };
}

/** The `error` event that ends a broken Responses stream. */
export function responsesErrorEvent(error: GatewayError, sequenceNumber = 0): string {
  return namedEvent("error", {
    type: "error",
    sequence_number: sequenceNumber,
    code: errorCode(error),
    message: error.message,
    param: error.param ?? null,
  });
}

import type { JsonObject } from "../util/json.ts";
import { askedShape, fenced } from "./asked-shape.ts";
import type { Conversation } from "./conversation.ts";
import { readDirectives } from "./directives.ts";
import { sampleObject, sampleOf } from "./schema-sample.ts";
import { countTokens, firstTokens, textOfTokens } from "./tokens.ts";
import { searchFor, type WebSearch } from "./web-search.ts";

/** A tool call of an answer. */
interface AnswerCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** Why an answer ends. */
export type AnswerEnd = "stop" | "stop-sequence" | "length" | "tools" | "refusal";

/** One answer before it takes a provider's shape. */
export interface Answer {
  readonly thinking: string | undefined;
  readonly redactedThinking: boolean;
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  /** The search that the provider ran before it wrote the text. */
  readonly search?: WebSearch | undefined;
  readonly end: AnswerEnd;
  readonly stopSequence: string | undefined;
  readonly inputTokens: number;
  /** All output, reasoning included. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** Characters of the user's text that thinking repeats: models do not think in proportion to their prompt. */
const MAX_THOUGHT = 2000;

const REFUSAL_TEXT = "I'm sorry, but I can't help with that.";

/**
 * The answer that follows from a conversation: a call of the first tool when tools are offered and a user
 * spoke last, `tool said: ...` after tool results, JSON where a field or the prompt asks for it, else `echo: ...`.
 * @param tokens length of the text, when something other than a directive sets it
 */
export function answerTo(conversation: Conversation, tokens?: number): Answer {
  const { directives } = conversation;
  const thinks = conversation.thinking || directives.flags.has("think") || directives.flags.has("redacted");
  const thinking = thinks ? `The user says: ${directives.text.slice(0, MAX_THOUGHT)}` : undefined;
  const reasoningTokens = conversation.reasoningTokens + (thinking === undefined ? 0 : countTokens(thinking));
  const base = {
    thinking,
    redactedThinking: directives.flags.has("redacted"),
    stopSequence: undefined,
    inputTokens: conversation.inputTokens,
    reasoningTokens,
  };
  if (directives.flags.has("refuse")) {
    const outputTokens = reasoningTokens + countTokens(REFUSAL_TEXT);
    return { ...base, text: REFUSAL_TEXT, calls: [], end: "refusal", outputTokens };
  }
  const search = searchOf(conversation);
  const calls = search === undefined ? callsFor(conversation) : [];
  if (calls.length > 0) {
    const spent = calls.reduce((sum, call) => sum + countTokens(call.name + JSON.stringify(call.input)), 0);
    return {
      ...base,
      text: directives.say ?? "",
      calls,
      end: "tools",
      outputTokens: reasoningTokens + spent,
    };
  }
  const { text, end, stopSequence } = bounded(textFor(conversation, tokens), conversation);
  return {
    ...base,
    text,
    calls,
    search,
    end,
    stopSequence,
    outputTokens: reasoningTokens + countTokens(text),
  };
}

function searchOf({ directives, searches, toolChoice, toolResults }: Conversation): WebSearch | undefined {
  if (directives.search === undefined || searches !== true) return undefined;
  return toolChoice === "none" || toolResults.length > 0 ? undefined : searchFor(directives.search);
}

function callsFor(conversation: Conversation): AnswerCall[] {
  const { directives, tools, toolChoice, toolResults } = conversation;
  if (toolChoice === "none" || tools.length === 0) return [];
  // After results, only those tools are called that the results themselves ask for.
  const asked =
    toolResults.length > 0 ? toolResults.flatMap((result) => readDirectives(result).calls) : directives.calls;
  if (asked.length > 0) {
    const directed = asked.map((call) => ({
      name: call.name,
      input: call.input ?? sampleObject(tools.find((tool) => tool.name === call.name)?.schema),
    }));
    return conversation.parallelTools ? directed : directed.slice(0, 1);
  }
  if (toolResults.length > 0) return [];
  if (directives.say !== undefined || directives.behaviour.tokens !== undefined) return [];
  if (conversation.shape !== undefined && toolChoice === "auto") return [];
  const named =
    typeof toolChoice === "object" ? tools.filter((tool) => tool.name === toolChoice.name) : tools;
  const wanted = directives.flags.has("parallel") && conversation.parallelTools ? named : named.slice(0, 1);
  return wanted.map((tool) => ({ name: tool.name, input: sampleObject(tool.schema) }));
}

function textFor(conversation: Conversation, tokens: number | undefined): string {
  const { directives, toolResults } = conversation;
  const length = directives.behaviour.tokens ?? tokens;
  if (directives.say !== undefined && toolResults.length === 0) return directives.say;
  const shape = askedShape(conversation);
  if (shape !== undefined && (length === undefined || conversation.shape !== undefined)) {
    const value = shape.kind === "json" ? { echo: directives.text } : sampleOf(shape.schema);
    return conversation.shape === undefined
      ? fenced(JSON.stringify(value), conversation)
      : JSON.stringify(value);
  }
  if (length !== undefined) return textOfTokens(length);
  const found = searchOf(conversation)?.pages[0];
  if (found !== undefined) return `found: ${found.title}`;
  return toolResults.length > 0 ? `tool said: ${toolResults.join("; ")}` : `echo: ${directives.text}`;
}

function bounded(text: string, conversation: Conversation): Pick<Answer, "text" | "end" | "stopSequence"> {
  const hits = conversation.stop
    .map((sequence) => ({ sequence, at: sequence === "" ? -1 : text.indexOf(sequence) }))
    .filter((hit) => hit.at >= 0)
    .sort((a, b) => a.at - b.at);
  const first = hits[0];
  const stopped = first === undefined ? text : text.slice(0, first.at);
  const { maxTokens } = conversation;
  if (maxTokens !== undefined && countTokens(stopped) > maxTokens) {
    return { text: firstTokens(stopped, maxTokens), end: "length", stopSequence: undefined };
  }
  if (first !== undefined) return { text: stopped, end: "stop-sequence", stopSequence: first.sequence };
  return { text, end: "stop", stopSequence: undefined };
}

import type { Answer } from "../../answers/answer.ts";
import { urlCitations } from "../../answers/web-search.ts";
import type { JsonObject } from "../../util/json.ts";
import type { ChatChoice, ChatResult } from "./chat-result.ts";
import { chatUsage } from "./chat-usage.ts";
import { finishReason } from "./finish-reason.ts";
import { logprobsOf } from "./logprobs.ts";

/** The whole `chat.completion` object. */
export function chatCompletion(result: ChatResult): JsonObject {
  const answers = result.choices.map((choice) => choice.answer);
  return {
    ...(result.promptFilters === undefined ? {} : { prompt_filter_results: result.promptFilters }),
    id: result.id,
    object: "chat.completion",
    created: result.created,
    model: result.model,
    choices: result.choices.map((choice, index) => ({
      index,
      message: message(choice, result.showReasoning),
      logprobs: result.logprobs ? logprobsOf(choice.answer.text) : null,
      finish_reason: finishReason(choice.answer.end),
    })),
    usage: chatUsage(answers[0]?.inputTokens ?? 0, answers),
    service_tier: result.serviceTier,
    system_fingerprint: "fp_simulator",
  };
}

/** `annotations` of a message. */
export function chatCitations({ search, text }: Answer): JsonObject[] {
  return urlCitations(search, text).map(({ type, ...url_citation }) => ({ type, url_citation }));
}

function message({ answer, callIds }: ChatChoice, showReasoning: boolean): JsonObject {
  const refused = answer.end === "refusal";
  const silent = refused || (answer.calls.length > 0 && answer.text === "");
  const base: JsonObject = {
    role: "assistant",
    content: silent ? null : answer.text,
    refusal: refused ? answer.text : null,
    annotations: chatCitations(answer),
  };
  if (showReasoning && answer.thinking !== undefined) base.reasoning_content = answer.thinking;
  if (answer.calls.length === 0) return base;
  const calls = answer.calls.map((call, index) => ({
    id: callIds[index] ?? "",
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }));
  return { ...base, tool_calls: calls };
}

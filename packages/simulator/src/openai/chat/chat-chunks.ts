import { tokenPieces } from "../../answers/tokens.ts";
import type { JsonObject } from "../../util/json.ts";
import { chatCitations } from "./chat-completion.ts";
import type { ChatChoice, ChatResult } from "./chat-result.ts";
import { chatUsage } from "./chat-usage.ts";
import { finishReason } from "./finish-reason.ts";
import { logprobsOf } from "./logprobs.ts";

/** The events of a streamed chat completion, `[DONE]` included. Choices take turns. */
export function* chatChunks(result: ChatResult): Generator<string> {
  const head = JSON.stringify({
    id: result.id,
    object: "chat.completion.chunk",
    created: result.created,
    model: result.model,
    service_tier: result.serviceTier,
    system_fingerprint: "fp_simulator",
  }).slice(0, -1);
  const usage = result.includeUsage ? ',"usage":null' : "";
  if (result.promptFilters !== undefined) {
    yield `data: ${head},"choices":[],"prompt_filter_results":${JSON.stringify(result.promptFilters)}}\n\n`;
  }
  const running = result.choices.map((choice, index) => choiceDeltas(choice, index, result));
  while (running.length > 0) {
    for (const [position, deltas] of [...running.entries()].reverse()) {
      const next = deltas.next();
      if (next.done) running.splice(position, 1);
      else yield `data: ${head},"choices":[${JSON.stringify(next.value)}]${usage}}\n\n`;
    }
  }
  if (result.includeUsage) {
    const answers = result.choices.map((choice) => choice.answer);
    const total = JSON.stringify(chatUsage(answers[0]?.inputTokens ?? 0, answers));
    yield `data: ${head},"choices":[],"usage":${total}}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

function* choiceDeltas(choice: ChatChoice, index: number, result: ChatResult): Generator<JsonObject> {
  const { answer } = choice;
  const refused = answer.end === "refusal";
  const silent = refused || (answer.calls.length > 0 && answer.text === "");
  const opening = { role: "assistant", content: silent ? null : "", refusal: refused ? "" : null };
  yield entry(index, opening);
  if (result.showReasoning && answer.thinking !== undefined) {
    for (const piece of tokenPieces(answer.thinking)) yield entry(index, { reasoning_content: piece });
  }
  for (const piece of tokenPieces(answer.text)) {
    const delta = refused ? { refusal: piece } : { content: piece };
    yield { ...entry(index, delta), logprobs: result.logprobs ? logprobsOf(piece) : null };
  }
  const annotations = chatCitations(answer);
  if (annotations.length > 0) yield entry(index, { annotations });
  yield* toolDeltas(choice, index);
  yield { ...entry(index, {}), finish_reason: finishReason(answer.end) };
}

function* toolDeltas({ answer, callIds }: ChatChoice, index: number): Generator<JsonObject> {
  for (const [position, call] of answer.calls.entries()) {
    const start = {
      index: position,
      id: callIds[position] ?? "",
      type: "function",
      function: { name: call.name, arguments: "" },
    };
    yield entry(index, { tool_calls: [start] });
    for (const piece of tokenPieces(JSON.stringify(call.input))) {
      yield entry(index, { tool_calls: [{ index: position, function: { arguments: piece } }] });
    }
  }
}

function entry(index: number, delta: JsonObject): JsonObject {
  return { index, delta, logprobs: null, finish_reason: null };
}

import { type JsonObject, numberOf, objectOf, stringOf } from "../../util/json.ts";
import { fieldRequired, invalidRequest } from "../failures.ts";
import { blocksOf } from "./block-text.ts";
import { isRedacted, isThinkingSignature } from "./signature.ts";

/** Whether a request switches thinking on. */
export function thinkingEnabled(body: JsonObject): boolean {
  const { type } = objectOf(body.thinking);
  return type === "enabled" || type === "adaptive";
}

/** Checks the thinking settings and that thinking sent back is unchanged, as Anthropic does. */
export function checkThinking(body: JsonObject, messages: readonly JsonObject[]): void {
  for (const [index, message] of messages.entries()) {
    for (const [position, block] of blocksOf(message.content).entries()) {
      checkBlock(block, `messages.${index}.content.${position}`);
    }
  }
  if (!thinkingEnabled(body)) return;
  checkBudget(body);
  const choice = stringOf(objectOf(body.tool_choice).type);
  if (choice === "any" || choice === "tool") {
    throw invalidRequest("Thinking may not be enabled when tool_choice forces tool use.");
  }
  checkFirstBlock(messages);
}

function checkBlock(block: JsonObject, path: string): void {
  if (block.type === "thinking") {
    const signature = stringOf(block.signature);
    if (signature === undefined) throw fieldRequired(`${path}.thinking.signature`);
    if (!isThinkingSignature(stringOf(block.thinking) ?? "", signature)) {
      throw invalidRequest(`${path}: Invalid \`signature\` in \`thinking\` block`);
    }
  }
  if (block.type === "redacted_thinking" && !isRedacted(stringOf(block.data) ?? "")) {
    throw invalidRequest(`${path}: Invalid \`data\` in \`redacted_thinking\` block`);
  }
}

function checkBudget(body: JsonObject): void {
  const { type, budget_tokens } = objectOf(body.thinking);
  if (type !== "enabled") return;
  if (budget_tokens === undefined) throw fieldRequired("thinking.enabled.budget_tokens");
  const budget = numberOf(budget_tokens) ?? 0;
  if (budget < 1024) {
    throw invalidRequest("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
  }
  const most = numberOf(body.max_tokens);
  if (most !== undefined && budget >= most) {
    throw invalidRequest("`max_tokens` must be greater than `thinking.budget_tokens`.");
  }
}

// A tool loop that began with thinking must go on with it: the assistant's turn is one turn until a user speaks.
function checkFirstBlock(messages: readonly JsonObject[]): void {
  const last = messages.at(-1);
  const answersTools = blocksOf(last?.content).some((block) => block.type === "tool_result");
  if (!answersTools) return;
  const index = messages.length - 2;
  const first = blocksOf(messages[index]?.content)[0];
  if (first === undefined || first.type === "thinking" || first.type === "redacted_thinking") return;
  throw invalidRequest(
    `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`,
  );
}

import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";

/** What stands where a user says nothing, as at LiteLLM. */
const PLACEHOLDER: LanguageModelV3Message = { role: "user", content: [{ type: "text", text: "." }] };

/**
 * A conversation as every provider takes it (LiteLLM's `modify_params`): a user begins it, and says something whenever it
 * is the user's turn.
 */
export function begunByUser(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const said = prompt.map((message) => (isBlank(message) ? PLACEHOLDER : message));
  const first = said.findIndex(({ role }) => role !== "system");
  if (first !== -1 && said[first]!.role !== "assistant") return said;
  return said.toSpliced(first === -1 ? said.length : first, 0, PLACEHOLDER);
}

function isBlank(message: LanguageModelV3Message): boolean {
  return (
    message.role === "user" &&
    message.content.every((part) => part.type === "text" && part.text.trim() === "")
  );
}

import { type JsonObject, stringOf } from "../../util/json.ts";
import { invalidRequest } from "../failures.ts";
import { blocksOf } from "./block-text.ts";

/** Every `tool_use` must be answered in the next message, and every `tool_result` answer one of the last. */
export function checkToolPairs(messages: readonly JsonObject[]): void {
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message.content);
    const answered = new Set<string>();
    for (const [position, block] of blocks.entries()) {
      if (block.type !== "tool_result") continue;
      const id = stringOf(block.tool_use_id) ?? "";
      if (!open.includes(id)) {
        throw invalidRequest(
          `messages.${index}.content.${position}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        );
      }
      if (answered.has(id)) {
        throw invalidRequest(
          `messages.${index}.content.${position}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        );
      }
      answered.add(id);
    }
    checkAnswered(open, answered, index - 1);
    open = blocks.filter((block) => block.type === "tool_use").map((block) => stringOf(block.id) ?? "");
  }
  checkAnswered(open, new Set(), messages.length - 1);
}

function checkAnswered(open: readonly string[], answered: ReadonlySet<string>, index: number): void {
  const missing = open.filter((id) => !answered.has(id));
  if (missing.length === 0) return;
  throw invalidRequest(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

import type { Answer } from "../../answers/answer.ts";
import type { WebSearch } from "../../answers/web-search.ts";
import type { JsonObject } from "../../util/json.ts";
import { redact, signThinking } from "./signature.ts";

/** The content blocks of an answer: thinking, search, text, tool calls, in this order. */
export function contentBlocks(answer: Answer, nextId: (prefix: string) => string): JsonObject[] {
  const blocks: JsonObject[] = [];
  if (answer.thinking !== undefined) {
    blocks.push(
      answer.redactedThinking
        ? { type: "redacted_thinking", data: redact(answer.thinking) }
        : { type: "thinking", thinking: answer.thinking, signature: signThinking(answer.thinking) },
    );
  }
  if (answer.search !== undefined) blocks.push(...searchBlocks(answer.search, nextId("srvtoolu_01")));
  if (answer.text !== "") {
    const citations = answer.search === undefined ? null : citationsOf(answer.search);
    blocks.push({ type: "text", text: answer.text, citations });
  }
  for (const call of answer.calls) {
    blocks.push({ type: "tool_use", id: nextId("toolu_01"), name: call.name, input: call.input });
  }
  return blocks;
}

function searchBlocks({ query, pages }: WebSearch, id: string): JsonObject[] {
  const content = pages.map(({ url, title }) => ({
    type: "web_search_result",
    url,
    title,
    encrypted_content: redact(title),
    page_age: null,
  }));
  return [
    { type: "server_tool_use", id, name: "web_search", input: { query }, caller: { type: "direct" } },
    { type: "web_search_tool_result", tool_use_id: id, content, caller: { type: "direct" } },
  ];
}

function citationsOf({ pages }: WebSearch): JsonObject[] {
  return pages.map(({ url, title }) => ({
    type: "web_search_result_location",
    url,
    title,
    cited_text: title,
    encrypted_index: redact(url),
  }));
}

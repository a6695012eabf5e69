import type { Answer } from "../../answers/answer.ts";
import { urlCitations } from "../../answers/web-search.ts";
import { type JsonObject, objectOf, stringsIn } from "../../util/json.ts";
import { encryptContent } from "./check-items.ts";
import { callItem } from "./offered-tools.ts";

/** The finished output items of an answer: reasoning, search, message, function calls, in this order. */
export function outputItems(
  answer: Answer,
  request: JsonObject,
  nextId: (prefix: string) => string,
): JsonObject[] {
  const items: JsonObject[] = [];
  if (answer.thinking !== undefined) items.push(reasoningItem(answer.thinking, request, nextId("rs_")));
  if (answer.search !== undefined) {
    const { query, pages } = answer.search;
    const sources = stringsIn(request.include).includes("web_search_call.action.sources")
      ? { sources: pages.map(({ url }) => ({ type: "url", url })) }
      : {};
    const action = { type: "search", query, queries: [query], ...sources };
    items.push({ id: nextId("ws_"), type: "web_search_call", status: "completed", action });
  }
  if (answer.text !== "" || answer.calls.length === 0) {
    const part =
      answer.end === "refusal"
        ? { type: "refusal", refusal: answer.text }
        : {
            type: "output_text",
            text: answer.text,
            annotations: urlCitations(answer.search, answer.text),
            logprobs: [],
          };
    const status = answer.end === "length" ? "incomplete" : "completed";
    items.push({ id: nextId("msg_"), type: "message", status, role: "assistant", content: [part] });
  }
  for (const call of answer.calls) items.push(callItem(call, request, nextId));
  return items;
}

function reasoningItem(thinking: string, request: JsonObject, id: string): JsonObject {
  const summary = objectOf(request.reasoning).summary;
  const shown = summary !== undefined && summary !== null;
  const item: JsonObject = {
    id,
    type: "reasoning",
    summary: shown ? [{ type: "summary_text", text: thinking }] : [],
  };
  if (stringsIn(request.include).includes("reasoning.encrypted_content")) {
    item.encrypted_content = encryptContent("reasoning", thinking);
  }
  return item;
}

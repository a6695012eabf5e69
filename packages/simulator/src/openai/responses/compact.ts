import { readDirectives } from "../../answers/directives.ts";
import { countTokens } from "../../answers/tokens.ts";
import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import { checkParameters } from "../check-parameters.ts";
import { textOfContent } from "../content-parts.ts";
import { invalidRequest } from "../failures.ts";
import type { Flavour } from "../flavour.ts";
import { checkItems, encryptContent } from "./check-items.ts";
import { inputItems } from "./input-items.ts";
import { inputTokensOf } from "./read-response.ts";
import { contextOf, type ResponseAccount } from "./response-call.ts";

/** `POST /responses/compact`: the user's messages, and one item that stands for everything else. */
export function compact(exchange: Exchange, account: ResponseAccount, flavour: Flavour): Reply {
  const { body, state, text } = exchange;
  checkParameters("/responses/compact", body, flavour);
  const nextId = (prefix: string): string => state.ids.next(prefix, text, 48);
  const context = contextOf(account, body);
  const own = body.input === undefined || body.input === null ? [] : inputItems(body.input, nextId);
  const items = [...context.items, ...own];
  if (items.length === 0) throw invalidRequest("Nothing to compact.", "input");
  checkItems(items, (kept) => account.responses.items.has(kept));
  const users = items.filter(({ type, role }) => type === "message" && role === "user");
  const { say } = readDirectives(textOfContent(users.at(-1)?.content));
  const summary = say ?? `summary of ${items.length} items`;
  const [input, output] = [inputTokensOf(body, items), countTokens(summary)];
  const id = nextId("cmp_");
  return json({
    id: nextId("resp_"),
    object: "response.compaction",
    created_at: Math.floor(state.clock() / 1000),
    output: [...users, { id, type: "compaction", encrypted_content: encryptContent("compaction", summary) }],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  });
}

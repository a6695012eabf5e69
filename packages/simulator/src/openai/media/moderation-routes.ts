import type { Exchange } from "../../http/exchange.ts";
import { json, type Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { type JsonValue, stringOf } from "../../util/json.ts";
import { missingParameter } from "../failures.ts";

const CATEGORIES = `harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm
  self-harm/instructions self-harm/intent sexual sexual/minors violence violence/graphic`.split(/\s+/);

/** Moderations: a text that has a category's name in it is flagged for it. */
export function moderationRoutes(): Route[] {
  return [{ method: "POST", pattern: "/moderations", handle: moderate }];
}

function moderate({ state, body, text }: Exchange): Reply {
  const { input } = body;
  if (input === undefined) throw missingParameter("input");
  const inputs = Array.isArray(input) && input.every((each) => typeof each === "string") ? input : [input];
  return json({
    id: state.ids.next("modr-", text),
    model: stringOf(body.model) ?? "omni-moderation-latest",
    results: inputs.map(result),
  });
}

function result(input: JsonValue) {
  const words = JSON.stringify(input).toLowerCase();
  const each = <T>(value: (flagged: boolean) => T): Record<string, T> =>
    Object.fromEntries(CATEGORIES.map((name) => [name, value(words.includes(name))]));
  const categories = each((flagged) => flagged);
  return {
    flagged: Object.values(categories).includes(true),
    categories,
    category_scores: each((flagged) => (flagged ? 0.99 : 0.01)),
    category_applied_input_types: each(() => ["text"]),
  };
}

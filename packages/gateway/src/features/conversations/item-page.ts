import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Page } from "../../contract/paging.ts";

/**
 * A page of items as the API pages them: newest first unless `order=asc`, behind the item `after`.
 * @param items oldest first
 * @throws GatewayError 400 for a limit outside 1 to 100, another order, or an unknown cursor
 */
export function itemPage(items: readonly JsonObject[], { limit, order, after = "" }: Page): JsonObject {
  const sorted = order === "asc" ? [...items] : items.toReversed();
  const from = after === "" ? 0 : sorted.findIndex((item) => item.id === after) + 1;
  if (after !== "" && from === 0) throw invalidRequest(`No item found with id '${after}'`, "after");
  const data = sorted.slice(from, from + limit);
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < sorted.length,
  };
}

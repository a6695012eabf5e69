import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/**
 * A page of items as the API pages them: newest first unless `order=asc`, behind the item `after`.
 * @param items oldest first
 * @throws GatewayError 400 for a limit outside 1 to 100, another order, or an unknown cursor
 */
export function itemPage(items: readonly JsonObject[], query: URLSearchParams): JsonObject {
  const limit = readLimit(query.get("limit"));
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw invalidRequest("order must be asc or desc", "order");
  const sorted = order === "asc" ? [...items] : items.toReversed();
  const after = query.get("after") ?? "";
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

function readLimit(text: string | null): number {
  if (text === null || text === "") return DEFAULT_LIMIT;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalidRequest(`limit must be a whole number from 1 to ${MAX_LIMIT}`, "limit");
  return limit;
}

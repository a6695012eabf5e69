import { invalidRequest } from "../failures.ts";

/** How one list of OpenAI's pages. */
export interface PageRules {
  readonly most: number;
  readonly usual: number;
  /** Order without an `order` parameter. */
  readonly order: "asc" | "desc";
}

/** OpenAI's rules for most lists. */
export const usualPages: PageRules = { most: 100, usual: 20, order: "desc" };

/** A page as OpenAI's list envelope. */
export interface Page<T> {
  readonly object: "list";
  readonly data: T[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/**
 * One page of a list by the query's `after`, `limit` and `order`.
 * @param items all items, oldest first
 */
export function pageOf<T>(
  items: readonly T[],
  idOf: (item: T) => string,
  query: URLSearchParams,
  rules: PageRules,
): Page<T> {
  const limit = limitOf(query, rules);
  const order = query.get("order") ?? rules.order;
  if (order !== "asc" && order !== "desc") {
    throw invalidRequest(
      `Invalid value: '${order}'. Supported values are: 'asc' and 'desc'.`,
      "order",
      "invalid_value",
    );
  }
  const ordered = order === "asc" ? [...items] : items.toReversed();
  const start = startOf(ordered, idOf, query.get("after"));
  const data = ordered.slice(start, start + limit);
  const [first] = data;
  const last = data.at(-1);
  return {
    object: "list",
    data,
    first_id: first === undefined ? null : idOf(first),
    last_id: last === undefined ? null : idOf(last),
    has_more: start + data.length < ordered.length,
  };
}

function startOf<T>(items: readonly T[], idOf: (item: T) => string, after: string | null): number {
  if (after === null || after === "") return 0;
  const at = items.findIndex((item) => idOf(item) === after);
  if (at < 0)
    throw invalidRequest(
      `Invalid 'after': no object with id '${after}' is in this list.`,
      "after",
      "invalid_value",
    );
  return at + 1;
}

function limitOf(query: URLSearchParams, rules: PageRules): number {
  const text = query.get("limit");
  if (text === null) return rules.usual;
  const limit = Number(text);
  if (!Number.isInteger(limit)) {
    throw invalidRequest(
      `Invalid type for 'limit': expected an integer, but got '${text}' instead.`,
      "limit",
      "invalid_type",
    );
  }
  if (limit < 1) {
    throw invalidRequest(
      `Invalid 'limit': integer below minimum value. Expected a value >= 1, but got ${limit} instead.`,
      "limit",
      "integer_below_min_value",
    );
  }
  if (limit > rules.most) {
    throw invalidRequest(
      `Invalid 'limit': integer above maximum value. Expected a value <= ${rules.most}, but got ${limit} instead.`,
      "limit",
      "integer_above_max_value",
    );
  }
  return limit;
}

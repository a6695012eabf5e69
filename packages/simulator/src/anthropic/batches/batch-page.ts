import { invalidRequest } from "../failures.ts";

const MAX_LIMIT = 1000;
const USUAL = 20;

/** A page as Anthropic's list envelope. */
export interface Page<T> {
  readonly data: T[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/**
 * One page, newest first, by the query's `after_id`, `before_id` and `limit`.
 * @param items all items, oldest first
 */
export function pageOf<T extends { readonly id: string }>(
  items: readonly T[],
  query: URLSearchParams,
): Page<T> {
  const limit = Number(query.get("limit") ?? USUAL);
  if (!Number.isInteger(limit)) throw invalidRequest("limit: Input should be a valid integer");
  if (limit < 1) throw invalidRequest("limit: Input should be greater than or equal to 1");
  if (limit > MAX_LIMIT) throw invalidRequest(`limit: Input should be less than or equal to ${MAX_LIMIT}`);
  const ordered = items.toReversed();
  const after = query.get("after_id");
  const before = query.get("before_id");
  if (after !== null && before !== null)
    throw invalidRequest("Only one of after_id and before_id may be given.");
  const place = (id: string): number => {
    const at = ordered.findIndex((item) => item.id === id);
    if (at < 0) throw invalidRequest(`No object with the id ${id} is in this list.`);
    return at;
  };
  const end = before === null ? undefined : place(before);
  const start = end === undefined ? (after === null ? 0 : place(after) + 1) : Math.max(0, end - limit);
  const data = ordered.slice(start, end ?? start + limit);
  return {
    data,
    has_more: end === undefined ? start + data.length < ordered.length : start > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}

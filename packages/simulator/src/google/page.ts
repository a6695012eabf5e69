import { invalidArgument } from "./failures.ts";

/**
 * One page of a list by `pageSize` and `pageToken`.
 * @returns the items and the token of the next page, where there is one
 */
export function pageOf<T>(
  items: readonly T[],
  query: URLSearchParams,
): { items: T[]; next: { nextPageToken?: string } } {
  const size = Number(query.get("pageSize") ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 1000)
    throw invalidArgument("page_size must be from 1 to 1000.");
  const token = query.get("pageToken") ?? "0";
  const start = Number(token);
  if (!/^\d+$/.test(token) || start > items.length) throw invalidArgument("page_token is invalid.");
  const end = start + size;
  return { items: items.slice(start, end), next: end < items.length ? { nextPageToken: String(end) } : {} };
}

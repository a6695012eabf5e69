import { whole } from "../../../contract/schema.ts";

/** Pages that LiteLLM's lists of what is managed have. */
export const pageQuery = {
  page: whole("From 1.", { minimum: 1, maximum: 999_999_999, default: 1 }),
  page_size: whole("Entries on a page, at most 100.", { minimum: 1, maximum: 999_999_999, default: 25 }),
};

/** Entries of a list that has no pages. */
export const MAX_LIST = 10_000;
const MAX_PAGE = 100;

/** Where a page begins and how much is on it. */
export function pageOf(
  { page, size }: { page?: number | undefined; size?: number | undefined },
  usual: number,
) {
  const limit = Math.min(MAX_PAGE, size ?? usual);
  return { page: page ?? 1, limit, offset: ((page ?? 1) - 1) * limit };
}

export function pageFacts(page: number, size: number, total: number) {
  return { total, page, page_size: size, total_pages: Math.ceil(total / size) };
}

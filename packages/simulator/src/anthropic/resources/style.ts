import type { ResourceStyle } from "../../resources/routes.ts";
import { pageOf } from "../batches/batch-page.ts";
import { fieldRequired, notFound } from "../failures.ts";

/** How Anthropic writes times, pages and refusals of its resources: a page's `next_page` is its last id. */
export const anthropicStyle: ResourceStyle = {
  time: (clock) => new Date(clock()).toISOString(),
  page: (items, query, lenient) => {
    const kept = new URLSearchParams(query);
    const next = kept.get("page");
    if (next !== null) kept.set("after_id", next);
    const known = (name: string): boolean => items.some(({ id }) => id === kept.get(name));
    if (lenient) for (const name of ["after_id", "before_id"]) if (!known(name)) kept.delete(name);
    const page = pageOf(items, kept);
    return {
      ...page,
      data: page.data.map(({ object }) => object),
      next_page: page.has_more ? page.last_id : null,
    };
  },
  missing: fieldRequired,
  notFound: (id) => notFound(`No object with the id ${id} exists.`),
};

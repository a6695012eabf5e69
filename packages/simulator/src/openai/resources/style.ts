import type { ResourceStyle } from "../../resources/routes.ts";
import { seconds } from "../../util/clock.ts";
import { missingParameter, notFound } from "../failures.ts";
import { pageOf, usualPages } from "../lists/page.ts";

/** How OpenAI writes times, pages and refusals of its resources. */
export const openAiStyle: ResourceStyle = {
  time: seconds,
  page: (items, query, lenient) => {
    const kept = new URLSearchParams(query);
    const after = kept.get("after");
    if (lenient && !items.some(({ id }) => id === after)) kept.delete("after");
    const page = pageOf(items, ({ id }) => id, kept, usualPages);
    return {
      ...page,
      data: page.data.map(({ object }) => object),
      next: page.has_more ? page.last_id : null,
    };
  },
  missing: missingParameter,
  notFound: (id) => notFound(`No object found with id '${id}'.`),
};

import { checkQuery } from "./check.ts";
import { object, text, whole, word } from "./schema.ts";

export type Order = "asc" | "desc";

/** What a list's query asks for. */
export interface Page {
  readonly limit: number;
  readonly after: string | undefined;
  readonly order: Order;
}

type PageQuery = ReturnType<typeof pageQuery>;

/**
 * How a list is paged.
 * @param usual objects on a page where the query does not say how many; absent where the provider decides
 */
export function pageQuery(most: number, usual?: number) {
  return {
    after: text("The id after which the page begins."),
    limit: whole("Objects on a page.", {
      minimum: 1,
      maximum: most,
      ...(usual === undefined ? {} : { default: usual }),
    }),
    order: word(["asc", "desc"], "By time of creation; the newest first where it is missing."),
  };
}

/**
 * Reads which page is asked for.
 * @throws GatewayError 400 naming the parameter
 */
export function readPage(
  parameters: Omit<PageQuery, "order"> & Partial<Pick<PageQuery, "order">>,
  query: URLSearchParams,
): Page {
  const { after, limit, order } = checkQuery(object(parameters as PageQuery), query);
  const usual = parameters.limit.default as number;
  return { after, limit: limit ?? usual, order: order ?? "desc" };
}

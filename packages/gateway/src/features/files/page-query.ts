import { invalidRequest } from "../../contract/errors.ts";
import type { Order } from "./merged-page.ts";

/** What a list's query asks for. */
export interface PageQuery {
  readonly limit: number;
  readonly after: string | undefined;
  readonly order: Order;
}

/**
 * Reads `limit`, `after` and `order`.
 * @throws GatewayError 400 naming the parameter, in OpenAI's words
 */
export function readPageQuery(query: URLSearchParams, usual: number, most: number): PageQuery {
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc")
    throw invalidRequest(`Invalid value: '${order}'. Supported values are: 'asc' and 'desc'.`, "order");
  return { limit: readLimit(query.get("limit"), usual, most), after: query.get("after") || undefined, order };
}

function readLimit(text: string | null, usual: number, most: number): number {
  if (text === null || text === "") return usual;
  if (!/^-?\d{1,15}$/.test(text))
    throw invalidRequest(`Invalid 'limit': expected an integer, but got '${text.slice(0, 40)}'.`, "limit");
  const limit = Number(text);
  const bound = limit > most ? ["above maximum", "<=", most] : ["below minimum", ">=", 1];
  if (limit < 1 || limit > most)
    throw invalidRequest(
      `Invalid 'limit': integer ${bound[0]} value. Expected a value ${bound[1]} ${bound[2]}, but got ${limit} instead.`,
      "limit",
    );
  return limit;
}

import type { Exchange } from "../http/exchange.ts";
import { json } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import type { JsonObject } from "../util/json.ts";
import { notFound } from "./failures.ts";
import type { GoogleAccount } from "./google-account.ts";
import { pageOf } from "./page.ts";

/** Contexts that a caller keeps at Google: made, listed, read, changed and deleted; no answer reads them. */
export function cachedContentRoutes({ cachedContents: kept }: GoogleAccount): Route[] {
  const one = "/{version}/cachedContents/{id}";
  const keep = ({ state, body }: Exchange, id: string): JsonObject => {
    const now = new Date(state.clock()).toISOString();
    const { contents: _, ...shown } = body;
    const content = { ...shown, name: `cachedContents/${id}`, createTime: now, updateTime: now };
    kept.set(id, content);
    return content;
  };
  const found = (exchange: Exchange): JsonObject => {
    const { id = "" } = exchange.params;
    const content = kept.get(id);
    if (content !== undefined) return content;
    if (exchange.state.placeholders) return keep({ ...exchange, body: {} }, id);
    throw notFound(`CachedContent not found (or permission denied): cachedContents/${id}`);
  };
  return [
    {
      method: "POST",
      pattern: "/{version}/cachedContents",
      handle: (exchange) =>
        json(keep(exchange, exchange.state.ids.next("", exchange.text, 24).toLowerCase())),
    },
    {
      method: "GET",
      pattern: "/{version}/cachedContents",
      handle: ({ query }) => {
        const { items, next } = pageOf([...kept.values()], query);
        return json({ cachedContents: items, ...next });
      },
    },
    { method: "GET", pattern: one, handle: (exchange) => json(found(exchange)) },
    {
      method: "PATCH",
      pattern: one,
      handle: (exchange) => {
        const { name } = found(exchange);
        const content = { ...found(exchange), ...exchange.body, name: String(name) };
        kept.set(exchange.params.id ?? "", content);
        return json(content);
      },
    },
    {
      method: "DELETE",
      pattern: one,
      handle: (exchange) => {
        found(exchange);
        kept.delete(exchange.params.id ?? "");
        return json({});
      },
    },
  ];
}

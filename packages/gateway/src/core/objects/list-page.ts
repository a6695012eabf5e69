import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { ObjectKind } from "./object-kind.ts";
import type { Ownership } from "./ownership.ts";

/**
 * A provider's page of objects as the caller may see it: objects made through the gateway carry the ids it handed
 * out, those of other tenants are left out, the rest as `Ownership.shownId` says.
 */
export async function visiblePage(
  ownership: Ownership,
  kind: ObjectKind,
  page: JsonObject,
  exchange: Exchange,
): Promise<JsonObject> {
  const items = Array.isArray(page.data) ? page.data.filter(isJsonObject) : [];
  const rows = await ownership.rowsOf(
    kind,
    items.map((item) => String(item.id)),
  );
  const data = items.flatMap((item) => {
    const providerId = String(item.id);
    const id = ownership.shownId(rows.get(providerId), providerId, exchange.principal);
    return id === undefined ? [] : [{ ...item, id }];
  });
  return { ...page, object: "list", data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

/** A query as a provider gets it: without the gateway's own selector and without parameters that say nothing. */
export function queryForProvider(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...query].filter(([name, value]) => name !== "custom_llm_provider" && value !== ""),
  );
}

/**
 * The query of a list as the provider gets it: everything the caller sent but the gateway's own selector, and a
 * cursor that is one of our ids turned back into the provider's.
 */
export async function forwardedQuery(
  ownership: Ownership,
  kind: ObjectKind,
  exchange: Exchange,
): Promise<URLSearchParams> {
  const query = queryForProvider(exchange.query);
  for (const name of ["after", "before"]) {
    const cursor = query.get(name);
    if (cursor === null) continue;
    const located = await ownership.locate(kind, cursor, exchange.principal, exchange.call);
    query.set(name, located.providerId ?? cursor);
  }
  return query;
}

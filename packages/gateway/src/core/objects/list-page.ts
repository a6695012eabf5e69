import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { ObjectKind } from "./object-kind.ts";
import type { Origin, Ownership } from "./ownership.ts";

/** How a provider's list is read. */
interface ProviderList {
  /** The page that the caller asked for. */
  first(): Promise<JsonObject>;
  /** The page behind an object; absent where the caller reads backwards. */
  readonly next?: ((after: string, limit: number) => Promise<JsonObject>) | undefined;
}

/** What a caller may see of a provider's list. */
interface VisiblePart<T> {
  /** What the provider says of its list, on the first page that was read. */
  readonly page: JsonObject;
  readonly shown: readonly T[];
  readonly hasMore: boolean;
}

/** Objects that a further page is asked for; every provider gives that many. */
const FURTHER_LIMIT = 100;
/** Further pages that are read where a list is full of what its caller may not see. */
const MAX_FURTHER = 100;

/**
 * Reads on where objects of other tenants take the places of a page: clients go on from a page's last object, so that they
 * would end at a page without any. A page is as long as the provider's first one, unless its list ends before.
 * @param show of a page's objects what the caller may see
 */
export async function readVisible<T>(
  { first, next }: ProviderList,
  show: (items: readonly JsonObject[]) => Promise<readonly T[]>,
): Promise<VisiblePart<T>> {
  const page = await first();
  let items = itemsOf(page);
  const wanted = items.length;
  const shown = [...(await show(items))];
  let hasMore = page.has_more === true;
  for (let further = 0; next !== undefined && further < MAX_FURTHER; further += 1) {
    const last = items.at(-1)?.id;
    if (!hasMore || shown.length >= wanted || last === undefined) break;
    const behind = await next(String(last), FURTHER_LIMIT);
    items = itemsOf(behind);
    hasMore = behind.has_more === true;
    // A host that knows no cursors gives the same page for ever.
    if (items.some(({ id }) => id === last)) break;
    shown.push(...(await show(items)));
  }
  return { page, shown: shown.slice(0, wanted), hasMore: hasMore || shown.length > wanted };
}

/**
 * A provider's list of objects as the caller may see it: objects made through the gateway carry the ids it handed
 * out, those of other tenants are left out, the rest as `Ownership.shownId` says.
 */
export async function visiblePage(
  ownership: Ownership,
  kind: ObjectKind,
  origin: Origin,
  exchange: Exchange,
  read: (query: URLSearchParams) => Promise<JsonObject>,
): Promise<JsonObject> {
  const query = await forwardedQuery(ownership, kind, exchange);
  const next = (after: string, limit: number): Promise<JsonObject> => {
    const further = new URLSearchParams(query);
    further.set("after", after);
    further.set("limit", String(limit));
    return read(further);
  };
  const list = { first: () => read(query), next: query.has("before") ? undefined : next };
  const show = async (items: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
    const rows = await ownership.rowsOf(
      kind,
      items.map((item) => String(item.id)),
      origin,
    );
    return items.flatMap((item) => {
      const providerId = String(item.id);
      const id = ownership.shownId(rows.get(providerId), providerId, exchange.principal);
      return id === undefined ? [] : [{ ...item, id }];
    });
  };
  const { page, shown, hasMore } = await readVisible(list, show);
  const ends = { first_id: shown[0]?.id ?? null, last_id: shown.at(-1)?.id ?? null };
  const more = page.has_more === undefined ? {} : { has_more: hasMore };
  return { ...page, object: "list", data: shown, ...ends, ...more };
}

/** The objects of a page of a provider's list. */
export function itemsOf(page: JsonObject): readonly JsonObject[] {
  return Array.isArray(page.data) ? page.data.filter(isJsonObject) : [];
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
async function forwardedQuery(
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

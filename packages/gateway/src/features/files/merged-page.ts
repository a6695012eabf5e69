import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Order } from "../../contract/paging.ts";
import type { Principal } from "../../contract/principal.ts";
import { itemsOf, readVisible } from "../../core/objects/list-page.ts";
import type { ObjectKind } from "../../core/objects/object-kind.ts";
import type { ObjectStore } from "../../core/objects/object-store.ts";
import type { ObjectRow } from "../../core/objects/objects-table.ts";
import type { LocatedObject, Origin, Ownership } from "../../core/objects/ownership.ts";
import { sha256 } from "../../util/sha256.ts";

/** A position in the gateway's own list. */
export type OwnPosition = Pick<ObjectRow, "created_at" | "id">;

/** An object that only the gateway has, as it is shown. */
export interface OwnItem {
  readonly position: OwnPosition;
  readonly item: JsonObject;
}

/** A provider's list. */
export interface ProviderPages {
  readonly origin: Origin;
  readonly read: (after: string | undefined, limit: number) => Promise<JsonObject>;
}

/** A list that is a provider's and the gateway's own at once. */
export interface MergedList {
  readonly kind: ObjectKind;
  /** Tells this list from others of the same kind: cursors belong to one list. */
  readonly name: string;
  readonly principal: Principal;
  readonly limit: number;
  readonly order: Order;
  /** The cursor as the caller sent it. */
  readonly after: string | undefined;
  /** Absent where the provider has none. */
  readonly provider: ProviderPages | undefined;
  /** Of the gateway's own list. */
  readonly own: (after: OwnPosition | undefined, limit: number) => Promise<readonly OwnItem[]>;
  /** Whether a cursor's object belongs to this list. */
  readonly accepts: (located: LocatedObject) => boolean;
}

/** Where a page begins in both lists. */
interface Position {
  readonly provider: string | undefined;
  readonly own: OwnPosition | undefined;
  /** Nothing is known of the position among the gateway's own: they were all shown. */
  readonly ownIsOver?: boolean;
}

interface Entry {
  readonly item: JsonObject;
  readonly createdAt: number;
  readonly providerId?: string;
  readonly position?: OwnPosition;
}

/** Pages of a provider's list that are read to find a position that nobody remembers. */
const MAX_PAGES_WALKED = 20;

interface PageDeps {
  readonly ownership: Ownership;
  readonly objects: ObjectStore | undefined;
}

/**
 * A page of both lists together, by creation. A page's last id is its cursor, as clients of the wire format expect;
 * where that leads in each of the two lists is remembered.
 * @throws GatewayError 400 for a cursor of another list, 404 for an unknown one
 */
export async function mergedPage(deps: PageDeps, list: MergedList): Promise<JsonObject> {
  const start = await startOf(deps, list);
  const theirs = await visibleEntries(deps, list, start.provider);
  const own = start.ownIsOver === true ? [] : await list.own(start.own, list.limit + 1);
  const ours = own.map(({ item, position }): Entry => ({ item, position, createdAt: seconds(item) }));
  const entries = merge(theirs.shown, ours, list.order);
  const shown = entries.slice(0, list.limit);
  const hasMore = entries.length > shown.length || theirs.hasMore;
  const lastId = shown.at(-1)?.item.id;
  if (hasMore && lastId !== undefined) await remember(deps, list, String(lastId), endOf(start, shown));
  return {
    object: "list",
    data: shown.map(({ item }) => item),
    first_id: shown[0]?.item.id ?? null,
    last_id: lastId ?? null,
    has_more: hasMore,
  };
}

/** Objects made through the gateway carry its ids; other tenants' and copies of unified files are left out. */
async function visibleEntries(
  deps: PageDeps,
  list: MergedList,
  after: string | undefined,
): Promise<{ readonly shown: readonly Entry[]; readonly hasMore: boolean }> {
  const { provider } = list;
  if (provider === undefined) return { shown: [], hasMore: false };
  const pages = { first: () => provider.read(after, list.limit), next: provider.read };
  return readVisible(pages, (items) => entriesOf(deps, list, items, provider.origin));
}

async function entriesOf(
  deps: PageDeps,
  list: MergedList,
  items: readonly JsonObject[],
  origin: Origin,
): Promise<Entry[]> {
  const rows = await deps.ownership.rowsOf(
    list.kind,
    items.map((item) => String(item.id)),
    origin,
  );
  return items.flatMap((item) => {
    const providerId = String(item.id);
    const row = rows.get(providerId);
    const entry = { createdAt: seconds(item), providerId };
    const id = deps.ownership.shownId(row, providerId, list.principal);
    if (id === undefined) return [];
    const data = (row === undefined ? {} : JSON.parse(row.data)) as JsonObject;
    if (data.copyOf !== undefined) return [];
    return [{ ...entry, item: { ...item, ...(data.shown as JsonObject | undefined), id } }];
  });
}

function merge(theirs: readonly Entry[], ours: readonly Entry[], order: Order): Entry[] {
  const sign = order === "desc" ? 1 : -1;
  const merged: Entry[] = [];
  let [left, right] = [0, 0];
  while (left < theirs.length || right < ours.length) {
    const [a, b] = [theirs[left], ours[right]];
    const takeTheirs = b === undefined || (a !== undefined && sign * (a.createdAt - b.createdAt) >= 0);
    merged.push(takeTheirs ? a! : b!);
    if (takeTheirs) left += 1;
    else right += 1;
  }
  return merged;
}

function endOf(start: Position, shown: readonly Entry[]): Position {
  return {
    provider: shown.findLast(({ providerId }) => providerId !== undefined)?.providerId ?? start.provider,
    own: shown.findLast(({ position }) => position !== undefined)?.position ?? start.own,
    ...(start.ownIsOver === true ? { ownIsOver: true } : {}),
  };
}

async function startOf(deps: PageDeps, list: MergedList): Promise<Position> {
  const { after } = list;
  if (after === undefined) return { provider: undefined, own: undefined };
  const located = await deps.ownership.locate(list.kind, after, list.principal);
  if (!list.accepts(located)) throw invalidRequest(`The cursor '${after}' belongs to another list`, "after");
  const remembered = await deps.objects?.find(cursorId(deps, list, after));
  if (remembered !== undefined) return JSON.parse(remembered.data) as Position;
  const { row } = located;
  if (row?.provider_id === null) return { provider: await walkTo(list, row), own: row };
  const provider = located.providerId ?? after;
  return row === undefined ? { provider, own: undefined, ownIsOver: true } : { provider, own: row };
}

/** The provider's cursor for a place among the gateway's own objects: the last object before it. */
async function walkTo(list: MergedList, row: ObjectRow): Promise<string | undefined> {
  const sign = list.order === "desc" ? 1 : -1;
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES_WALKED; pages += 1) {
    const page = await list.provider?.read(after, 100);
    const items = page === undefined ? [] : itemsOf(page);
    for (const item of items) {
      if (sign * (seconds(item) - Math.floor(row.created_at / 1000)) < 0) return after;
      after = String(item.id);
    }
    if (page?.has_more !== true || items.length === 0) break;
  }
  return after;
}

async function remember(deps: PageDeps, list: MergedList, lastId: string, end: Position): Promise<void> {
  const now = Date.now();
  const id = cursorId(deps, list, lastId);
  await deps.objects?.insert({
    id,
    kind: "cursor",
    tenant: deps.ownership.tenantOf(list.principal),
    key_hash: list.principal.keyHash,
    user_id: null,
    team_id: null,
    deployment_id: null,
    provider: "",
    provider_id: null,
    created_at: now,
    expires_at: null,
    data: JSON.stringify(end),
  });
}

function cursorId({ ownership }: PageDeps, list: MergedList, lastId: string): string {
  const text = JSON.stringify([ownership.tenantOf(list.principal), list.kind, list.name, list.order, lastId]);
  return `cur_${sha256(text).slice(0, 40)}`;
}

function seconds(item: JsonObject): number {
  return typeof item.created_at === "number" ? item.created_at : 0;
}

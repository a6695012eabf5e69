import { GatewayError, invalidRequest, notFound } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import { readLiteLlmId } from "../../../core/objects/litellm-id.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import { seesEveryTenant } from "../../../core/objects/tenant.ts";
import { ByteRoom } from "../../../platform/transport/byte-room.ts";
import type { FoundItem, ResponseStore } from "../record/store.ts";
import { hasEnded } from "../record/stored-row.ts";
import type { ResponseRow } from "../record/table.ts";
import type { ResponseDeps } from "../response-deps.ts";
import { openedItem } from "./compaction-item.ts";
import type { CreateRequest } from "./create-request.ts";
import type { FindItem, References } from "./response-adapter.ts";

/** Different items that a request names by their ids. */
const MAX_NAMED_ITEMS = 1000;

/** The response that a request continues. */
export type Previous =
  /** One that this gateway stores. */
  | { readonly kind: "kept"; readonly row: ResponseRow }
  /** One that only its provider knows, by that provider's id. */
  | { readonly kind: "provider"; readonly providerId: string; readonly origin: Origin | undefined };

/** What came before a request. */
export interface ConversationContext {
  /** Whose responses and conversations the caller sees. */
  readonly tenant: string;
  readonly previous: Previous | undefined;
  /** A conversation of this gateway. */
  readonly conversationId: string | undefined;
  /** Ids of the responses that the history is made of, oldest first. */
  chainIds(): Promise<readonly string[]>;
  /**
   * All items that came before, oldest first; read when first asked for.
   * @throws GatewayError 404 when a part of them is gone, 400 when the last response has not ended, 413 when they are
   *   larger than a request may be
   */
  items(): Promise<readonly JsonObject[]>;
}

/** Brings a response that its provider still worked on up to date. */
export type Refresh = (row: ResponseRow) => Promise<ResponseRow>;

/**
 * Finds what a request continues.
 * @throws GatewayError 404 for a response or conversation that does not exist, or not for this caller
 */
export async function openContext(
  deps: ResponseDeps,
  request: CreateRequest,
  principal: Principal,
  refresh: Refresh,
): Promise<ConversationContext> {
  const tenant = deps.ownership.tenantOf(principal);
  const { previousId } = request;
  const previous =
    previousId === undefined ? undefined : await findPrevious(deps, previousId, principal, tenant);
  const conversationId =
    request.conversationId === undefined
      ? undefined
      : await findConversation(deps, request.conversationId, principal);
  let chain: Promise<readonly string[]> | undefined;
  let items: Promise<readonly JsonObject[]> | undefined;
  const chainIds = (): Promise<readonly string[]> => {
    chain ??= previous?.kind === "kept" ? readChain(deps, previous.row) : Promise.resolve([]);
    return chain;
  };
  const read = async (): Promise<readonly JsonObject[]> => {
    const { state } = deps;
    if (state === undefined) return [];
    const room = roomForItems(deps, "The history that this request continues is");
    if (conversationId !== undefined) {
      room.take(await state.conversations.size(conversationId));
      return state.conversations.items(conversationId);
    }
    if (previous?.kind !== "kept") return [];
    const row = hasEnded(previous.row.status) ? previous.row : await refresh(previous.row);
    if (!hasEnded(row.status)) throw stillRunning(row);
    const ids = await chainIds();
    room.take(await state.responses.size(ids));
    const kept = await state.responses.itemsOf(ids);
    return ids.flatMap((id) => [...(kept.get(id)?.input ?? []), ...(kept.get(id)?.output ?? [])]);
  };
  return {
    tenant,
    previous,
    conversationId,
    chainIds,
    items: () => {
      items ??= read();
      return items;
    },
  };
}

async function findPrevious(
  deps: ResponseDeps,
  id: string,
  principal: Principal,
  tenant: string,
): Promise<Previous> {
  const row = await findStored(deps, id, tenant);
  if (row !== undefined) {
    if (row.tenant !== tenant && !seesEveryTenant(principal)) throw unknown(id);
    return { kind: "kept", row };
  }
  const located = await deps.ownership.locate("response", id, principal).catch((error: unknown) => {
    throw error instanceof GatewayError && error.status === 404 ? unknown(id) : error;
  });
  // An id of ours that the store does not have belongs to a response that was deleted or never kept.
  const ours = located.providerId !== id && readLiteLlmId(id) === undefined;
  if (located.providerId === undefined || (ours && deps.state !== undefined)) throw unknown(id);
  return { kind: "provider", providerId: located.providerId, origin: located.origin };
}

/** @returns undefined for an id that this gateway never issued: the provider may know it */
async function findConversation(
  deps: ResponseDeps,
  id: string,
  principal: Principal,
): Promise<string | undefined> {
  const located = await deps.ownership.locate("conversation", id, principal);
  if (located.row !== undefined && located.providerId === undefined) return id;
  return undefined;
}

async function readChain(deps: ResponseDeps, row: ResponseRow): Promise<readonly string[]> {
  const chain = (await deps.state?.responses.chain(row.id)) ?? [];
  const missing = chain[0] === undefined ? row.id : chain[0].previous_id;
  if (missing !== null)
    throw previousNotFound(
      `The response '${missing}', which '${row.id}' continues, does not exist any more; its history cannot be restored.`,
    );
  return chain.map(({ id }) => id);
}

function stillRunning({ id, status }: ResponseRow): GatewayError {
  return invalidRequest(
    `Response with id '${id}' is still ${status}; continue it when it has ended.`,
    "previous_response_id",
  );
}

function unknown(id: string): GatewayError {
  return previousNotFound(`Previous response with id '${id}' not found.`);
}

/** The error for a history that cannot be found. */
export function previousNotFound(message: string): GatewayError {
  const { status, type } = notFound(message);
  return new GatewayError(status, type, message, {
    param: "previous_response_id",
    providerCode: "previous_response_not_found",
  });
}

/** Room for items that come into a request out of the store. */
function roomForItems({ calls }: ResponseDeps, subject: string): ByteRoom {
  const limit = calls.config.current.generalSettings.maxRequestSizeMb * 2 ** 20;
  return new ByteRoom(limit, (mebibytes) => `${subject} larger than ${mebibytes} MiB together`);
}

/** What a caller may refer to: its own items. */
export function openReferences(deps: ResponseDeps, tenant: string): References {
  const { state, seal, ownership } = deps;
  return {
    opened: (item) => openedItem(seal, tenant, item),
    finder: () =>
      itemFinder(state?.responses, tenant, roomForItems(deps, "The items that are named by their ids are")),
    foreign: (ids) => ownership.foreignItems(ids, tenant),
  };
}

/** Each item is read once, and takes its room as often as it is named. */
function itemFinder(responses: ResponseStore | undefined, tenant: string, room: ByteRoom): FindItem {
  const known = new Map<string, Promise<FoundItem | undefined>>();
  return async (id) => {
    let found = known.get(id);
    if (found === undefined && known.size >= MAX_NAMED_ITEMS)
      throw invalidRequest(
        `input: expected at most ${MAX_NAMED_ITEMS.toLocaleString("en")} items that are named by their ids`,
        "input",
      );
    found ??= responses?.findItem(tenant, id) ?? Promise.resolve(undefined);
    known.set(id, found);
    const item = await found;
    if (item !== undefined) room.take(item.size);
    return item;
  };
}

/**
 * What the gateway stores of a response, by the id that it handed out, by the provider's own or by LiteLLM's form of
 * that. Of several with one provider id the caller's own is meant; whether the caller may see it is still to be asked.
 */
export async function findStored(
  { state, ownership }: ResponseDeps,
  id: string,
  tenant: string,
): Promise<ResponseRow | undefined> {
  if (state === undefined) return undefined;
  const row = await state.responses.find(id);
  if (row !== undefined || !ownership.allowsProviderIds) return row;
  const providerId = readLiteLlmId(id)?.providerId ?? id;
  const rows = await state.responses.findByProviderIds([providerId]);
  return rows.find((row) => row.tenant === tenant) ?? rows[0];
}

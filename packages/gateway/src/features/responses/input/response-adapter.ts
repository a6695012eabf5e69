import type { Target } from "../../../contract/deployment.ts";
import { invalidRequest } from "../../../contract/errors.ts";
import { asText, isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { RequestAdapter } from "../../../core/call/model-call.ts";
import { changedWay } from "../../../core/call/prepare-call.ts";
import { namesItem } from "../../../core/call/request-references.ts";
import { inputItems, requireItems } from "../../conversations/items.ts";
import type { FoundItem } from "../record/store.ts";
import type { ResponseDeps } from "../response-deps.ts";
import {
  type ConversationContext,
  openContext,
  openReferences,
  type Previous,
  previousNotFound,
  type Refresh,
} from "./conversation-context.ts";
import { type CreateRequest, readResponseRequest } from "./create-request.ts";
import { cleaned, needsCleaning, portableItems } from "./provider-items.ts";

/** @throws GatewayError 400 for too many items, 413 for items that are too large together */
export type FindItem = (id: string) => Promise<FoundItem | undefined>;

/** What a request refers to by ids. */
export interface References {
  /** An item with the summary that this gateway sealed in it. @throws GatewayError 400 for one that is not the caller's */
  readonly opened: (item: JsonObject) => JsonObject;
  /** Finds the items that one request of the caller's refers to. */
  readonly finder: () => FindItem;
  /** Under which of these ids a provider has another tenant's item. */
  readonly foreign: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Finds what a request continues, and fits it to the deployments that it may go to.
 * @throws GatewayError as `openContext`
 */
export async function openAdapter(
  deps: ResponseDeps,
  request: CreateRequest,
  principal: Principal,
  refresh: Refresh,
): Promise<ResponseAdapter> {
  const reopen = (hooked: CreateRequest) => openContext(deps, hooked, principal, refresh);
  const context = await reopen(request);
  return new ResponseAdapter(request, context, openReferences(deps, context.tenant), reopen);
}

/**
 * Fits a request to its deployment: one that keeps the previous response itself gets its id, every other one the whole
 * history as input.
 */
class ResponseAdapter implements RequestAdapter {
  readonly #references: References;
  readonly #reopen: (request: CreateRequest) => Promise<ConversationContext>;
  #request: CreateRequest;
  #context: ConversationContext;
  /** The input of the last attempt, and its items once they are asked for: most calls that a provider keeps need none. */
  #seen: { readonly input: unknown; items?: JsonObject[] } | undefined;
  #dropped = 0;
  #store: boolean;

  /** @param reopen finds what a request continues that hooks have changed */
  constructor(
    request: CreateRequest,
    context: ConversationContext,
    references: References,
    reopen: (request: CreateRequest) => Promise<ConversationContext>,
  ) {
    this.#request = request;
    this.#store = request.store;
    this.#context = context;
    this.#references = references;
    this.#reopen = reopen;
  }

  get prefers(): string | undefined {
    return deploymentOf(this.#context.previous);
  }

  /** What came before the request, as the hooks left it. */
  get context(): ConversationContext {
    return this.#context;
  }

  /** The response that the request continues, by the id that it has there. */
  get previousId(): string | undefined {
    return this.#request.previousId;
  }

  /** Whether the answer is to be kept: a hook may want it not to be. */
  get store(): boolean {
    return this.#store;
  }

  async hooked(data: JsonObject): Promise<void> {
    const request = readResponseRequest(data);
    requireSameWay(this.#request, request);
    this.#store = request.store;
    const { previousId, conversationId } = this.#request;
    if (request.previousId === previousId && request.conversationId === conversationId) return;
    this.#context = await this.#reopen(request);
    this.#request = request;
    this.#dropped = 0;
  }

  /** The input as it is kept, after the hooks. */
  inputItems(data: JsonObject): JsonObject[] {
    this.#see(data);
    return this.storedInput;
  }

  /** The input of the call that answered. */
  get storedInput(): JsonObject[] {
    const seen = this.#seen;
    if (seen === undefined) return [];
    seen.items ??= inputItems(seen.input);
    return seen.items;
  }

  #see({ input }: JsonObject): void {
    if (this.#seen === undefined || this.#seen.input !== input) this.#seen = { input };
  }

  /**
   * Leaves out the older half of the history, up to a turn of the user.
   * @returns whether there was anything left to leave out
   */
  async dropOldest(): Promise<boolean> {
    const items = (await this.#context.items()).slice(this.#dropped);
    if (items.length === 0) return false;
    const turn = items.findIndex(
      (item, index) => index >= items.length / 2 && item.type === "message" && item.role === "user",
    );
    this.#dropped += turn < 0 ? items.length : turn;
    return true;
  }

  async changes(data: JsonObject, target: Target, native: boolean): Promise<ReadonlyMap<string, unknown>> {
    requireItems(data.input);
    this.#see(data);
    return native ? this.#nativeChanges(data, target) : this.#emulatedChanges(data, this.storedInput);
  }

  async #nativeChanges(data: JsonObject, target: Target): Promise<ReadonlyMap<string, unknown>> {
    const { deployment } = target;
    const changes = new Map<string, unknown>();
    const { previous, conversationId } = this.#context;
    const input = await this.#nativeInput(data.input, target);
    if (input !== data.input) changes.set("input", input);
    if (data.custom_llm_provider !== undefined) changes.set("custom_llm_provider", undefined);
    const knows = previous && providerIdAt(previous, deployment.id);
    if (knows !== undefined) changes.set("previous_response_id", knows);
    else if (previous !== undefined || conversationId !== undefined) {
      if (previous?.kind === "provider") throw onlyAtProvider(previous);
      const history = portableItems(await this.history());
      const own = typeof input === "string" ? [{ role: "user", content: input }] : asList(input);
      changes.set("previous_response_id", undefined);
      if (conversationId !== undefined) changes.set("conversation", undefined);
      changes.set("input", [...history, ...own]);
    }
    return changes;
  }

  /** The caller's own input, without what only the gateway understands. */
  async #nativeInput(input: unknown, target: Target): Promise<unknown> {
    if (!Array.isArray(input)) return input;
    const kept: unknown[] = needsCleaning(input) ? cleaned(input) : input;
    const result = mapped(kept, (item) => (isJsonObject(item) ? this.#references.opened(item) : item));
    const named = result.filter(namesItem);
    if (named.length === 0) return result;
    const foreign = await this.#references.foreign(named.map(({ id }) => id));
    const findItem = this.#references.finder();
    const resolve = (item: unknown) => this.#nativeReference(item, foreign, findItem, target);
    const resolved = await Promise.all(result.map(resolve));
    const isUnchanged = resolved.every((items, index) => items.length === 1 && items[0] === result[index]);
    return isUnchanged ? result : resolved.flat();
  }

  /** A reference that the provider understands, or the item itself. */
  async #nativeReference(
    item: unknown,
    foreign: ReadonlySet<string>,
    findItem: FindItem,
    { deployment }: Target,
  ): Promise<unknown[]> {
    if (!namesItem(item)) return [item];
    const isForeign = foreign.has(item.id);
    const found = isReference(item) ? await findItem(item.id) : undefined;
    if (found === undefined && isForeign) throw itemNotFound(item);
    const isKnown = found === undefined || (found.knownAt === deployment.id && !isForeign);
    return isKnown ? [item] : portableItems([found.item]);
  }

  async #emulatedChanges(
    data: JsonObject,
    items: readonly JsonObject[],
  ): Promise<ReadonlyMap<string, unknown>> {
    if (data.prompt !== undefined && data.prompt !== null)
      throw invalidRequest("prompt: this model's provider has no stored prompts", "prompt");
    const { previous } = this.#context;
    if (previous?.kind === "provider") throw onlyAtProvider(previous);
    if (isConversation(data.conversation) && this.#context.conversationId === undefined)
      throw invalidRequest("conversation: this model's provider does not know it", "conversation");
    if (items.length === 0) return new Map([["input", data.input]]);
    const findItem = this.#references.finder();
    const resolved = await Promise.all(items.map((item) => this.#resolved(item, findItem)));
    return new Map([["input", [...(await this.history()), ...resolved]]]);
  }

  /** What came before the request, without what `dropOldest` left out. */
  async history(): Promise<readonly JsonObject[]> {
    return (await this.#context.items()).slice(this.#dropped).map(this.#references.opened);
  }

  async #resolved(item: JsonObject, findItem: FindItem): Promise<JsonObject> {
    if (!isReference(item)) return this.#references.opened(item);
    const found = await findItem(asText(item.id));
    if (found === undefined) throw itemNotFound(item);
    return this.#references.opened(found.item);
  }
}

/** The list itself where each item is left as it was: then the caller's own bytes go to the provider. */
function mapped(items: unknown[], change: (item: unknown) => unknown): unknown[] {
  const changed = items.map(change);
  return changed.every((item, index) => item === items[index]) ? items : changed;
}

function deploymentOf(previous: Previous | undefined): string | undefined {
  if (previous?.kind === "kept") return previous.row.deployment_id ?? undefined;
  return previous?.origin?.deployment?.id;
}

/** The provider's own id of the previous response, where this deployment made it. */
function providerIdAt(previous: Previous, deploymentId: string): string | undefined {
  if (previous.kind === "kept") {
    const { row } = previous;
    return row.deployment_id === deploymentId ? (row.provider_id ?? undefined) : undefined;
  }
  const { origin, providerId } = previous;
  return origin === undefined || origin.deployment?.id === deploymentId ? providerId : undefined;
}

/** A reference; OpenAI's need no type. */
function isReference(item: JsonObject): boolean {
  return item.type === "item_reference" || (namesItem(item) && (item.type ?? "") === "");
}

function itemNotFound({ id }: JsonObject): Error {
  return invalidRequest(`Item with id '${asText(id)}' not found.`, "input");
}

function isConversation(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function asList(input: unknown): unknown[] {
  return Array.isArray(input) ? input : [];
}

function onlyAtProvider({ providerId, origin }: Extract<Previous, { kind: "provider" }>): Error {
  return previousNotFound(
    origin === undefined
      ? `Previous response with id '${providerId}' not found.`
      : "The previous response is kept by another provider than this model's; its history cannot be read here.",
  );
}

export type { ResponseAdapter };

/**
 * How a response is answered is settled before its hooks run: whether as a stream, in the background, and kept.
 * @throws GatewayError 500 where a hook changes it, but to keep nothing
 */
function requireSameWay(given: CreateRequest, hooked: CreateRequest): void {
  const changed = (["stream", "background", "store"] as const).find((name) => given[name] !== hooked[name]);
  if (changed === undefined || (changed === "store" && given.store)) return;
  throw changedWay(changed, "a response");
}

import type { CallRecord } from "../../contract/call-record.ts";
import type { Target } from "../../contract/deployment.ts";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { ByteRoom } from "../../platform/transport/byte-room.ts";
import { piecesOf } from "../../util/pieces.ts";

/**
 * What an id in a request names. `kept` is what a provider's account keeps and no endpoint of the gateway makes: stores,
 * caches, skills. An `address` is of a file in the account, which the provider reads with the gateway's credentials.
 */
export type ReferenceKind = "file" | "container" | "kept" | "address";

/** An id in a request: what it names, and the object that it is a member of. */
export interface Reference {
  readonly kind: ReferenceKind;
  readonly id: string;
  /** The object that names it, for those who put the content in its place; absent where it is one of a list. */
  readonly holder: JsonObject | undefined;
  /** The member that the holder is. */
  readonly holderName: string;
}

/** What stands in a reference's place: another id, or another object in its holder's. */
export type Replacement = { readonly id: string } | { readonly holder: JsonObject };

/** Whose request names files and containers, and how long it is wanted. */
export interface ReferringCall {
  readonly principal: Principal;
  /** Told by which ids the caller knows them. */
  readonly record: CallRecord;
  readonly signal: AbortSignal;
  /** In the request, for the content of files. */
  readonly room: ByteRoom;
}

/** Bytes of the files whose content goes into a request in place of their ids. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Files, containers and the like that one request may name, each of which is looked for in the store. */
const MAX_REFERENCES = 1000;
/** Of which so many at a time. */
const AT_A_TIME = 10;

/** Traces the files and containers that a request names. */
export interface ReferenceResolver {
  /**
   * What the request's provider gets in a reference's place: an id that it knows, or the content.
   * @throws GatewayError 404 for what does not exist or belongs to another tenant, 403 for what the key may not reach
   */
  replacement(
    reference: Reference,
    call: ReferringCall,
    target: Target,
    isNative: boolean,
  ): Promise<Replacement>;
  /** @throws GatewayError as `replacement` does, for a request that goes out later and elsewhere */
  requireVisible(reference: Reference, principal: Principal): Promise<void>;
}

/** Kinds of block whose `input` is the caller's own: arguments of its functions. */
const FUNCTION_CALLS = new Set<unknown>(["tool_use", "mcp_tool_use", "server_tool_use", "custom_tool_call"]);

/** A reference and where it stands. */
interface Slot extends Reference {
  /** The request's own member that has it. */
  readonly root: string;
  put(replacement: Replacement): void;
}

/**
 * What changes in a request so that its provider knows the files and containers that it names, wherever they stand: in
 * messages, items, tools and what they return, variables of prompts.
 * @throws GatewayError as `ReferenceResolver.replacement`
 */
export async function replaceReferences(
  resolver: ReferenceResolver,
  data: JsonObject,
  caller: Omit<ReferringCall, "room">,
  target: Target,
  isNative: boolean,
): Promise<Map<string, unknown>> {
  const changes = new Map<string, unknown>();
  const names = new Set(slotsOf(data).map(({ root }) => root));
  for (const name of names) changes.set(name, structuredClone(data[name]));
  const copy = Object.fromEntries(changes);
  const changed = new Set<string>();
  const call = { ...caller, room: new ByteRoom(MAX_FILE_BYTES, filesTooLarge) };
  const replaceOne = async (slot: Slot): Promise<void> => {
    const replacement = await resolver.replacement(slot, call, target, isNative);
    if ("id" in replacement && replacement.id === slot.id) return;
    slot.put(replacement);
    changed.add(slot.root);
  };
  await each(slotsOf(copy), replaceOne);
  return new Map([...changed].map((name) => [name, copy[name]]));
}

/** @throws GatewayError as `ReferenceResolver.requireVisible`, for any of what a request names */
export async function requireVisibleReferences(
  resolver: ReferenceResolver,
  data: JsonObject,
  principal: Principal,
): Promise<void> {
  await each(slotsOf(data), (slot) => resolver.requireVisible(slot, principal));
}

async function each(slots: Slot[], step: (slot: Slot) => Promise<void>): Promise<void> {
  for (const some of piecesOf(slots, AT_A_TIME)) await Promise.all(some.map(step));
}

function filesTooLarge(mebibytes: number): string {
  return `The files that the request names are larger than ${mebibytes} MiB together, too much for this model's provider.`;
}

/** What a request names. @throws GatewayError 400 for more than can be looked for */
export function referencesIn(data: JsonObject): readonly Reference[] {
  return slotsOf(data);
}

/**
 * Whether a request names what a provider's account keeps, so that its bytes cannot go there as they came.
 * @param withAddresses whether addresses in the account count too
 */
export function refers(data: JsonObject, withAddresses: boolean): boolean {
  return slotsOf(data).some(({ kind }) => withAddresses || kind !== "address");
}

/** What a response goes on from. */
export interface Continuation {
  readonly kind: "response" | "conversation" | "item";
  readonly id: string;
}

/** The response, the conversation and the items that a request for a response names. */
export function continuationsIn({ previous_response_id, conversation, input }: JsonObject): Continuation[] {
  const found: Continuation[] = [];
  const add = (kind: Continuation["kind"], id: unknown): void => {
    if (typeof id === "string" && id !== "") found.push({ kind, id });
  };
  add("response", previous_response_id);
  add("conversation", isJsonObject(conversation) ? conversation.id : conversation);
  if (Array.isArray(input)) for (const item of input) if (namesItem(item)) add("item", item.id);
  return found;
}

/** Members of an item that are none of its content. */
const FRAME = new Set(["id", "type", "status", "role", "phase"]);

/**
 * Whether an item of an input is there by its id alone, so that its provider puts in what it keeps under that id. OpenAI's
 * references need no type (API reference, `ItemReference`), reasoning comes from there unless it is encrypted, and so
 * does an item without content.
 */
export function namesItem(item: unknown): item is JsonObject & { readonly id: string } {
  if (!isJsonObject(item) || typeof item.id !== "string" || item.id === "") return false;
  if (item.type === "item_reference") return true;
  if (item.type === "reasoning") return isEmpty(item.encrypted_content);
  return Object.keys(item).every((name) => FRAME.has(name) || isEmpty(item[name]));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function slotsOf(data: JsonObject): Slot[] {
  const slots: Slot[] = [];
  for (const name of Object.keys(data)) addMember(slots, data, "", name, name, undefined, "");
  if (slots.length > MAX_REFERENCES)
    throw invalidRequest(
      `A request may name at most ${MAX_REFERENCES.toLocaleString("en")} files, containers and the like`,
    );
  return slots;
}

/**
 * Adds what one member names: by its own name, or somewhere in it. A long conversation has thousands that name nothing,
 * for which nothing is made.
 * @param parent where the holder stands itself, at `place`; absent for the request
 */
function addMember(
  slots: Slot[],
  holder: JsonObject,
  holderName: string,
  name: string,
  root: string,
  parent: object | undefined,
  place: string | number,
): void {
  const named = meaningOf(name, holder);
  if (named === "callers") return;
  const value = holder[name];
  if (named !== undefined && typeof value === "string") {
    const id = named === "address" ? idInAddress(value) : value;
    if (id === undefined || id === "") return;
    const put = putting(holder, name, parent, place);
    slots.push({ kind: named, id, holder: parent && holder, holderName, root, put });
  } else if (named !== undefined && Array.isArray(value)) addList(slots, named, value, root);
  else if (isJsonObject(value)) {
    if (name === "container") addContainer(slots, value, root);
    addObject(slots, value, name, root, holder, name);
  } else if (Array.isArray(value)) addItems(slots, value, root);
}

/** Puts another id in place of a member, or another object in place of its holder. */
function putting(
  holder: JsonObject,
  name: string,
  parent: object | undefined,
  place: string | number,
): Slot["put"] {
  return (replacement) => {
    if ("id" in replacement) holder[name] = replacement.id;
    else if (parent !== undefined) Reflect.set(parent, place, replacement.holder);
  };
}

/** @param parent where the object stands, at `place` */
function addObject(
  slots: Slot[],
  object: JsonObject,
  ownName: string,
  root: string,
  parent: object,
  place: string | number,
): void {
  for (const name in object) {
    if (ownName === "variables") addVariable(slots, object, name, root);
    else if (name !== "input" || !FUNCTION_CALLS.has(object.type))
      addMember(slots, object, ownName, name, root, parent, place);
  }
}

/** A variable of a prompt: its name is its author's and says nothing; its value is a text, or a block of content. */
function addVariable(slots: Slot[], variables: JsonObject, name: string, root: string): void {
  const value = variables[name];
  if (isJsonObject(value)) addObject(slots, value, "", root, variables, name);
  else if (Array.isArray(value)) addItems(slots, value, root);
}

function addItems(slots: Slot[], items: unknown[], root: string): void {
  // By index: lists of tokens have hundreds of thousands of items.
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index];
    if (Array.isArray(item)) addItems(slots, item, root);
    else if (isJsonObject(item)) addObject(slots, item, "", root, items, index);
  }
}

/** A list of ids; one in a list of its own is one as well, and objects there are as they are elsewhere. */
function addList(slots: Slot[], kind: ReferenceKind, ids: unknown[], root: string): void {
  for (const [index, one] of ids.entries()) {
    if (Array.isArray(one)) addList(slots, kind, one, root);
    else if (isJsonObject(one)) addItems(slots, [one], root);
    if (typeof one !== "string") continue;
    const id = kind === "address" ? idInAddress(one) : one;
    if (id === undefined) continue;
    const put = (replacement: Replacement): void => {
      if ("id" in replacement) ids[index] = replacement.id;
    };
    slots.push({ kind, id, holder: undefined, holderName: "", root, put });
  }
}

/** A container that is named with its settings: `{"id": ...}`. */
function addContainer(slots: Slot[], container: JsonObject, root: string): void {
  const { id } = container;
  if (typeof id !== "string" || id === "") return;
  const put = (replacement: Replacement): void => {
    if ("id" in replacement) container.id = replacement.id;
  };
  slots.push({ kind: "container", id, holder: undefined, holderName: "", root, put });
}

/**
 * Members that are an id or an address, or a list of such, and those whose content is the caller's own and means nothing
 * to providers: schemas, arguments and inputs of the caller's functions, labels.
 */
const meanings: ReadonlyMap<string, ReferenceKind | "callers"> = new Map([
  ["file_id", "file"],
  ["file_ids", "file"],
  ["container", "container"],
  ["container_id", "container"],
  ...[
    "vector_store_id",
    "vector_store_ids",
    "skill_id",
    "cachedContent",
    "cached_content",
    "fileSearchStoreNames",
    "file_search_store_names",
    "ragCorpus",
    "rag_corpus",
    "ragCorpora",
    "rag_corpora",
    "datastore",
    "dataStore",
    "data_store",
  ].map((name) => [name, "kept"] as const),
  ...["fileUri", "file_uri", "url", "image_url", "file_url"].map((name) => [name, "address"] as const),
  ...[
    "metadata",
    "parameters",
    "input_schema",
    "output_schema",
    "schema",
    "json_schema",
    "function",
    "functions",
    "arguments",
    // Google's names of the same.
    "args",
    "response",
    "responseSchema",
    "responseJsonSchema",
    "parametersJsonSchema",
  ].map((name) => [name, "callers"] as const),
]);

function meaningOf(name: string, holder: JsonObject): ReferenceKind | "callers" | undefined {
  const meaning = meanings.get(name);
  return meaning === "kept" && name === "skill_id" && isEverybodysSkill(holder) ? undefined : meaning;
}

/** Anthropic names its own skills by a type, OpenAI by a prefix. */
function isEverybodysSkill({ type, skill_id: id }: JsonObject): boolean {
  return type === "anthropic" || (typeof id === "string" && id.startsWith("openai-"));
}

/** A file in the account at Google: its name follows the version of the API. */
const keptAddress = /^(?:(?:https?:)?\/\/.{1,2000}\/v\d\w*\/|\/?)(files\/[^/?#:]+)|^(?:gs|s3):\/\/(.+)/is;

/** No address of a file in an account is longer. */
const MAX_ADDRESS = 4096;

/**
 * The id of the file in a provider's account that an address leads to; nothing for other addresses. Spaces around it,
 * steps that lead nowhere and escapes make no other address of it.
 */
function idInAddress(address: string): string | undefined {
  if (address.startsWith("data:")) return undefined;
  const plain = address
    .slice(0, MAX_ADDRESS)
    .trim()
    .replace(/%[2-7][\da-f]/gi, (octet) => String.fromCharCode(Number.parseInt(octet.slice(1), 16)))
    .replace(/(?<=[^:/])\/(?:\.?\/)+/g, "/");
  const [, file, object] = keptAddress.exec(plain) ?? [];
  return file ?? object;
}

import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** What an id in a request names. */
export type ReferenceKind = "file" | "container";

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

type Replace = (reference: Reference) => Promise<Replacement>;

/**
 * Members whose content is the caller's own and means nothing to providers: schemas, arguments and inputs of the
 * caller's functions, labels.
 */
const OPAQUE = new Set([
  "metadata",
  "parameters",
  "input_schema",
  "output_schema",
  "schema",
  "json_schema",
  "function",
  "functions",
  "arguments",
]);

/** Kinds of block whose `input` is the caller's own: arguments of its functions. */
const FUNCTION_CALLS = new Set<unknown>(["tool_use", "mcp_tool_use", "server_tool_use", "custom_tool_call"]);

/** Within a string quotes are escaped, so these are names of members, or values that nothing follows. */
const marks = ["file_id", "file_ids", "container", "container_id"].map((name) => Buffer.from(`"${name}"`));
const escapeMark = Buffer.from("\\u00");
/** Letters, digits and the underscore as escapes, in which no writer of JSON puts them without a purpose. */
const escapedNames = ["3", "4", "5", "6", "7"].map((digit) => Buffer.from(`\\u00${digit}`));

/** Whether a request may name files or containers, by a look at its bytes. */
export function mayRefer(raw: Buffer): boolean {
  return marks.some((mark) => raw.includes(mark)) || hasEscapedNames(raw);
}

/** Whether names of members may be written with escapes. */
function hasEscapedNames(raw: Buffer): boolean {
  return raw.includes(escapeMark) && escapedNames.some((mark) => raw.includes(mark));
}

/** A reference and where it stands. */
interface Slot extends Reference {
  /** The request's own member that has it. */
  readonly root: string;
  put(replacement: Replacement): void;
}

/**
 * The members of a request that change when each file and container in it is replaced, wherever it stands: in
 * messages, items, tools and what they return, variables of prompts.
 */
export async function replaceReferences(data: JsonObject, replace: Replace): Promise<Map<string, unknown>> {
  const changes = new Map<string, unknown>();
  const names = new Set(slotsOf(data).map(({ root }) => root));
  for (const name of names) changes.set(name, structuredClone(data[name]));
  const copy = Object.fromEntries(changes);
  const changed = new Set<string>();
  const replaceOne = async (slot: Slot): Promise<void> => {
    const replacement = await replace(slot);
    if ("id" in replacement && replacement.id === slot.id) return;
    slot.put(replacement);
    changed.add(slot.root);
  };
  await Promise.all(slotsOf(copy).map(replaceOne));
  return new Map([...changed].map((name) => [name, copy[name]]));
}

/** The files and containers that a request names. */
export function referencesIn(data: JsonObject): readonly Reference[] {
  return slotsOf(data);
}

function slotsOf(data: JsonObject): Slot[] {
  const slots: Slot[] = [];
  for (const name of Object.keys(data))
    if (!OPAQUE.has(name)) addMember(slots, data, "", name, name, undefined);
  return slots;
}

/** Adds what one member names: by its own name, or somewhere in it. */
function addMember(
  slots: Slot[],
  holder: JsonObject,
  holderName: string,
  name: string,
  root: string,
  replaceHolder: ((other: JsonObject) => void) | undefined,
): void {
  const value = holder[name];
  const kind = kindOf(name);
  if (kind !== undefined && typeof value === "string" && value !== "")
    slots.push({
      kind,
      id: value,
      holder: replaceHolder && holder,
      holderName,
      root,
      put: (replacement) => {
        if ("id" in replacement) holder[name] = replacement.id;
        else replaceHolder?.(replacement.holder);
      },
    });
  else if (name === "file_ids" && Array.isArray(value)) addList(slots, value, root);
  else if (isJsonObject(value)) {
    if (name === "container") addContainer(slots, value, root);
    addObject(slots, value, name, root, (other) => {
      holder[name] = other;
    });
  } else if (Array.isArray(value)) addItems(slots, value, root);
}

function addObject(
  slots: Slot[],
  object: JsonObject,
  ownName: string,
  root: string,
  replaceSelf: (other: JsonObject) => void,
): void {
  for (const name of Object.keys(object)) {
    if (OPAQUE.has(name) || (name === "input" && FUNCTION_CALLS.has(object.type))) continue;
    addMember(slots, object, ownName, name, root, replaceSelf);
  }
}

function addItems(slots: Slot[], items: unknown[], root: string): void {
  for (const [index, item] of items.entries()) {
    if (Array.isArray(item)) addItems(slots, item, root);
    else if (isJsonObject(item))
      addObject(slots, item, "", root, (other) => {
        items[index] = other;
      });
  }
}

/** A list of files' ids. */
function addList(slots: Slot[], ids: unknown[], root: string): void {
  for (const [index, id] of ids.entries()) {
    if (typeof id !== "string") continue;
    const put = (replacement: Replacement): void => {
      if ("id" in replacement) ids[index] = replacement.id;
    };
    slots.push({ kind: "file", id, holder: undefined, holderName: "", root, put });
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

function kindOf(name: string): ReferenceKind | undefined {
  if (name === "file_id") return "file";
  return name === "container" || name === "container_id" ? "container" : undefined;
}

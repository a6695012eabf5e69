import {
  CORE_SCHEMA,
  constructFromEvents,
  EVENT_ID,
  type Event,
  getScalarValue,
  mergeTag,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import { parseFlowLines } from "./flow-lines.ts";

/** YAML 1.2 with merge keys. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);
/** Values that aliases may come to when each stands where it is used: a few lines can stand for billions. */
const MAX_VALUES = 1_000_000;
/** Collections within one another, those of aliases included. */
const MAX_DEPTH = 100;

/** Why a text is no YAML, or none that can be used. */
export class YamlError extends Error {
  /** Where, in characters from the beginning. */
  readonly offset: number | undefined;

  constructor(message: string, offset: number | undefined) {
    super(message);
    this.offset = offset;
  }
}

/** A value of the text: where it stands, and what is in it. */
interface Place {
  /** Absent for nothing at all, such as the value in `key:`. */
  readonly offset: number | undefined;
  /** Of a map, by key; the last of those that are alike. */
  readonly members?: Map<string, Member>;
  /** Of a list. */
  readonly items?: Place[];
}

/** A key of a map, and its value. */
interface Member {
  readonly key: number | undefined;
  readonly place: Place;
}

/** A YAML text, its value, and where each part of it stands. */
export class YamlText {
  /** `undefined` for a text without a value. */
  readonly value: unknown;
  /** Where keys stand that their map had before; the last one holds, as at LiteLLM. */
  readonly repeated: readonly number[];
  readonly #text: string;
  readonly #events: readonly Event[];
  #top: Place | undefined;

  /** @throws YamlError, which says nothing of what the text holds beside it */
  constructor(text: string) {
    const { read: asRead, events, documents, isRepeating } = read(text);
    this.#text = asRead;
    this.#events = events;
    if (documents.length > 1) throw new YamlError("this is more than one document; leave `---` out", 0);
    this.value = documents[0];
    if (events.some(({ type }) => type === EVENT_ID.ALIAS)) requireFinite(this.value);
    const repeated: number[] = [];
    if (isRepeating) this.#top = placesIn(asRead, events, repeated);
    this.repeated = repeated;
  }

  /** Where the key (or list item) stands that the path leads to, or its nearest ancestor in the text. */
  offsetOf(path: readonly (string | number)[]): number | undefined {
    this.#top ??= placesIn(this.#text, this.#events, []);
    let place: Place | undefined = this.#top;
    let offset = place?.offset;
    for (const step of path) {
      const member: Member | undefined = place?.members?.get(String(step));
      const item: Place | undefined = typeof step === "number" ? place?.items?.[step] : undefined;
      if (member === undefined && item === undefined) break;
      offset = member?.key ?? item?.offset ?? offset;
      place = member?.place ?? item;
    }
    return offset;
  }
}

function read(text: string) {
  try {
    const { events, text: read } = parseFlowLines(text, { maxDepth: MAX_DEPTH });
    const options = { source: read, schema: SCHEMA };
    try {
      return { read, events, documents: constructFromEvents(events, options), isRepeating: false };
    } catch (error) {
      if (!(error instanceof YAMLException) || error.reason !== "duplicated mapping key") throw error;
      return {
        read,
        events,
        documents: constructFromEvents(events, { ...options, json: true }),
        isRepeating: true,
      };
    }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Its message would quote the lines around, which may hold secrets.
    throw explained(text, error.reason, error.mark?.position ?? 0);
  }
}

/** What mends what the parser came upon, which says what it expected and not what to do. */
function explained(text: string, reason: string, offset: number): YamlError {
  const before = text.slice(0, offset);
  const begun = before.slice(before.lastIndexOf("\n") + 1);
  const line = begun + text.slice(offset).split("\n", 1)[0];
  if (reason.startsWith("tab characters")) return new YamlError(`${reason}; use spaces`, offset);
  if (reason === "deficient indentation" && line.includes("\t"))
    return new YamlError("a tab stands where only spaces can; use spaces", offset);
  if (reason === "deficient indentation" || reason.startsWith("unexpected end of the stream within a")) {
    const opening = Math.max(...[...`"'[{`].map((each) => before.lastIndexOf(each)));
    return new YamlError("this is never closed; add the closing quote or bracket", Math.max(opening, 0));
  }
  if (/\b(?:alias|anchor|tag)\b/.test(reason)) {
    const sentence =
      "anchors (&), aliases (*) and tags (!) begin so; put a text that is none of these into quotes";
    return new YamlError(sentence, Math.max(...[..."*&!"].map((mark) => text.lastIndexOf(mark, offset)), 0));
  }
  if (reason.endsWith("complex keys"))
    return new YamlError(
      "no map or list can be a key; put a text that begins with { or [ into quotes",
      offset,
    );
  const first = /(?:: |- |^\s*)([@`%])/.exec(line)?.[1];
  if (first !== undefined)
    return new YamlError(`no text may begin with ${first}; put it into quotes`, offset);
  if (reason.startsWith("bad indentation of a") && begun.trim() !== "")
    return new YamlError(
      "indent this line as its neighbours, or put a text with a colon or a bracket in it into quotes",
      offset,
    );
  const isIndent = /indentation|multiline key|document separator is expected|after a mapping key/.test(
    reason,
  );
  const step = isIndent ? "; check how far this line and its neighbours are indented" : "";
  return new YamlError(reason + step, offset);
}

/** @throws YamlError where aliases make a value endless, or as good as that */
function requireFinite(value: unknown): void {
  const known = new Map<object, number>();
  const count = (each: unknown, depth: number): number => {
    if (typeof each !== "object" || each === null) return 1;
    if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    const before = known.get(each);
    if (before !== undefined) return before;
    // Whoever meets it again before it is counted is within it.
    known.set(each, Number.POSITIVE_INFINITY);
    const all = Object.values(each).reduce((sum: number, part) => sum + count(part, depth + 1), 1);
    known.set(each, all);
    return all;
  };
  if (count(value, 1) > MAX_VALUES)
    throw new YamlError("aliases make this endless or too large; write some of it out", undefined);
}

/** The places of a document's parts. */
function placesIn(text: string, events: readonly Event[], repeated: number[]): Place | undefined {
  let top: Place | undefined;
  const open: {
    readonly place: Place;
    key?: { readonly name: string; readonly offset: number | undefined } | undefined;
  }[] = [];
  const put = (place: Place, name: string | undefined): void => {
    const parent = open.at(-1);
    if (parent === undefined) {
      top ??= place;
      return;
    }
    const { items, members } = parent.place;
    items?.push(place);
    if (members === undefined) return;
    if (parent.key === undefined) {
      parent.key = { name: name ?? "", offset: place.offset };
      return;
    }
    const { key } = parent;
    if (members.has(key.name) && key.name !== "<<" && key.offset !== undefined) repeated.push(key.offset);
    members.set(key.name, { key: key.offset, place });
    parent.key = undefined;
  };
  for (const event of events) {
    if (event.type === EVENT_ID.SCALAR) put({ offset: beginOf(event) }, getScalarValue(text, event));
    else if (event.type === EVENT_ID.ALIAS) put({ offset: event.anchorStart - 1 }, undefined);
    else if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) {
      const isMap = event.type === EVENT_ID.MAPPING;
      const place: Place = { offset: event.start, ...(isMap ? { members: new Map() } : { items: [] }) };
      put(place, undefined);
      open.push({ place });
    } else if (event.type === EVENT_ID.POP) open.pop();
  }
  return top;
}

function beginOf({ valueStart, style }: ScalarEvent): number | undefined {
  if (valueStart === -1) return undefined;
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

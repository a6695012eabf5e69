/** Where a member of a JSON object stands in its text, in bytes. */
export interface MemberSpan {
  readonly key: string;
  readonly keyStart: number;
  readonly valueStart: number;
  /** Behind the value's last byte. */
  readonly valueEnd: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * The members of the outermost object, in their order, duplicates included.
 * @param bytes the UTF-8 text of a JSON object that a parser has accepted; anything else gives no meaningful result
 */
export function memberSpans(bytes: Buffer): MemberSpan[] {
  return spansUntil(bytes, () => false);
}

/** @param isEnd whether the search ends before a member, by its value's first byte and the name of the member before it */
function spansUntil(
  bytes: Buffer,
  isEnd: (first: number, before: string | undefined) => boolean,
): MemberSpan[] {
  const spans: MemberSpan[] = [];
  let at = skipSpace(bytes, bytes.indexOf(OPEN_BRACE) + 1);
  while (at < bytes.length && bytes[at] === QUOTE) {
    const keyStart = at;
    const keyEnd = stringEnd(bytes, at);
    const valueStart = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    if (isEnd(bytes[valueStart]!, spans.at(-1)?.key)) break;
    const valueEnd = endOfValue(bytes, valueStart);
    spans.push({ key: keyText(bytes, keyStart, keyEnd), keyStart, valueStart, valueEnd });
    at = skipSpace(bytes, valueEnd);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  return spans;
}

/**
 * Some members of the outermost object, in their order. Those before its first list or object and those near its end are
 * found without reading what stands between: nearly always a conversation, beside which all else is short.
 * @param bytes as for `memberSpans`, without a member that stands twice
 * @returns perhaps others with them
 */
function uniqueSpans(bytes: Buffer, keys: readonly string[]): readonly MemberSpan[] {
  const missing = new Set(keys);
  const found = spansUntil(bytes, (first, before) => {
    if (before !== undefined) missing.delete(before);
    return missing.size === 0 || isContainer(first);
  });
  for (const { key } of found) missing.delete(key);
  for (const key of missing) {
    const near = spanNearEnd(bytes, key);
    if (near === undefined) return memberSpans(bytes);
    found.push(near);
  }
  return found.sort((one, other) => one.keyStart - other.keyStart);
}

/**
 * The text of a member that stands near the end of the outermost object, found without reading what stands before it.
 * @param bytes text that ought to be a JSON object; what precedes the member is not checked
 * @returns nothing where the text from the member on is not the rest of one object, or has no such member
 */
export function memberNearEnd(bytes: Buffer, key: string): string | undefined {
  const span = spanNearEnd(bytes, key);
  return span && bytes.toString("utf8", span.valueStart, span.valueEnd);
}

function spanNearEnd(bytes: Buffer, key: string): MemberSpan | undefined {
  // Within a string quotes are escaped, so that this is either a member's name or a value, which no colon follows.
  const name = JSON.stringify(key);
  const keyStart = bytes.lastIndexOf(name);
  if (keyStart === -1 || bytes[skipSpace(bytes, 0)] !== OPEN_BRACE) return undefined;
  // Or the end of a longer name, with a quote in it.
  if (bytes[keyStart - 1] === BACKSLASH) return undefined;
  const colonAt = skipSpace(bytes, keyStart + Buffer.byteLength(name));
  if (bytes[colonAt] !== COLON) return undefined;
  const valueStart = skipSpace(bytes, colonAt + 1);
  const valueEnd = endOfValue(bytes, valueStart);
  return endsObject(bytes, valueEnd) ? { key, keyStart, valueStart, valueEnd } : undefined;
}

/** Whether further members follow from `from` on, and then the brace that ends the text. */
function endsObject(bytes: Buffer, from: number): boolean {
  let at = skipSpace(bytes, from);
  while (bytes[at] === COMMA) {
    const keyStart = skipSpace(bytes, at + 1);
    const colonAt = skipSpace(bytes, stringEnd(bytes, keyStart));
    if (bytes[keyStart] !== QUOTE || bytes[colonAt] !== COLON) return false;
    at = skipSpace(bytes, endOfValue(bytes, skipSpace(bytes, colonAt + 1)));
  }
  return bytes[at] === CLOSE_BRACE && skipSpace(bytes, at + 1) === bytes.length;
}

/**
 * The object's text with other values for some of its members, every other byte as it was. Every occurrence of a
 * duplicated member is changed, so that no reader sees the old value.
 * @param changes JSON texts by key; `undefined` removes the member; absent members are added at the end
 * @param parsed what a parser made of the bytes, if none of its members stands twice: then they are found sooner
 */
export function editMembers(
  bytes: Buffer,
  changes: ReadonlyMap<string, string | undefined>,
  parsed?: object,
): Buffer {
  const present = parsed && [...changes.keys()].filter((key) => Object.hasOwn(parsed, key));
  const isSeenWhole = present === undefined || present.some((key) => changes.get(key) === undefined);
  const spans = isSeenWhole ? memberSpans(bytes) : uniqueSpans(bytes, present);
  const removes = spans.some(({ key }) => changes.has(key) && changes.get(key) === undefined);
  const kept = removes ? keepMembers(bytes, spans, changes) : bytes;
  return replaceMembers(kept, removes ? memberSpans(kept) : spans, changes);
}

function keepMembers(
  bytes: Buffer,
  spans: readonly MemberSpan[],
  changes: ReadonlyMap<string, string | undefined>,
): Buffer {
  const pieces: Buffer[] = [Buffer.from("{")];
  for (const { key, keyStart, valueEnd } of spans) {
    if (changes.has(key) && changes.get(key) === undefined) continue;
    if (pieces.length > 1) pieces.push(Buffer.from(","));
    pieces.push(bytes.subarray(keyStart, valueEnd));
  }
  return Buffer.concat([...pieces, Buffer.from("}")]);
}

function replaceMembers(
  bytes: Buffer,
  spans: readonly MemberSpan[],
  changes: ReadonlyMap<string, string | undefined>,
): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { key, valueStart, valueEnd } of spans) {
    const text = changes.get(key);
    if (text === undefined) continue;
    pieces.push(bytes.subarray(from, valueStart), Buffer.from(text));
    from = valueEnd;
  }
  const added = addedMembers(spans, changes);
  if (added === "") return pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]);
  const end = endOfMembers(bytes);
  const joint = bytes[end - 1] === OPEN_BRACE ? added : `,${added}`;
  return Buffer.concat([...pieces, bytes.subarray(from, end), Buffer.from(joint), bytes.subarray(end)]);
}

/** Behind the last member, or behind the brace that no member follows. */
function endOfMembers(bytes: Buffer): number {
  let end = bytes.lastIndexOf(CLOSE_BRACE);
  while (bytes[end - 1]! <= 0x20) end -= 1;
  return end;
}

function addedMembers(
  spans: readonly MemberSpan[],
  changes: ReadonlyMap<string, string | undefined>,
): string {
  const present = new Set(spans.map(({ key }) => key));
  return [...changes]
    .filter(([key, text]) => text !== undefined && !present.has(key))
    .map(([key, text]) => `${JSON.stringify(key)}:${text}`)
    .join(",");
}

function keyText(bytes: Buffer, start: number, end: number): string {
  const inner = bytes.toString("utf8", start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner;
}

/** Space, tab, line feed and carriage return all lie at or below 0x20, and nothing else may stand between tokens. */
function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at]! <= 0x20) at += 1;
  return at;
}

/** Behind the closing quote of the string that begins at `start`. */
function stringEnd(bytes: Buffer, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(bytes, end, start)) end = bytes.indexOf(QUOTE, end + 1);
  return end === -1 ? bytes.length : end + 1;
}

function isEscaped(bytes: Buffer, at: number, start: number): boolean {
  let slashes = 0;
  while (at - slashes - 1 > start && bytes[at - slashes - 1] === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

function endOfValue(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start);
  if (isContainer(first!)) return endOfContainer(bytes, start);
  let at = start;
  while (at < bytes.length && bytes[at]! > 0x20 && bytes[at] !== COMMA && bytes[at] !== CLOSE_BRACE) at += 1;
  return at;
}

function isContainer(first: number): boolean {
  return first === OPEN_BRACE || first === OPEN_BRACKET;
}

function endOfContainer(bytes: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      continue;
    }
    at += 1;
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

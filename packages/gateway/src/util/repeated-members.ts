const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Colons after which a text counts as prose, whose quotes are fewer. */
const MANY_COLONS = 100_000;

/** Colons of a JSON text. */
export interface Colons {
  /** Those in strings included. */
  readonly all: number;
  /** One for each name, and one for each string that begins with a colon; absent where all are too many to look at. */
  readonly behindQuotes: number | undefined;
}

/**
 * Whether a JSON text names a member of one of its objects twice: it has more names than what was parsed from it. A
 * parser may keep the first of them, the last, or join them as Protocol Buffers do, so that two readers of one text
 * understand it differently.
 * @param members how many the value that `JSON.parse` made of the text has at every depth
 * @param colons of the text, where they were counted already
 */
export function repeatsMembers(text: string, members: number, colons = countColons(text)): boolean {
  return colons.behindQuotes !== members && countNames(text) !== members;
}

/** Members of all objects in a value. Without recursion: it may be nested as deep as it likes. */
export function countMembers(value: object): number {
  let members = 0;
  const open: object[] = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const inner: unknown[] = Array.isArray(each) ? each : Object.values(each);
    if (inner !== each) members += inner.length;
    for (const one of inner) if (typeof one === "object" && one !== null) open.push(one);
  }
  return members;
}

/**
 * Counts a text's colons, and apart those behind quotes that no backslash escapes: they are found in a tenth of the time
 * of its names. Ends where they are too many.
 */
export function countColons(text: string): Colons {
  let all = 0;
  let behindQuotes = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before -= 1;
    if (text.charCodeAt(before) === QUOTE && !isEscaped(text, before)) behindQuotes += 1;
    all += 1;
    if (all === MANY_COLONS) return { all, behindQuotes: undefined };
  }
  return { all, behindQuotes };
}

/** Strings that a colon follows. */
function countNames(text: string): number {
  let names = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    let at = closingQuote(text, start) + 1;
    while (text.charCodeAt(at) <= 0x20) at += 1;
    if (text.charCodeAt(at) === COLON) names += 1;
    start = text.indexOf('"', at);
  }
  return names;
}

function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

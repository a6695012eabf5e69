import { connectionTokens, hopByHop, type ResponseHeaders } from "./headers.ts";

/** Methods whose answers have a body wherever their head says so. */
const methods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** Headers that are about the connection or the message's length: a request that has one is not plain. */
const special: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const notInValue = /[^\t\x20-\x7e\x80-\xff]/;

/** Header names that were checked; they are few. */
const checked = new Set<string>();
const MAX_CHECKED = 500;

/**
 * The head of a request that is like nearly all: an ordinary method, headers that only its receiver reads, and a body
 * in memory or none.
 * @param target from method to host: `POST /path HTTP/1.1\r\nhost: example.com\r\n`
 * @param bodyLength bytes
 * @returns nothing for a request that is not like that, or whose headers could break out of their lines
 */
export function plainHead(
  target: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  bodyLength: number,
): string | undefined {
  if (!methods.has(method)) return undefined;
  let head = target;
  for (const name in headers) {
    const value = headers[name]!;
    if (!isPlainName(name) || typeof value !== "string" || notInValue.test(value)) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  // A request without a body and its length would be ambiguous where the method expects one (RFC 9112, section 6.3).
  return bodyLength === 0 && method === "GET"
    ? `${head}\r\n`
    : `${head}content-length: ${bodyLength}\r\n\r\n`;
}

function isPlainName(name: string): boolean {
  if (checked.has(name)) return true;
  if (!token.test(name) || special.has(name.toLowerCase())) return false;
  if (checked.size >= MAX_CHECKED) checked.clear();
  checked.add(name);
  return true;
}

/** How the end of a body shows (RFC 9112, section 6.3): a number of bytes, chunks, or the connection's end. */
export type BodyFraming = number | "chunked" | "close";

/** The head of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Without those of the connection. */
  readonly headers: ResponseHeaders;
  readonly framing: BodyFraming;
  /** Milliseconds that the server keeps the connection for, as far as it says; 0 where it closes it at once. */
  readonly keepAlive: number | undefined;
}

/** An answer that is not HTTP/1.1, or whose body's length could be read in two ways. */
export class MalformedResponse extends Error {}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const controlCharacter = /[^\t\r\n\x20-\x7e\x80-\xff]/;
const wholeNumber = /^\d{1,15}$/;

/**
 * Reads a head. Stricter than the RFC demands where leniency has made two readers of one answer disagree: no folded
 * lines, no lone CR or LF, no second length.
 * @param text the head as Latin-1, from the status line to the last header, without the empty line
 * @throws MalformedResponse
 */
export function readResponseHead(text: string): ResponseHead {
  if (controlCharacter.test(text)) throw new MalformedResponse("control characters in the head");
  let at = endOfLine(text, 0);
  const matched = statusLine.exec(text.slice(0, at));
  if (matched === null) throw new MalformedResponse("no status line");
  const headers: Headers = {};
  const connection: Headers = {};
  for (at += 2; at < text.length; ) {
    const end = endOfLine(text, at);
    const colon = text.indexOf(":", at);
    if (colon === -1 || colon >= end) throw new MalformedResponse("a header without a colon");
    const { lower, isOfConnection } = nameOf(text.slice(at, colon));
    add(isOfConnection ? connection : headers, lower, trimmed(text, colon + 1, end));
    at = end + 2;
  }
  const status = Number(matched[2]);
  const framing = framingOf(status, connection["transfer-encoding"], headers["content-length"]);
  for (const name of connectionTokens(connection.connection)) delete headers[name];
  return { status, headers, framing, keepAlive: keepAliveOf(matched[1] === "1", connection) };
}

type Headers = Record<string, string | string[]>;

/** Where the line that begins at `from` ends: at its CR LF, or at the text's end. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\r", from);
  const feed = text.indexOf("\n", from);
  if (end === -1 && feed === -1) return text.length;
  if (feed !== end + 1) throw new MalformedResponse("a line that does not end in CR LF");
  return end;
}

interface HeaderName {
  readonly lower: string;
  /** It is not passed on. */
  readonly isOfConnection: boolean;
}

/** By what servers write; they are few, and each is checked once. */
const knownNames = new Map<string, HeaderName>();
const MAX_KNOWN_NAMES = 500;

function nameOf(written: string): HeaderName {
  let name = knownNames.get(written);
  if (name === undefined) {
    if (!token.test(written)) throw new MalformedResponse("a header whose name is not a token");
    const lower = written.toLowerCase();
    name = { lower, isOfConnection: hopByHop.has(lower) };
    if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear();
    knownNames.set(written, name);
  }
  return name;
}

const SPACE = 0x20;
const TAB = 0x09;

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function add(headers: Headers, name: string, value: string): void {
  const before = headers[name];
  // What every object has by the name of `constructor` is no header.
  if (before === undefined || !Object.hasOwn(headers, name)) headers[name] = value;
  else if (typeof before === "string") headers[name] = [before, value];
  else before.push(value);
}

function framingOf(
  status: number,
  coding: string | string[] | undefined,
  length: string | string[] | undefined,
): BodyFraming {
  if (coding !== undefined) {
    if (length !== undefined) throw new MalformedResponse("a body with two lengths");
    if (typeof coding !== "string" || coding.toLowerCase() !== "chunked")
      throw new MalformedResponse("an unknown transfer encoding");
  }
  if (status < 200 || status === 204 || status === 304) return 0;
  if (coding !== undefined) return "chunked";
  if (length === undefined) return "close";
  if (typeof length !== "string" || !wholeNumber.test(length))
    throw new MalformedResponse("a length that is no number");
  return Number(length);
}

function keepAliveOf(isPersistent: boolean, headers: ResponseHeaders): number | undefined {
  const { connection, "keep-alive": hint } = headers;
  const words = connection === undefined ? "" : String(connection).toLowerCase();
  if (isPersistent ? words.includes("close") : !words.includes("keep-alive")) return 0;
  const seconds = hint === undefined ? null : /\btimeout=(\d{1,6})\b/i.exec(String(hint));
  return seconds === null ? undefined : Number(seconds[1]) * 1000;
}

import { invalidRequest } from "./errors.ts";

declare const checked: unique symbol;

/** A path below a provider's base address, made by `upstreamPath` and nowhere else. */
export type UpstreamPath = string & { readonly [checked]: true };

/** Longest id; LiteLLM's encoded ones have several hundred characters. */
const MAX_SEGMENT_CHARACTERS = 4096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const forbidden = /[\u0000-\u001f\u007f-\u009f\\]|%[0-9a-f]{2}|\p{Cs}|^\s|\s$/iu;

/**
 * Whether a caller's text may stand in an address at all: `.`, `..` and the empty text are steps of a path rather than
 * names, also between slashes; percent-encoded octets may become them at a server that decodes twice; a backslash is
 * a slash to URL parsers (WHATWG URL, 4.4); white space around a name makes another one of it only until a server
 * takes it off.
 */
export function isUpstreamName(text: string): boolean {
  if (text.length > MAX_SEGMENT_CHARACTERS || forbidden.test(text)) return false;
  return text.split("/").every((step) => step !== "" && step !== "." && step !== "..");
}

/**
 * The one place where text that callers name gets into an upstream's address: a template whose own text is the path
 * and whose values are percent-encoded, each within its segment.
 * @throws GatewayError 400 for a value that `isUpstreamName` refuses
 */
export function upstreamPath(path: TemplateStringsArray, ...names: readonly string[]): UpstreamPath {
  let text = path[0]!;
  for (const [index, name] of names.entries()) text += upstreamName(name) + path[index + 1]!;
  return text as UpstreamPath;
}

/** A deeper path below one that is made already. */
export function pathBelow(path: UpstreamPath, rest: UpstreamPath): UpstreamPath {
  return (path + rest) as UpstreamPath;
}

/** A name of several segments, such as `models/veo/operations/1`: its slashes stay slashes. */
export function upstreamSteps(name: string): UpstreamPath {
  return `/${name.split("/").map(upstreamName).join("/")}` as UpstreamPath;
}

/**
 * Characters that a segment may have whose meaning the gateway does not know: none that is encoded, none that some server
 * takes for the end of the segment or leaves out there (`;`, a last dot, `%`, `\\`, `?`, `#`), no verb without a name (`:`),
 * none outside of ASCII, which some fold into another one.
 */
const plainSegment = /^(?![.:])[A-Za-z0-9._~$!*'()+,=:@-]+(?<![.:])$/;

/**
 * A path whose steps are all the caller's. They stay as they are, because colons begin verbs at some providers.
 * @param steps decoded
 * @throws GatewayError 400 for a step with characters beyond names, numbers and their punctuation
 */
export function upstreamCallersPath(steps: readonly string[]): UpstreamPath {
  const isPlain = (step: string): boolean => step.length <= MAX_SEGMENT_CHARACTERS && plainSegment.test(step);
  if (!steps.every(isPlain))
    throw invalidRequest("The path has characters that do not pass through to a provider.");
  return steps.map((step) => `/${step}`).join("") as UpstreamPath;
}

/**
 * For ids that a provider reads in a body: what could be none in its address is none there.
 * @throws GatewayError 400 for a text that `isUpstreamName` refuses
 */
export function requireUpstreamName(name: string): void {
  if (!isUpstreamName(name)) throw notAnId();
}

function upstreamName(name: string): string {
  requireUpstreamName(name);
  // Legal in a segment (RFC 3986, 3.3); Vertex AI has it in the names of models.
  return encodeURIComponent(name).replaceAll("%40", "@");
}

function notAnId(): Error {
  return invalidRequest("An id in the request is not valid.");
}

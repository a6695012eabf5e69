import type { IncomingHttpHeaders } from "node:http";
import { UnparsableSourceError } from "../equivalence/safety-error.ts";
import { diffSides, now, renderDiff } from "../files/diff.ts";
import { failureMessage } from "../files/failure-message.ts";
import { formatContents } from "../files/format-contents.ts";
import { InvalidOutputError } from "../format/invalid-output-error.ts";
import type { Mode } from "../mode/mode.ts";
import { styleVersion } from "../mode/versions.ts";
import { describeParseError, ParseError } from "../parse/errors.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import { HeaderError, versionHeader } from "./protocol.ts";
import { isSet, modeOfHeaders } from "./request-mode.ts";
import { BodyError, decodeBody, encodingOf } from "./request-text.ts";

/** What goes back to the editor. */
export interface FormatAnswer {
  readonly status: 200 | 204 | 400 | 500 | 501;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

const plain = { "content-type": "text/plain; charset=utf-8" };
const version = { [versionHeader]: styleVersion };

/**
 * Formats a request's body as its headers ask (blackd: handle): 200 with the new source or its diff in the encoding of
 * the request, 204 when it is well formatted. Refusals are UTF-8: 400 for a header or source that cannot be read, 500
 * for a body that cannot be decoded and when formatting failed. Never throws.
 */
export function formatRequest(headers: IncomingHttpHeaders, body: Uint8Array): FormatAnswer {
  if ((headers["x-protocol-version"] ?? "1") !== "1")
    return { status: 501, headers: plain, body: "This server only supports protocol version 1" };
  try {
    const mode = modeOfHeaders(headers);
    // No bytes are no text in whatever encoding, known or not.
    if (body.length === 0) return { status: 204, headers: version, body: "" };
    const encoding = encodingOf(headers["content-type"]);
    const output = format(headers, mode, decodeBody(body, encoding));
    if (output === undefined) return { status: 204, headers: version, body: "" };
    const contentType = `${encoding.mediaType}; charset=${encoding.charset}`;
    return {
      status: 200,
      headers: { ...version, "content-type": contentType },
      body: encoding.codec.encode(output),
    };
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): FormatAnswer {
  if (error instanceof HeaderError) return { status: 400, headers: plain, body: error.message };
  const headers = { ...version, ...plain };
  if (error instanceof BodyError) return { status: 500, headers, body: error.message };
  if (error instanceof ParseError)
    return { status: 400, headers, body: describeParseError(undefined, error) };
  if (error instanceof UnparsableSourceError || error instanceof InvalidOutputError)
    return { status: 400, headers, body: error.message };
  return { status: 500, headers, body: failureMessage("-", error) };
}

/** The new source, or its diff when that is asked for; `undefined` when nothing changes. */
function format(headers: IncomingHttpHeaders, mode: Mode, text: string): string | undefined {
  const started = now();
  const headerEnd = mode.skipSourceFirstLine ? text.indexOf("\n") + 1 : 0;
  const rest = text.slice(headerEnd);
  const source = withLf(rest);
  const fast = headers["x-fast-or-safe"] === "fast";
  const output = formatContents(source, mode, { pythonCellMagics: [], fast, lineRanges: [] });
  const header = text.slice(0, headerEnd);
  const restored = withNewline(output, newlineOfFirstLine(rest));
  if (restored === rest) return undefined;
  if (!isSet(headers, "x-diff")) return header + restored;
  return header + renderDiff(rest, restored, diffSides("In", started, "Out"), false);
}

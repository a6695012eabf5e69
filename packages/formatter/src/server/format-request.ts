import type { IncomingHttpHeaders } from "node:http";
import { UnparsableSourceError } from "../equivalence/safety-error.ts";
import { diffSides, now, renderDiff } from "../files/diff.ts";
import { failureMessage } from "../files/failure-message.ts";
import { formatContents } from "../files/format-contents.ts";
import { styleVersion } from "../mode/versions.ts";
import { describeParseError, ParseError } from "../parse/errors.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import { HeaderError, versionHeader } from "./protocol.ts";
import { isSet, modeOfHeaders } from "./request-mode.ts";

/** What goes back to the editor. */
export interface FormatAnswer {
  readonly status: 200 | 204 | 400 | 500 | 501;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const plain = { "content-type": "text/plain; charset=utf-8" };

/**
 * Formats a request's source as its headers ask (blackd: handle): 200 with the new source or its diff, 204 when it
 * is well formatted, 400 for a header or source that cannot be read, 500 when formatting failed.
 */
export function formatRequest(headers: IncomingHttpHeaders, source: string): FormatAnswer {
  if ((headers["x-protocol-version"] ?? "1") !== "1")
    return { status: 501, headers: plain, body: "This server only supports protocol version 1" };
  const version = { [versionHeader]: styleVersion };
  try {
    const body = format(headers, source);
    if (body === undefined) return { status: 204, headers: version, body: "" };
    return { status: 200, headers: version, body };
  } catch (error) {
    if (error instanceof HeaderError) return { status: 400, headers: plain, body: error.message };
    if (error instanceof UnparsableSourceError)
      return { status: 400, headers: { ...version, ...plain }, body: error.message };
    if (error instanceof ParseError)
      return { status: 400, headers: { ...version, ...plain }, body: describeParseError(undefined, error) };
    return { status: 500, headers: { ...version, ...plain }, body: failureMessage("-", error) };
  }
}

/** The new source, or its diff when that is asked for; `undefined` when nothing changes. */
function format(headers: IncomingHttpHeaders, text: string): string | undefined {
  const mode = modeOfHeaders(headers);
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

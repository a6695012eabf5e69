import { formatContents } from "../files/format-contents.ts";
import { modeForName } from "../files/format-file.ts";
import type { LineRange } from "../format/ranges/line-range.ts";
import { modeOfSettings } from "../mode/config/mode-of-settings.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import { lstrip } from "../util/python-text.ts";
import type { DocumentSettings } from "./document-settings.ts";

/**
 * Formats a document's text with the safety checks that its settings ask for; line ends stay those of the first line.
 *
 * @param ranges 1-based lines of the document to format; `undefined` for all of them
 * @throws {ParseError} when it is no Python, `SafetyError` when the result cannot be trusted
 */
export function formatText(
  text: string,
  { path, settings }: DocumentSettings,
  ranges: readonly LineRange[] | undefined,
): string {
  const mode = modeForName(modeOfSettings(settings), path ?? "");
  const header = keptHeader(text, mode.skipSourceFirstLine);
  const code = text.slice(header.length);
  const lineRanges = ranges === undefined ? [] : belowHeader(ranges, header.includes("\n") ? 1 : 0);
  if (ranges !== undefined && (lineRanges.length === 0 || mode.isIpynb)) return text;
  const contents = withLf(code);
  const { pythonCellMagics, fast } = settings;
  const output = formatContents(contents, mode, { pythonCellMagics, fast, lineRanges });
  return output === contents ? text : header + withNewline(output, newlineOfFirstLine(code));
}

/** Where the parser begins in the text: it gets neither a kept first line nor white space before the code. */
export function codeStart(text: string, { settings }: DocumentSettings): number {
  const code = text.slice(keptHeader(text, settings.skipSourceFirstLine).length);
  return text.length - lstrip(code).length;
}

/** A byte order mark, and the first line if that is to stay. */
function keptHeader(text: string, keepsFirstLine: boolean): string {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  return keepsFirstLine ? (/^[^\n]*\n?/.exec(text)?.[0] ?? mark) : mark;
}

function belowHeader(ranges: readonly LineRange[], headerLines: number): LineRange[] {
  return ranges
    .map(([start, end]): LineRange => [Math.max(1, start - headerLines), end - headerLines])
    .filter(([, end]) => end >= 1);
}

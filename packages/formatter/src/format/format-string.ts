import { newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import { formatSource } from "./format-source.ts";
import { type FormatOptions, lineRangesOf, modeOf } from "./options.ts";

const BYTE_ORDER_MARK = "\ufeff";

/**
 * Formats Python source as Black 26.10.1 does, byte for byte. Pure: no files, no network, no state between calls;
 * runs wherever JavaScript does.
 *
 * Lines may end in LF, CRLF or CR; the output ends all of them as the source's first line does. A byte order mark
 * stays.
 *
 * @returns the formatted source; the same string when nothing changes
 * @throws {ParseError} when the source is no Python that the target versions allow; has line, column and source line
 * @throws {TooDeepError} when the source is nested deeper than the call stack allows
 * @throws {InvalidOutputError} when formatting broke the source: a fault of this program
 * @throws {OptionError} when an option is unknown or has a value that it cannot have
 */
export function format(source: string, options: FormatOptions = {}): string {
  const mode = modeOf(options);
  const ranges = lineRangesOf(options);
  const start = keptPrefixLength(source, mode.skipSourceFirstLine);
  const code = source.slice(start);
  const contents = withLf(code);
  const output = formatSource(contents, mode, ranges);
  const restored = output === contents ? code : withNewline(output, newlineOfFirstLine(code));
  return restored === code ? source : source.slice(0, start) + restored;
}

/** Length of what is not formatted: a byte order mark, and the first line if asked for. */
function keptPrefixLength(source: string, skipsFirstLine: boolean): number {
  const mark = source.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  if (!skipsFirstLine) return mark;
  const end = source.indexOf("\n");
  return end === -1 ? source.length : end + 1;
}

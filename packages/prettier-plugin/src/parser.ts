import { type FormatOptions, format, ParseError } from "jetblack";
import type { Parser, ParserOptions } from "prettier";
import { changedSpan, lineOf } from "./changed-span.ts";
import { formatOptionsOf } from "./options.ts";

/** A source whose formatted text is known already: there is nothing for Prettier to lay out. */
export interface FormattedSource {
  /** The one name by which Prettier takes a whole text as one part that can be formatted; see `formatSelection`. */
  readonly type: "JsonRoot";
  readonly formatted: string;
  /** The part of the text that it replaces. */
  readonly start: number;
  readonly end: number;
}

export const AST_FORMAT = "jetblack";

/** Formats instead of parsing. Prettier shows a code frame for errors with a place. */
export const parser: Parser<FormattedSource> = {
  astFormat: AST_FORMAT,
  locStart: ({ start }) => start,
  locEnd: ({ end }) => end,
  parse(text, options) {
    const wanted = formatOptionsOf(options);
    return options.rangeStart > 0 || options.rangeEnd < text.length
      ? formatSelection(text, options, wanted)
      : { type: "JsonRoot", formatted: formatWhole(text, options, wanted), start: 0, end: text.length };
  },
};

/** A script of a page is indented as a whole by Prettier, strings too, which must not add up from run to run. */
function formatWhole(text: string, options: ParserOptions, wanted: FormatOptions): string {
  const isScript = "parentParser" in options && options.parentParser === "html";
  return formatOrExplain(isScript ? dedent(text) : text, wanted);
}

function dedent(text: string): string {
  const indents = text.match(/^[ \t]*(?=\S)/gm) ?? [];
  const least = indents.reduce((length, indent) => Math.min(length, indent.length), Infinity);
  return Number.isFinite(least) ? text.replaceAll(new RegExp(`^[ \\t]{${least}}`, "gm"), "") : text;
}

/**
 * Formats the lines that a selection touches. Prettier selects parts of the tree only for the languages it knows, cuts
 * the text of the part out and parses it once more by itself. So this text becomes a part of a language it knows, whose
 * parser, for this call, gives the formatted lines.
 */
function formatSelection(text: string, options: ParserOptions, wanted: FormatOptions): FormattedSource {
  const { rangeStart, rangeEnd } = options;
  const lines = [lineOf(text, rangeStart) + 1, lineOf(text, Math.max(rangeStart, rangeEnd - 1)) + 1] as const;
  const output = formatOrExplain(text, { ...wanted, lineRanges: [lines] });
  const { start, end, replacement } = changedSpan(
    text,
    output,
    rangeStart,
    Math.max(rangeStart, rangeEnd - 1),
  );
  const part = (length: number): FormattedSource => ({
    type: "JsonRoot",
    formatted: replacement,
    start: 0,
    end: length,
  });
  const givesPart: Parser<FormattedSource> = { ...parser, parse: (cut) => part(cut.length) };
  options.parser = "json";
  options.plugins = [...options.plugins, { parsers: { json: givesPart } }];
  return { ...part(0), start, end };
}

function formatOrExplain(text: string, wanted: FormatOptions): string {
  try {
    return format(text, wanted);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const start = { line: error.line, column: error.column + 1 };
    throw Object.assign(new SyntaxError(`${error.reason} (${start.line}:${start.column})`), {
      loc: { start },
    });
  }
}

import { lazy } from "../util/lazy.ts";
import { lstrip, rstrip } from "../util/python-text.ts";
import { type CellToken, logicalLines } from "./cell-tokens.ts";
import {
  escapedMeaning,
  helpMeaning,
  lineMagicText,
  type MagicMeaning,
  unsupported,
} from "./magic-meaning.ts";

/** A place where IPython would rewrite the cell. */
export interface FoundMagic {
  /** Physical line from 0, and where in it the special syntax starts. */
  readonly line: number;
  readonly column: number;
  /** First and last physical line that the rewrite takes up. */
  readonly endLine: number;
  /** Where its logical line begins: before that is no special syntax, whatever is written in the place of this one. */
  readonly firstLine: number;
  /** What the special syntax stands for. */
  readonly meaning: MagicMeaning;
}

/** The same among the lines of a logical one. */
type Place = Omit<FoundMagic, "firstLine">;

/**
 * The first special syntax in a cell, in IPython's order: by place, help (`f?`) before escapes at the same place
 * (IPython: inputtransformer2.py do_one_token_transform).
 *
 * @param from the line with which to begin, at the first one or at a magic's `firstLine`
 */
export function findMagic(given: readonly string[], from: number): FoundMagic | undefined {
  const lines = given.slice(from);
  const quoted = findQuotedFirst(lines);
  if (quoted !== undefined) return { ...quoted, line: from, endLine: from + quoted.endLine, firstLine: from };
  for (const tokens of untilFault(logicalLines(lines.map(endedLine).join("")))) {
    const candidates = [findAssigned(tokens, lines), findHelp(tokens, lines), findEscaped(tokens, lines)]
      .filter((found) => found !== undefined)
      .sort((a, b) => a.line - b.line || a.column - b.column);
    const [found] = candidates;
    if (found === undefined) continue;
    const line = from + found.line;
    const meaning = isLost(found.meaning, given, line) ? unsupported : found.meaning;
    return {
      line,
      column: found.column,
      endLine: from + found.endLine,
      firstLine: from + tokens[0]!.line,
      meaning,
    };
  }
  return undefined;
}

/**
 * Whether Black looks for a magic in a wrong line: to Python's parser, which tells in which it is, lines end with a carriage
 * return too, to Black with a line feed only (Black: replace_magics).
 */
function isLost({ kind }: MagicMeaning, lines: readonly string[], line: number): boolean {
  return kind === "magic" && lines.slice(0, line).some((before) => before.endsWith("\r"));
}

/** To the tokenizer each line ends with a line feed, whatever ends it to `str.splitlines`: a form feed, U+2028. */
function endedLine(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n`;
}

/** The tokens before a string that does not end on its line, or a backslash within one, where the tokenizer gives up. */
function* untilFault(lines: Iterable<readonly CellToken[]>): Generator<readonly CellToken[]> {
  for (const tokens of lines) {
    const broken = tokens.findIndex(({ kind, text }) => kind === "op" && /["'\\]$/.test(text));
    if (broken !== -1) return yield tokens.slice(0, broken);
    yield tokens;
  }
}

/** `a = %magic args` and `a = !command` (IPython: MagicAssign, SystemAssign). */
function findAssigned(tokens: readonly CellToken[], lines: readonly string[]): Place | undefined {
  const equal = assignmentIndex(tokens);
  if (equal === -1) return undefined;
  if (isAnnotated(tokens.slice(0, equal))) return undefined;
  const sign = tokens[equal + 1];
  const isMagic = sign?.text === "%" && tokens[equal + 2]?.kind === "name";
  const isSystem = sign?.text === "!" && !lstrip(lines[tokens[equal]!.line]!).startsWith("=");
  if (sign === undefined || (!isMagic && !isSystem)) return undefined;
  const { text, endLine } = restOfLine(lines, sign);
  return {
    line: sign.line,
    column: sign.column,
    endLine,
    meaning: { kind: "magic", text: isMagic ? lineMagicText(text.slice(1)) : text },
  };
}

/** `x: int = …` is no assignment to IPython's reader of magics, nor to Black's; `if x: y = …` is one. */
export function isAnnotated(target: readonly CellToken[]): boolean {
  return (
    !compoundKeywords.has(target[0]?.text ?? "") &&
    target.some((token) => token.text === ":" && token.kind === "op")
  );
}

/** What a line that may hold a statement behind a colon begins with. */
export const compoundKeywords: ReadonlySet<string> = new Set([
  "if",
  "else",
  "elif",
  "for",
  "while",
  "try",
  "except",
  "finally",
  "with",
  "def",
  "class",
]);

/** Index of the first `=` outside brackets; -1 when there is none. */
function assignmentIndex(tokens: readonly CellToken[]): number {
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.text === "=" && depth === 0) return i;
    if (token.kind !== "op") continue;
    if ("([{".includes(token.text)) depth++;
    else if (")]}".includes(token.text) && depth > 0) depth--;
  }
  return -1;
}

/**
 * A first line that begins with a comma or a semicolon, where nobody asks for help: hundreds of them in a row are rewritten one
 * by one, and none needs the tokens of the rest.
 */
function findQuotedFirst(lines: readonly string[]): Place | undefined {
  const start = /^[ \t\f]*(?=[,;])/.exec(lines[0] ?? "");
  if (start === null || lines.some((line) => line.includes("?"))) return undefined;
  const column = start[0].length;
  const { text, endLine } = restOfLine(lines, { line: 0, column });
  return { line: 0, column, endLine, meaning: escapedMeaning(text) };
}

/** `%magic`, `!command`, `?help`, `,quote`, `;quote`, `/call` at the start of a line (IPython: EscapedCommand). */
function findEscaped(tokens: readonly CellToken[], lines: readonly string[]): Place | undefined {
  const first = tokens[0];
  if (first === undefined || first.text.length !== 1 || !"!?%,;/".includes(first.text)) return undefined;
  const { text, endLine } = restOfLine(lines, first);
  return { line: first.line, column: first.column, endLine, meaning: escapedMeaning(text) };
}

/** What a line with a question mark at its end consists of. */
const helpParts = lazy(() => /(?<name>[\p{L}\p{N}_*]+)|(?<index>\[-?[0-9]+\])|./gsu);
const notDigit = lazy(() => /\P{Nd}/u);

/** `name?` and `name??` at the end of a line (IPython: HelpEnd). */
function findHelp(tokens: readonly CellToken[], lines: readonly string[]): Place | undefined {
  const first = tokens[0];
  const last = tokens.at(-1);
  if (first === undefined || last === undefined || tokens.length < 2 || last.text !== "?") return undefined;
  const content = lines
    .slice(first.line, last.line + 1)
    .join("")
    .slice(first.column)
    .replace(/\n$/, "");
  const mark = /[^?](\?\??)$/.exec(content)?.[1];
  if (mark === undefined) return undefined;
  const target = helpTarget(content.slice(0, -mark.length));
  if (target === undefined) return undefined;
  return { line: first.line, column: first.column, endLine: last.line, meaning: helpMeaning(target, mark) };
}

/**
 * The longest name at a text's end, such as `%%a.b[-1].c`: up to two percent signs, names with points between them, and
 * whole numbers in brackets. From its end, because a search would look at a long text once for each character.
 */
function helpTarget(text: string): string | undefined {
  const parts = [...text.matchAll(helpParts())];
  let start: number | undefined;
  for (let at = parts.length - 1; ; at -= 2) {
    while (parts[at]?.groups?.index !== undefined) at--;
    const name = parts[at]?.groups?.name;
    // No name begins with a digit, but one may stand behind some.
    const digits = name?.search(notDigit()) ?? -1;
    if (digits === -1) break;
    start = parts[at]!.index + digits;
    if (digits > 0) break;
    if (parts[at - 1]?.[0] === ".") continue;
    for (let percent = 1; percent <= 2 && parts[at - percent]?.[0] === "%"; percent++) start--;
    break;
  }
  return start === undefined ? undefined : text.slice(start);
}

/** From a token to the end of its line, continued lines joined as IPython joins them. */
function restOfLine(
  lines: readonly string[],
  start: Pick<CellToken, "line" | "column">,
): { text: string; endLine: number } {
  let endLine = start.line;
  while (endLine < lines.length - 1 && lines[endLine]!.endsWith("\\\n")) endLine++;
  const pieces = [lines[start.line]!.slice(start.column), ...lines.slice(start.line + 1, endLine + 1)];
  const text = pieces
    .map((piece, i) => (i < pieces.length - 1 ? rstrip(piece).slice(0, -1) : rstrip(piece)))
    .join(" ");
  return { text, endLine };
}

/**
 * What stands between a formatter and a file: which check refused, where, and in which words. Read from the line that
 * the user sees, of Black and of the product alike, so that nothing the user is told escapes the comparison.
 */
export interface Refusal {
  readonly kind: RefusalKind;
  /** 1-based line, and column as printed; absent where none is named. */
  readonly line?: number;
  readonly column?: number;
  /** The message without the place, the path, names of programs and of files with evidence. */
  readonly sentence: string;
}

export type RefusalKind =
  /** The source cannot be parsed. */
  | "syntax"
  /** The first pass wrote what the second cannot parse. */
  | "broken pass"
  /** Python's own parser refuses the source. */
  | "source"
  /** Python's own parser refuses the output. */
  | "output"
  | "not equivalent"
  | "unstable"
  /** Anything else: a failed assertion, a traceback. */
  | "other";

/** Stands for a refusal where Black came to no end. */
export const NO_ANSWER: Refusal = { kind: "other", sentence: "no answer in time" };

const INTERNAL = "INTERNAL ERROR: ";

/** Reads a message behind `error: `, with `<file>` for the path. */
export function readRefusal(message: string): Refusal {
  const text = message.replace(/^cannot format <file>: /, "");
  if (text.startsWith(INTERNAL)) return readInternal(text.slice(INTERNAL.length));
  if (text.startsWith("cannot parse")) return readSyntax("syntax", text);
  const source =
    /^cannot use --safe with this file; failed to parse source file AST: ([\s\S]*?)(\nThis could be caused by running Black[\s\S]*)?$/.exec(
      text,
    );
  if (source !== null) return readInterpreter("source", source[1]!);
  return { kind: "other", sentence: text };
}

function readInternal(text: string): Refusal {
  if (/not equivalent to\s+the source/.test(text)) return { kind: "not equivalent", sentence: "" };
  if (/produced different code on the second pass|something else of its own output/.test(text))
    return { kind: "unstable", sentence: "" };
  const invalid =
    /^(?:[^\n]*? produced invalid code|the output is not valid Python):\s([\s\S]*?)\.?\s+Please report [\s\S]*$/.exec(
      text,
    );
  if (invalid === null)
    return { kind: "other", sentence: `${INTERNAL}${text.replace(/\.\s+Please report [\s\S]*$/, "")}` };
  const reason = invalid[1]!;
  return /^cannot parse[^\n]*: <file>:\d+:\d+/.test(reason)
    ? readSyntax("broken pass", reason)
    : readInterpreter("output", reason);
}

function readSyntax(kind: RefusalKind, text: string): Refusal {
  const place = /^(cannot parse[^\n]*?): (?:<file>:)?(\d+):(\d+)([\s\S]*)$/.exec(text);
  if (place === null) return { kind: "other", sentence: text };
  return { kind, line: Number(place[2]), column: Number(place[3]), sentence: `${place[1]}${place[4]}` };
}

/** CPython's sentence ends with `(<unknown>, line 3)`; a few have no place. */
function readInterpreter(kind: RefusalKind, text: string): Refusal {
  const place = /^([\s\S]*) \(<unknown>, line (\d+)\)$/.exec(text);
  if (place === null) return { kind, sentence: text };
  return { kind, line: Number(place[2]), sentence: place[1]! };
}

/** `syntax 3:4 cannot parse ...`, on one line. */
export function showRefusal({ kind, line, column, sentence }: Refusal): string {
  const place = line === undefined ? "" : ` ${line}${column === undefined ? "" : `:${column}`}`;
  return `${kind}${place} ${JSON.stringify(sentence)}`;
}

/** Same check, place and words. */
export function isSameRefusal(left: Refusal, right: Refusal): boolean {
  return isSamePlace(left, right) && left.sentence === right.sentence;
}

/** Same check and place. */
export function isSamePlace(left: Refusal, right: Refusal): boolean {
  return left.kind === right.kind && left.line === right.line && left.column === right.column;
}

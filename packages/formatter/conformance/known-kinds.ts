import { isValidPython } from "../src/equivalence/check-equivalence.ts";
import { literalText } from "../src/equivalence/literals/parts-of-literal.ts";
import { faultsBelow } from "../src/equivalence/python-syntax/check-source.ts";
import { Feature } from "../src/mode/target-version.ts";
import { parse } from "../src/parse/parse.ts";
import { Kind } from "../src/syntax/kinds.ts";
import { TextFlag, type Tree } from "../src/syntax/tree.ts";
import { TokenBuffer } from "../src/tokenize/token-buffer.ts";
import { Tokenizer } from "../src/tokenize/tokenizer.ts";
import type { Answer } from "./item.ts";
import { isSamePlace, NO_ANSWER, type Refusal, type RefusalKind } from "./refusal.ts";

/** Two answers to one source. */
export interface Pair {
  readonly source: string;
  readonly black: Answer;
  readonly ours: Answer;
}

/** A kind of difference that is meant. Counted apart; everything else is a fault. */
export interface KnownKind {
  readonly name: string;
  /** Words of the row of `docs/formatter/deviations.md` that gives the reason; a test looks for them there. */
  readonly documented: string;
  readonly matches: (pair: Pair) => boolean;
}

function refusesSource(answer: Answer, sentence: RegExp): boolean {
  return "refusal" in answer && answer.refusal.kind === "source" && sentence.test(answer.refusal.sentence);
}

/** The code of a notebook's cells, or the whole source where it is none. */
function codeOf(source: string): readonly string[] {
  if (!source.startsWith("{")) return [source];
  try {
    const { cells } = JSON.parse(source) as { cells: { source: string | string[] }[] };
    return cells.map((cell) =>
      [cell.source]
        .flat()
        .join("")
        .replace(/^([ \t]*)(?:[\w., \t]*=[ \t]*)?[%!?].*/gm, "$1pass"),
    );
  } catch {
    return [source];
  }
}

/** Whether the source uses what only a Python newer than the oldest that runs Black here (3.13) knows. */
function usesNewerSyntax(source: string): boolean {
  return codeOf(source).some(isNewerSyntax);
}

function isNewerSyntax(source: string): boolean {
  return usesNewer(source) || usesNewer(source.replace(/^.*(?:\r\n?|\n)/, ""));
}

/** The first line may be one that is skipped, whatever it holds. */
function usesNewer(source: string): boolean {
  try {
    const { tree, root, features } = parse(source.trimStart().replace(/\r\n?/g, "\n"), []);
    const isNewer = (features & NEWER_SYNTAX) !== 0 || hasTemplate(tree, root);
    tree.release();
    return isNewer;
  } catch {
    return false;
  }
}

/**
 * Whether there is a t-string, with a capital letter too, which Black takes for an f-string; also in a field of another string,
 * be it in a format spec, which nobody has parsed yet.
 */
function hasTemplate(tree: Tree, root: number): boolean {
  return tree
    .leaves(root)
    .some(
      (leaf) =>
        (tree.textFlags[leaf]! & TextFlag.INTERPOLATED) !== 0 &&
        /^(?:t|rt|tr)['"]|\{.*\b(?:t|rt|tr)['"]/is.test(literalText(tree, leaf)),
    );
}

/** Whether no statement ends between the two lines, as far as the source can be cut into tokens. */
function isOneStatement(source: string, one: number, other: number): boolean {
  const tokens = new TokenBuffer();
  new Tokenizer(`${source.replace(/\r\n?/g, "\n")}\n`, tokens).run();
  for (let i = 0; i < tokens.count; i++) {
    const line = tokens.lines[i]!;
    if (tokens.kinds[i] === Kind.NEWLINE && line >= Math.min(one, other) && line < Math.max(one, other))
      return false;
  }
  return true;
}

/**
 * Whether the line has what Python takes for a type comment, or the one before, and Black tells of that first. It may not
 * count a first line that is to be skipped.
 */
function isTypeComment(source: string, line: number): boolean {
  return source
    .split(/\r\n?|\n/)
    .slice(Math.max(0, line - 2), line + 1)
    .some((text) => /#\s*type:/.test(text));
}

const NEWER_SYNTAX =
  Feature.LAZY_IMPORTS |
  Feature.T_STRINGS |
  Feature.UNPARENTHESIZED_EXCEPT_TYPES |
  Feature.UNPACKING_IN_COMPREHENSIONS;

/** How `tokenize` of Python 3.13 refuses a cell: with a place, or with a crash at a lone carriage return or a NUL. */
const TOKENIZER_FAULTS = [
  /^\((['"]).*\1, \(\d+, \d+\)\)$/s,
  /^'utf-8' codec can't decode byte/,
  /^<built-in method __new__ of type object at \w+> returned a result with an exception set$/,
];

function isCellThatDoesNotEnd({ sentence }: Refusal): boolean {
  return /^a cell ends inside|^line \d+ of a cell: (unindent|inconsistent)/.test(sentence);
}

/** By what is looked at when the string processing is over. */
const REFUSALS_OF_OUTPUT: readonly RefusalKind[] = [
  "source",
  "broken pass",
  "output",
  "not equivalent",
  "unstable",
];

/** A backslash on a line of its own, with white space before what follows. */
const BACKSLASH_LINE = /^[ \t\f]*\\[ \t]*(?:\r\n?|\n)[ \t\f]+\S/m;

/** The lines of all faults that the rules of CPython's parser find in a source, as far as it can be parsed. */
function faultLines(source: string): readonly number[] {
  try {
    const { tree, root } = parse(source.replace(/\r\n?/g, "\n"), []);
    const lines = faultsBelow(tree, root, false).map(({ line }) => line);
    tree.release();
    return lines;
  } catch {
    return [];
  }
}

/** Black's string rules have met a string that begins with white space. */
function isAboutPrefix({ sentence }: Refusal): boolean {
  return sentence.includes("is NOT a subset of");
}

/** The only list of differences that the conformance commands accept. It may only shrink. */
export const knownKinds: readonly KnownKind[] = [
  {
    name: "our sentence for the interpreter's",
    documented: "Sources that the interpreter rejects",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      black.refusal.kind === "source" &&
      isSamePlace(black.refusal, ours.refusal),
  },
  {
    name: "syntax newer than the Python that runs Black",
    documented: "Syntax newer than the running Python",
    matches: ({ source, black, ours }) =>
      (refusesSource(black, /^/) && usesNewerSyntax(source)) ||
      // Of a cell Black parses its own output, too, when a magic in it is put back.
      ("text" in black &&
        source.startsWith("{") &&
        (usesNewerSyntax(source) ||
          ("text" in ours ? usesNewerSyntax(ours.text) : ours.refusal.sentence.includes("t-string")))),
  },
  {
    name: "a unary operator beside a directive",
    documented: "A unary minus or the like beside a directive",
    matches: ({ black }) =>
      "refusal" in black && /^(too many|not enough) values to unpack/.test(black.refusal.sentence),
  },
  {
    name: "Black comes to no end",
    documented: "exit 123, or no end (1,000 lists)",
    matches: ({ black }) => "refusal" in black && black.refusal.sentence === NO_ANSWER.sentence,
  },
  {
    name: "our sentence for a notebook without cells",
    documented: "Notebook that is not an object or has no list of cells, unfinished cell",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      black.refusal.sentence === "'cells'" &&
      ours.refusal.sentence === "A notebook must have a list of cells",
  },
  {
    name: "our sentence for a cell that does not end",
    documented: "Notebook that is not an object or has no list of cells, unfinished cell",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      /^\(['"]|^unindent does not match any outer|^inconsistent use of tabs/.test(black.refusal.sentence) &&
      isCellThatDoesNotEnd(ours.refusal),
  },
  {
    name: "a cell that Python's tokenizer refuses",
    documented: "Cell that Python's tokenizer refuses",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      black.refusal.kind === "other" &&
      TOKENIZER_FAULTS.some((sentence) => sentence.test(black.refusal.sentence)) &&
      ("text" in ours || isCellThatDoesNotEnd(ours.refusal)),
  },
  {
    name: "a failed assertion of Black's",
    documented: "A failed assertion of Black's",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      black.refusal.kind === "other" &&
      /^(?:INTERNAL ERROR: hand-made leaf without parent: .*|Stranded delimiter|.* is missing a starting quote character .*)?$/s.test(
        black.refusal.sentence,
      ) &&
      ("text" in ours || ["other", ...REFUSALS_OF_OUTPUT].includes(ours.refusal.kind)),
  },
  {
    name: "a name like a soft keyword behind a colon within a head",
    documented: "`match`, `case` or `type` as a name behind a colon",
    matches: ({ source, black }) =>
      "refusal" in black &&
      ["syntax", "broken pass"].includes(black.refusal.kind) &&
      /^\s*(?:match|case|type)\b[\s\S]*[:;]\s*(?:match|case|type)\b/m.test(source),
  },
  {
    name: "a lone backslash in place of an indentation, or a form feed in one, in a cell",
    documented: "Cell that Python takes and Black's parser does not",
    matches: ({ source, black, ours }) =>
      source.startsWith("{") &&
      "refusal" in black &&
      black.refusal.kind === "syntax" &&
      "text" in ours &&
      codeOf(source).some((code) => /^[ \t,;]*(?:\\\n|\f)/m.test(code)),
  },
  {
    name: "tabs and spaces of one width in a cell",
    documented: "Cell that Python takes and Black's parser does not",
    matches: ({ source, black, ours }) =>
      source.startsWith("{") &&
      "refusal" in black &&
      black.refusal.sentence.includes("InconsistentUseOfTabsAndSpaces") &&
      "text" in ours,
  },
  {
    name: "tokens with white space in them",
    documented: "A line behind a backslash on a line of its own",
    matches: ({ source, black, ours }) =>
      "refusal" in black
        ? ("refusal" in ours
            ? !ours.refusal.sentence.includes("Unexpected EOF")
            : isAboutPrefix(black.refusal)) &&
          codeOf(source).some(
            (code) => BACKSLASH_LINE.test(code) && (isAboutPrefix(black.refusal) || !isValidPython(code)),
          )
        : "refusal" in ours && ours.refusal.kind === "syntax" && BACKSLASH_LINE.test(source),
  },
  {
    name: "code for a Python newer than the one that runs Black",
    documented: "cannot parse code formatted for Python",
    matches: ({ black }) =>
      "refusal" in black && /cannot parse code formatted for Python/.test(black.refusal.sentence),
  },
  {
    name: "another line of the statement that the interpreter rejects",
    documented: "The line of a fault within a statement of several lines",
    matches: ({ source, black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      black.refusal.kind === ours.refusal.kind &&
      (black.refusal.kind === "output" ||
        (black.refusal.kind === "source" &&
          (isOneStatement(source, black.refusal.line ?? 0, ours.refusal.line ?? 0) ||
            isTypeComment(source, black.refusal.line ?? 0)))),
  },
  {
    name: "a fault of the Python that runs Black",
    documented: "A fault of CPython 3.13",
    matches: ({ black, ours }) =>
      refusesSource(black, /^(field 'value' is required for Constant|'unicodeescape' codec can't)/) &&
      ("text" in ours || ours.refusal.kind === "not equivalent" || ours.refusal.kind === "source"),
  },
  {
    name: "the text of a field behind another one in a format spec",
    documented: "the text of a second field with `=` in a format spec",
    matches: ({ source, black, ours }) =>
      "text" in black &&
      "refusal" in ours &&
      ours.refusal.kind === "not equivalent" &&
      /:[^{}]*\{[^{}]*\}[^{}]*\{[^{}]*\\\r?\n[^{}]*=/.test(source),
  },
  {
    name: "a line's end behind a backslash in the format spec of a raw f-string in an f-string",
    documented: "the format spec of a raw f-string within another f-string",
    matches: ({ source, black, ours }) =>
      "text" in black &&
      "refusal" in ours &&
      ours.refusal.kind === "not equivalent" &&
      /\{[^{}]*\b(?:rf|fr)['"][^{}]*\{[^{}]*:[^{}]*\\\r?\n/i.test(source),
  },
  {
    name: "a trailing comma behind a pair of directives",
    documented: "A trailing comma behind a `# fmt: off` and `# fmt: on`",
    matches: ({ source, black, ours }) =>
      "refusal" in black &&
      black.refusal.sentence === "list index out of range" &&
      "text" in ours &&
      /#\s*(?:fmt|yapf):/.test(source),
  },
  {
    name: "a crash of Black's on what is no Python",
    documented: "`except *:` without a type",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      /^(list index out of range|Quote not found somehow)$/.test(black.refusal.sentence),
  },
  {
    name: "another fault of a source that has several",
    documented: "A source with several faults",
    matches: ({ source, black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      black.refusal.kind === "source" &&
      ours.refusal.kind === "source" &&
      faultLines(source).includes(black.refusal.line ?? 0),
  },
  {
    name: "a starred target, or a starred value behind `-=` and the like, in a cell",
    documented: "Cell that Python takes and Black's parser does not",
    matches: ({ source, black, ours }) =>
      source.startsWith("{") &&
      "refusal" in black &&
      black.refusal.kind === "syntax" &&
      "text" in ours &&
      codeOf(source).some((code) => /(?:\bas|[-+*/%&|^@<>]=)\s*\*/.test(code)),
  },
  {
    name: "a pair of context managers that a type comment makes a tuple",
    documented: "A fourth: before a type comment",
    matches: ({ source, black, ours }) =>
      "text" in black &&
      "refusal" in ours &&
      ours.refusal.kind === "not equivalent" &&
      /\basync[ \t]+with[ \t]*\([ \t]*\(.*#[ \t]*type:/.test(source),
  },
  {
    name: "a magic that is written out",
    documented: "Magic on the right of an annotated assignment",
    matches: ({ source, black, ours }) =>
      source.startsWith("{") &&
      "text" in black &&
      black.text.includes("get_ipython()") &&
      "text" in ours &&
      !ours.text.includes("get_ipython()"),
  },
  {
    name: "a call of `get_ipython` beside a magic",
    documented: "A call in a notebook's cell that is spelled `get_ipython() .run_line_magic(...)`",
    matches: ({ source, ours }) =>
      "text" in ours &&
      source.startsWith("{") &&
      codeOf(source).some((code) => /\bget_ipython[\s\\]*\(.*\)[\s\\]*\.[\s\\]*\w+[\s\\]*\(/.test(code)),
  },
  {
    name: "a character by an unknown name",
    documented: "A character by an unknown name",
    matches: ({ black, ours }) =>
      refusesSource(black, /unknown Unicode character name/) &&
      ("text" in ours || ours.refusal.kind === "source"),
  },
];

/** The kind of a difference, if it is a known one. */
export function knownKindOf(pair: Pair): KnownKind | undefined {
  return knownKinds.find((kind) => kind.matches(pair));
}

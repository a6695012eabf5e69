import { Feature } from "../src/mode/target-version.ts";
import { parse } from "../src/parse/parse.ts";
import type { Answer } from "./item.ts";
import { isSamePlace, NO_ANSWER } from "./refusal.ts";

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

/** Whether the source uses what only a Python newer than the oldest that runs Black here (3.13) knows. */
function usesNewerSyntax(source: string): boolean {
  try {
    const { tree, features } = parse(source.trimStart().replace(/\r\n?/g, "\n"), []);
    tree.release();
    return (features & NEWER_SYNTAX) !== 0;
  } catch {
    return false;
  }
}

const NEWER_SYNTAX =
  Feature.LAZY_IMPORTS |
  Feature.T_STRINGS |
  Feature.UNPARENTHESIZED_EXCEPT_TYPES |
  Feature.UNPACKING_IN_COMPREHENSIONS;

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
      refusesSource(black, /^/) && "text" in ours && usesNewerSyntax(source),
  },
  {
    name: "a unary operator behind a pair of directives",
    documented: "A unary minus or the like as first item behind a `# fmt: off` and `# fmt: on`",
    matches: ({ black, ours }) =>
      "refusal" in black && /^too many values to unpack/.test(black.refusal.sentence) && "text" in ours,
  },
  {
    name: "Black comes to no end",
    documented: "exit 123, or no end (1,000 lists)",
    matches: ({ black }) => "refusal" in black && black.refusal.sentence === NO_ANSWER.sentence,
  },
  {
    name: "our sentence for a cell that does not end",
    documented: "Notebook that is not an object, unfinished cell",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      /^\('|^unindent does not match any outer/.test(black.refusal.sentence) &&
      /^a cell ends inside|^line \d+ of a cell: unindent/.test(ours.refusal.sentence),
  },
  {
    name: "a cell that Python's tokenizer refuses",
    documented: "Cell that Python's tokenizer refuses",
    matches: ({ black, ours }) =>
      "refusal" in black && /^\('.*', \(\d+, \d+\)\)$/s.test(black.refusal.sentence) && "text" in ours,
  },
  {
    name: "a failed assertion of Black's string processing",
    documented: "A failed assertion of Black's",
    matches: ({ black, ours }) =>
      "refusal" in black && black.refusal.kind === "other" && black.refusal.sentence === "" && "text" in ours,
  },
  {
    name: "code for a Python newer than the one that runs Black",
    documented: "cannot parse code formatted for Python",
    matches: ({ black }) =>
      "refusal" in black && /cannot parse code formatted for Python/.test(black.refusal.sentence),
  },
  {
    name: "another line of what the interpreter rejects",
    documented: "The line of one fault among several",
    matches: ({ black, ours }) =>
      "refusal" in black &&
      "refusal" in ours &&
      black.refusal.kind === ours.refusal.kind &&
      (black.refusal.kind === "source" || black.refusal.kind === "output"),
  },
  {
    name: "a fault of the Python that runs Black",
    documented: "A fault of CPython 3.13",
    matches: ({ black, ours }) =>
      refusesSource(black, /^(field 'value' is required for Constant|'unicodeescape' codec can't)/) &&
      ("text" in ours || ours.refusal.kind === "not equivalent"),
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
    name: "a character by an unknown name",
    documented: "A character by an unknown name",
    matches: ({ black, ours }) => refusesSource(black, /unknown Unicode character name/) && "text" in ours,
  },
];

/** The kind of a difference, if it is a known one. */
export function knownKindOf(pair: Pair): KnownKind | undefined {
  return knownKinds.find((kind) => kind.matches(pair));
}

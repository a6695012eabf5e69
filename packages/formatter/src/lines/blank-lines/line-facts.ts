import { Kind } from "../../syntax/kinds.ts";
import { isImport } from "../../syntax/predicates/statements.ts";
import { isDocstring } from "../../syntax/predicates/strings.ts";
import { NONE, PrefixFlag, type Tree } from "../../syntax/tree.ts";
import { lineShape } from "../line/line-shape.ts";
import type { LineView } from "../line/line-view.ts";

/** What a line is to the rules for blank lines, as bits (Black: the is_* properties of Line). */
export const Trait = {
  COMMENT: 1,
  DECORATOR: 2,
  /** `def` and `async def`. */
  DEF: 4,
  CLASS: 8,
  IMPORT: 16,
  DOCSTRING: 32,
  OPENS_BLOCK: 64,
  /** A function or class with `...` on the same line for a body. */
  STUB: 128,
  /** Code that is kept as it is. */
  CONVERTED: 256,
  /** A form feed stands among the blank lines before. */
  FORM_FEED: 512,
  /** A docstring, and nothing else, outside of all blocks. */
  MODULE_DOCSTRING: 1024,
} as const;

/** What is remembered of one logical line: numbers, so that lines are short-lived and most need not be made at all. */
export class LineFacts {
  readonly tree: Tree;
  /** Below 0 where directives have taken an indentation and left its end. */
  readonly depth: number;
  /** First and last leaf; `NONE` for a comment that is no leaf. */
  readonly first: number;
  readonly last: number;
  /** Blank lines that the source has before it. */
  readonly newlines: number;
  /** Bits of `Trait`. */
  readonly traits: number;

  constructor(tree: Tree, depth: number, first: number, last: number, newlines: number, traits: number) {
    this.tree = tree;
    this.depth = depth;
    this.first = first;
    this.last = last;
    this.newlines = newlines;
    this.traits = traits;
  }

  /** Whether the line has one of the traits. */
  is(traits: number): boolean {
    return (this.traits & traits) !== 0;
  }

  /**
   * Whether the line is a docstring, now that it has been transformed: a string that has been split, or that a split
   * was tried at, has its place in the tree no more, and so is none to Black either.
   */
  isDocstringStill(): boolean {
    return (this.traits & Trait.DOCSTRING) !== 0 && this.tree.parent[this.first] !== NONE;
  }

  isStubClass(): boolean {
    return (this.traits & (Trait.CLASS | Trait.STUB)) === (Trait.CLASS | Trait.STUB);
  }

  isStubDef(): boolean {
    return (this.traits & (Trait.DEF | Trait.STUB)) === (Trait.DEF | Trait.STUB);
  }
}

/** The facts about a line, which is not empty. */
export function factsOfLine(line: LineView): LineFacts {
  const { tree, depth, leaves } = line;
  const first = leaves[0]!;
  let traits = traitsOf(tree, depth, first, leaves[leaves.length - 1]!);
  // Behind a directive `async` may be without what it introduces, or before another statement (`linegen.py` visit_async_stmt).
  if (tree.kind[first] === Kind.ASYNC)
    traits = tree.kind[leaves[1] ?? first] === Kind.KW_DEF ? traits | Trait.DEF : traits & ~Trait.DEF;
  if (leaves.length === 1) {
    if (tree.kind[first] === Kind.STANDALONE_COMMENT) {
      traits |= Trait.COMMENT;
      if ((tree.keptCode.get(first)?.firstLeaf ?? NONE) !== NONE) traits |= Trait.CONVERTED;
    } else if (depth === 0 && (traits & Trait.DOCSTRING) !== 0) traits |= Trait.MODULE_DOCSTRING;
  } else if ((traits & (Trait.DEF | Trait.CLASS)) !== 0 && isStub(line, traits)) traits |= Trait.STUB;
  return new LineFacts(tree, depth, first, leaves[leaves.length - 1]!, tree.newlines[first]!, traits);
}

/** The facts about a line that is copied: a statement without bodies of dots, or a string alone. */
export function factsOfCopy(tree: Tree, depth: number, first: number, last: number): LineFacts {
  let traits = traitsOf(tree, depth, first, last);
  if (depth === 0 && (traits & Trait.DOCSTRING) !== 0) traits |= Trait.MODULE_DOCSTRING;
  return new LineFacts(tree, depth, first, last, tree.newlines[first]!, traits);
}

/** The facts about a comment on a line of its own that is copied. */
export function factsOfComment(tree: Tree, depth: number, newlines: number): LineFacts {
  return new LineFacts(tree, depth, NONE, NONE, newlines, Trait.COMMENT);
}

/** What the first and the last leaf tell. */
function traitsOf(tree: Tree, depth: number, first: number, last: number): number {
  let traits = traitOfFirst(tree, first);
  if (tree.kind[last] === Kind.COLON) traits |= Trait.OPENS_BLOCK;
  if (depth === 0 && (tree.prefixFlags[first]! & PrefixFlag.FORM_FEED) !== 0) traits |= Trait.FORM_FEED;
  return traits;
}

function traitOfFirst(tree: Tree, first: number): number {
  switch (tree.kind[first]) {
    case Kind.NAME:
      return 0;
    case Kind.AT:
      return Trait.DECORATOR;
    case Kind.KW_DEF:
      return Trait.DEF;
    case Kind.ASYNC:
      return tree.kind[tree.nextLeaf(first)] === Kind.KW_DEF ? Trait.DEF : 0;
    case Kind.KW_CLASS:
      return Trait.CLASS;
    case Kind.KW_IMPORT:
    case Kind.KW_FROM:
    case Kind.LAZY:
      return isImport(tree, first) ? Trait.IMPORT : 0;
    case Kind.STRING:
      return isDocstring(tree, first) ? Trait.DOCSTRING : 0;
    default:
      return 0;
  }
}

function isStub(line: LineView, traits: number): boolean {
  if (!lineShape.endsWithEllipsis(line)) return false;
  const { tree, leaves } = line;
  if ((traits & Trait.CLASS) !== 0) return true;
  return leaves.length >= 4 && tree.kind[leaves[leaves.length - 4]!] === Kind.COLON;
}

import { Kind } from "../syntax/kinds.ts";
import { NONE, type Tree } from "../syntax/tree.ts";
import { LOST_TEXT, type TokenBuffer } from "../tokenize/token-buffer.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { names } from "./first-sets.ts";

/** Thrown where no rule of the grammar goes on; `parse` turns it into a `ParseError`. */
export class SyntaxFailure extends Error {
  override readonly name = "SyntaxFailure";
  /** Index of the token that Black would name. */
  readonly token: number;

  constructor(token: number) {
    super("bad input");
    this.token = token;
  }
}

/**
 * Kind of the leaf that a token becomes: soft keywords are names until a rule says otherwise, an f-string is one
 * STRING leaf, and what is read whole a name.
 */
const leafKinds = new Uint8Array(256);
for (let kind = 0; kind < 256; kind++) leafKinds[kind] = kind;
leafKinds[Kind.KW_MATCH] = Kind.NAME;
leafKinds[Kind.KW_CASE] = Kind.NAME;
leafKinds[Kind.KW_TYPE] = Kind.NAME;
leafKinds[Kind.FSTRING_START] = Kind.STRING;
leafKinds[TokenKind.WHOLE] = Kind.NAME;

/**
 * The state of one parse: the tokens, the place among them, and the tree that grows. The grammar's rules are
 * functions over it, one file for each topic. A rule returns the id of what it has built, unlinked; like blib2to3
 * it makes no node for a single child.
 */
export class Parser {
  readonly tree: Tree;
  readonly tokens: TokenBuffer;
  readonly kinds: Uint8Array;
  /** Whether `match`, `case` and `type` may be keywords: Black's grammar for Python 3.10 and later. */
  readonly softKeywords: boolean;
  /** Whether f-strings and t-strings become nodes of their parts, and not STRING leaves. */
  readonly keepsParts: boolean;
  /** Index and kind of the current token. */
  at = 0;
  kind: number;
  /** `Feature` bits seen. */
  features: number;
  /** The last soft keyword taken for a name, and the token at which it could have been a keyword no longer. */
  softKeywordAt = NONE;
  softKeywordEnd = NONE;

  constructor(tree: Tree, tokens: TokenBuffer, softKeywords: boolean, keepsParts = false) {
    this.tree = tree;
    this.tokens = tokens;
    this.kinds = tokens.kinds;
    this.softKeywords = softKeywords;
    this.keepsParts = keepsParts;
    this.kind = this.kinds[0]!;
    this.features = tokens.features;
  }

  /** Kind of the token after the current one. */
  get nextKind(): number {
    return this.kinds[this.at + 1]!;
  }

  /** Whether the current token is of the kind. */
  is(kind: number): boolean {
    return this.kind === kind;
  }

  advance(): void {
    this.kind = this.kinds[++this.at]!;
  }

  /** Goes back to an earlier token; leaves and nodes made since are dropped. */
  rewind(at: number, treeCount: number): void {
    this.at = at;
    this.kind = this.kinds[at]!;
    this.tree.truncate(treeCount);
  }

  /** The current token as an unlinked leaf; goes on to the next. */
  leaf(): number {
    const { tree, tokens, at } = this;
    if (this.kind >= TokenKind.ERROR) this.fail();
    const start = tokens.starts[at]!;
    const id = tree.addLeaf(
      leafKinds[this.kind]!,
      start,
      tokens.ends[at]!,
      at === 0 ? 0 : tokens.ends[at - 1]!,
      start,
    );
    const flags = tokens.prefixFlags[at]!;
    tree.line[id] = tokens.lines[at]!;
    tree.textFlags[id] = tokens.textFlags[at]!;
    tree.prefixFlags[id] = flags;
    if ((flags & LOST_TEXT) !== 0) tree.setPrefix(id, tokens.prefixes.get(at)!);
    this.kind = this.kinds[at + 1]!;
    this.at = at + 1;
    return id;
  }

  /** Links the current token to `parent` and returns its leaf. */
  shift(parent: number): number {
    const id = this.leaf();
    this.link(parent, id);
    return id;
  }

  /** Links the current token to `parent` if it is of the kind, and fails otherwise. */
  expect(parent: number, kind: number): number {
    if (this.kind !== kind) this.fail();
    return this.shift(parent);
  }

  expectName(parent: number): number {
    if (names[this.kind] === 0) this.fail();
    return this.shift(parent);
  }

  /** A name as an unlinked leaf. */
  nameLeaf(): number {
    if (names[this.kind] === 0) this.fail();
    return this.leaf();
  }

  /** A new node with its first child. */
  nodeWith(kind: number, child: number): number {
    const id = this.tree.addNode(kind);
    this.link(id, child);
    return id;
  }

  /** Links an unlinked id as the last child. */
  link(parent: number, child: number): void {
    const { tree } = this;
    const last = tree.last[parent]!;
    tree.parent[child] = parent;
    if (last === NONE) tree.first[parent] = child;
    else {
      tree.next[last] = child;
      tree.prev[child] = last;
    }
    tree.last[parent] = child;
  }

  /** Joins a pair of brackets. */
  pair(opening: number, closing: number): void {
    this.tree.mate[opening] = closing;
    this.tree.mate[closing] = opening;
  }

  /**
   * Fails at the current token. Where a soft keyword before it could have been a keyword up to this very token, Black
   * names the soft keyword; where it could have been one for longer, what Black names is the end of that.
   */
  fail(): never {
    const { at } = this;
    if (this.kind === TokenKind.ERROR || at > this.softKeywordEnd) throw new SyntaxFailure(at);
    throw new SyntaxFailure(at === this.softKeywordEnd ? this.softKeywordAt : this.softKeywordEnd);
  }
}

import { FIRST_NODE } from "./kinds.ts";
import * as PrefixFlag from "./prefix-flag.ts";
import * as TextFlag from "./text-flag.ts";

/** "No such leaf or node": the value of a link that leads nowhere. */
export const NONE = -1;

/** What the tokenizer saw in the gap before a leaf; read instead of scanning the prefix again. */
export * as PrefixFlag from "./prefix-flag.ts";

/** What is known about a leaf's own text. */
export * as TextFlag from "./text-flag.ts";

const UTF16_UNITS = 1 << 16;

/** What a string keeps being when its text changes. */
const OF_FIELDS = TextFlag.INTERPOLATED | TextFlag.HOLDS_EXPRESSION | TextFlag.HOLDS_WALRUS;

/** What each UTF-16 unit adds to the `TextFlag`s of its text: a table, so that no branch is new to a compiler. */
const textFlagOf = new Uint8Array(UTF16_UNITS).fill(TextFlag.NON_ASCII, 0x80);
textFlagOf[0x0a] = TextFlag.MULTILINE;
textFlagOf[0x5c] = TextFlag.BACKSLASH;

/** The same for the `PrefixFlag`s of a prefix. */
const prefixFlagOf = new Uint8Array(UTF16_UNITS);
prefixFlagOf[0x0a] = PrefixFlag.NEWLINE;
prefixFlagOf[0x0c] = PrefixFlag.FORM_FEED;
prefixFlagOf[0x23] = PrefixFlag.COMMENT;
prefixFlagOf[0x5c] = PrefixFlag.BACKSLASH;

/** Source code that was made one STANDALONE_COMMENT leaf and is printed as it was. */
export interface KeptCode {
  /** First leaf of the code; still linked to what was its statement (`fmt_pass_converted_first_leaf`). */
  readonly firstLeaf: number;
  /** 1-based line of that leaf in the source. */
  readonly firstLine: number;
  /** The lines that are formatted, when the code is kept for not being among them (`line_ranges_selected`). */
  readonly selection?: { has(line: number): boolean };
}

/**
 * The concrete syntax tree of one file as flat arrays, one slot for each leaf or node, addressed by id.
 *
 * Shape: `parent`, `next`, `prev`, `first`, `last` link ids (`NONE` where there is none); `kind` is a `Kind`.
 * A leaf's text is `source.slice(start, end)` unless `setText` replaced it; its prefix (white space and comments
 * before it) is `source.slice(prefixStart, prefixEnd)` unless `setPrefix` replaced it. A node's prefix is that of
 * its first leaf (blib2to3 `Node.prefix`). Ids of later inserts (invisible parentheses, commas) are appended, so
 * an id says nothing about order.
 *
 * Arrays rather than objects: measured four times quicker to build and half the memory.
 */
export class Tree {
  /** Normalised source: LF line ends only. */
  readonly source: string;
  /** Ids in use; the next free one. */
  count = 0;
  kind: Uint8Array;
  parent: Int32Array;
  next: Int32Array;
  prev: Int32Array;
  first: Int32Array;
  last: Int32Array;
  /** Leaf text range in `source`. */
  start: Int32Array;
  end: Int32Array;
  /** Leaf prefix range in `source`. */
  prefixStart: Int32Array;
  prefixEnd: Int32Array;
  prefixFlags: Uint8Array;
  textFlags: Uint8Array;
  /** Leaf: 1-based source line of its first character; 0 for a leaf that layout made. */
  line: Int32Array;

  /** Matching bracket: opening leaf to closing leaf and back (`leaf.opening_bracket`), `NONE` before it is known. */
  mate: Int32Array;
  /** Spaces printed before the leaf in its line (0, 1 or 2), in rare cases line breaks (`leaf-space.ts`); decided when a
   * line is built (Black's `leaf.prefix`). */
  space: Uint8Array;
  /** Bracket depth within the line that holds the leaf (`leaf.bracket_depth`). */
  depth: Uint16Array;
  /** For comment leaves, and for a leaf that begins a line: line breaks before it. */
  newlines: Int32Array;

  /** What `# fmt: off`, `# fmt: skip` and line ranges keep as it is, by the id of the STANDALONE_COMMENT leaf. */
  readonly keptCode = new Map<number, KeptCode>();
  /** How many children string processing has added to a node, by its id. */
  readonly gained = new Map<number, number>();
  /** Closing brackets whose pair was looked at before there were lines: Black knows their `opening_bracket` from then on. */
  readonly knownClosings = new Set<number>();

  /** 1 + index in `#texts` or `#prefixes` of what replaces the range of the source; 0 where nothing does. */
  #ownText: Int32Array;
  #ownPrefix: Int32Array;
  readonly #texts: string[] = [];
  readonly #prefixes: string[] = [];
  #capacity: number;
  /** Ids below this one are free of what an earlier tree, or nobody, has left in the arrays. */
  #cleared: number;

  /**
   * @param expected how many ids to make room for at once; the arrays grow by doubling past that. Those of a released
   * tree are used again: to make and clear new ones for each source costs a third of the time that parsing takes.
   */
  constructor(source: string, expected: number) {
    this.source = source;
    const old = takeReleased(expected);
    const n = old === undefined ? Math.max(16, expected) : old.#capacity;
    this.#capacity = n;
    this.kind = old?.kind ?? new Uint8Array(n);
    this.parent = old?.parent ?? new Int32Array(n);
    this.next = old?.next ?? new Int32Array(n);
    this.prev = old?.prev ?? new Int32Array(n);
    this.first = old?.first ?? new Int32Array(n);
    this.last = old?.last ?? new Int32Array(n);
    this.start = old?.start ?? new Int32Array(n);
    this.end = old?.end ?? new Int32Array(n);
    this.prefixStart = old?.prefixStart ?? new Int32Array(n);
    this.prefixEnd = old?.prefixEnd ?? new Int32Array(n);
    this.prefixFlags = old?.prefixFlags ?? new Uint8Array(n);
    this.textFlags = old?.textFlags ?? new Uint8Array(n);
    this.line = old?.line ?? new Int32Array(n);
    this.mate = old?.mate ?? new Int32Array(n);
    this.space = old?.space ?? new Uint8Array(n);
    this.depth = old?.depth ?? new Uint16Array(n);
    this.newlines = old?.newlines ?? new Int32Array(n);
    this.#ownText = old === undefined ? new Int32Array(n) : old.#ownText;
    this.#ownPrefix = old === undefined ? new Int32Array(n) : old.#ownPrefix;
    this.#cleared = old === undefined ? 0 : old.#cleared;
    if (old !== undefined) this.#clear(0, old.count);
  }

  /** Gives the arrays back for the next tree; this one must not be used any more. */
  release(): void {
    this.#texts.length = this.#prefixes.length = 0;
    if (this.#capacity <= LARGEST_KEPT && released.length < MOST_KEPT) released.push(this);
  }

  /** A new unlinked leaf whose text and prefix are ranges of the source. */
  addLeaf(kind: number, start: number, end: number, prefixStart: number, prefixEnd: number): number {
    const id = this.#allocate(kind);
    this.start[id] = start;
    this.end[id] = end;
    this.prefixStart[id] = prefixStart;
    this.prefixEnd[id] = prefixEnd;
    return id;
  }

  /** A new unlinked leaf with a text of its own (invisible parentheses have the empty text). */
  makeLeaf(kind: number, text: string, prefix = ""): number {
    const id = this.#allocate(kind);
    if (text !== "") this.setText(id, text);
    if (prefix !== "") this.setPrefix(id, prefix);
    return id;
  }

  /** A new unlinked node without children. */
  addNode(kind: number): number {
    return this.#allocate(kind);
  }

  isLeaf(id: number): boolean {
    return this.kind[id]! < FIRST_NODE;
  }

  /** The leaf's text (`leaf.value`). */
  text(id: number): string {
    const own = this.#ownText[id]!;
    return own === 0 ? this.source.slice(this.start[id]!, this.end[id]!) : this.#texts[own - 1]!;
  }

  /** Length of the text in UTF-16 units, without making the string. */
  textLength(id: number): number {
    const own = this.#ownText[id]!;
    return own === 0 ? this.end[id]! - this.start[id]! : this.#texts[own - 1]!.length;
  }

  /** Whether the text is still the range of the source that the leaf was made from. */
  isSourceText(id: number): boolean {
    return this.#ownText[id] === 0;
  }

  /** Replaces the leaf's text and keeps `textFlags` true to it. */
  setText(id: number, text: string): void {
    const own = this.#ownText[id]!;
    if (own === 0) this.#ownText[id] = this.#texts.push(text);
    else this.#texts[own - 1] = text;
    let flags = this.textFlags[id]! & OF_FIELDS;
    for (let i = 0; i < text.length; i++) flags |= textFlagOf[text.charCodeAt(i)]!;
    this.textFlags[id] = flags;
  }

  /** The prefix of a leaf, or of a node's first leaf. */
  prefix(id: number): string {
    const leaf = this.firstLeaf(id);
    if (leaf === NONE) return "";
    const own = this.#ownPrefix[leaf]!;
    if (own !== 0) return this.#prefixes[own - 1]!;
    return this.source.slice(this.prefixStart[leaf]!, this.prefixEnd[leaf]!);
  }

  /** Whether the leaf's prefix is still the range of the source that it was made with. */
  isSourcePrefix(leaf: number): boolean {
    return this.#ownPrefix[leaf] === 0;
  }

  /** Replaces the prefix of a leaf, or of a node's first leaf, and keeps `prefixFlags` true to it. */
  setPrefix(id: number, prefix: string): void {
    const leaf = this.firstLeaf(id);
    if (leaf === NONE) return;
    const own = this.#ownPrefix[leaf]!;
    if (own === 0) this.#ownPrefix[leaf] = this.#prefixes.push(prefix);
    else this.#prefixes[own - 1] = prefix;
    let flags = 0;
    for (let i = 0; i < prefix.length; i++) flags |= prefixFlagOf[prefix.charCodeAt(i)]!;
    this.prefixFlags[leaf] = flags;
  }

  /** First leaf at or below `id`; `NONE` for a node without leaves. */
  firstLeaf(id: number): number {
    let at = id;
    while (at !== NONE && this.kind[at]! >= FIRST_NODE) at = this.first[at]!;
    return at;
  }

  /** Last leaf at or below `id`; `NONE` for a node without leaves. */
  lastLeaf(id: number): number {
    let at = id;
    while (at !== NONE && this.kind[at]! >= FIRST_NODE) at = this.last[at]!;
    return at;
  }

  /** The leaf after everything below `id`, in file order, past nodes that have lost their leaves; `NONE` at the end. */
  nextLeaf(id: number): number {
    let at = id;
    for (;;) {
      while (at !== NONE && this.next[at] === NONE) at = this.parent[at]!;
      if (at === NONE) return NONE;
      at = this.next[at]!;
      const leaf = this.firstLeaf(at);
      if (leaf !== NONE) return leaf;
    }
  }

  /** The leaf before everything below `id`, in file order (`nodes.py` preceding_leaf); `NONE` at the start. */
  prevLeaf(id: number): number {
    let at = id;
    while (at !== NONE && this.prev[at] === NONE) at = this.parent[at]!;
    return at === NONE ? NONE : this.lastLeaf(this.prev[at]!);
  }

  /** Ids of all leaves below `id`, in order (`node.leaves()`). */
  leaves(id: number): number[] {
    const found: number[] = [];
    let at = id;
    for (;;) {
      if (this.kind[at]! < FIRST_NODE) found.push(at);
      else if (this.first[at] !== NONE) {
        at = this.first[at]!;
        continue;
      }
      while (at !== id && this.next[at] === NONE) at = this.parent[at]!;
      if (at === id) return found;
      at = this.next[at]!;
    }
  }

  /** The children of a node, as ids in order. */
  children(id: number): number[] {
    const found: number[] = [];
    for (let at = this.first[id]!; at !== NONE; at = this.next[at]!) found.push(at);
    return found;
  }

  childCount(id: number): number {
    let n = 0;
    for (let at = this.first[id]!; at !== NONE; at = this.next[at]!) n++;
    return n;
  }

  /** Links an unlinked id as the last child. */
  append(parent: number, child: number): void {
    this.insertBefore(parent, NONE, child);
  }

  /** Links an unlinked id before `before`; `NONE` means at the end. */
  insertBefore(parent: number, before: number, child: number): void {
    const after = before === NONE ? this.last[parent]! : this.prev[before]!;
    this.parent[child] = parent;
    this.prev[child] = after;
    this.next[child] = before;
    if (after === NONE) this.first[parent] = child;
    else this.next[after] = child;
    if (before === NONE) this.last[parent] = child;
    else this.prev[before] = child;
  }

  /** Unlinks `id` from its parent and returns what followed it, so that something can be put in its place. */
  remove(id: number): number {
    const parent = this.parent[id]!;
    const before = this.prev[id]!;
    const after = this.next[id]!;
    if (parent !== NONE) {
      if (before === NONE) this.first[parent] = after;
      else this.next[before] = after;
      if (after === NONE) this.last[parent] = before;
      else this.prev[after] = before;
    }
    this.parent[id] = NONE;
    this.prev[id] = NONE;
    this.next[id] = NONE;
    return after;
  }

  /** Puts the unlinked `replacement` where `id` was. */
  replace(id: number, replacement: number): void {
    const parent = this.parent[id]!;
    const after = this.remove(id);
    if (parent !== NONE) this.insertBefore(parent, after, replacement);
  }

  /** Drops all ids from `count` on; nothing may link to them. */
  truncate(count: number): void {
    this.#clear(count, this.count);
    this.count = count;
  }

  #allocate(kind: number): number {
    if (this.count === this.#cleared) this.#clearAhead();
    const id = this.count++;
    this.kind[id] = kind;
    return id;
  }

  /**
   * Prepares the next ids, of which new arrays hold nothing but zeros. Some at a time: what is never written to takes no
   * memory, and room is made for more ids than most sources need.
   */
  #clearAhead(): void {
    if (this.#cleared === this.#capacity) this.#grow();
    const to = Math.min(this.#capacity, this.#cleared + CLEARED_AT_ONCE);
    for (const links of [this.parent, this.next, this.prev, this.first, this.last, this.mate])
      links.fill(NONE, this.#cleared, to);
    this.#cleared = to;
  }

  /** Makes ids from `from` up to `to` look new: no links, no flags, no text. */
  #clear(from: number, to: number): void {
    for (const links of [this.parent, this.next, this.prev, this.first, this.last, this.mate]) {
      links.fill(NONE, from, to);
    }
    for (const ranges of [this.start, this.end, this.prefixStart, this.prefixEnd]) ranges.fill(0, from, to);
    for (const numbers of [this.line, this.newlines, this.#ownText, this.#ownPrefix])
      numbers.fill(0, from, to);
    for (const flags of [this.prefixFlags, this.textFlags, this.space, this.depth]) flags.fill(0, from, to);
  }

  #grow(): void {
    const n = this.#capacity * 2;
    this.#capacity = n;
    this.kind = widen(this.kind, new Uint8Array(n));
    this.parent = widen(this.parent, new Int32Array(n));
    this.next = widen(this.next, new Int32Array(n));
    this.prev = widen(this.prev, new Int32Array(n));
    this.first = widen(this.first, new Int32Array(n));
    this.last = widen(this.last, new Int32Array(n));
    this.start = widen(this.start, new Int32Array(n));
    this.end = widen(this.end, new Int32Array(n));
    this.prefixStart = widen(this.prefixStart, new Int32Array(n));
    this.prefixEnd = widen(this.prefixEnd, new Int32Array(n));
    this.prefixFlags = widen(this.prefixFlags, new Uint8Array(n));
    this.textFlags = widen(this.textFlags, new Uint8Array(n));
    this.line = widen(this.line, new Int32Array(n));
    this.mate = widen(this.mate, new Int32Array(n));
    this.space = widen(this.space, new Uint8Array(n));
    this.depth = widen(this.depth, new Uint16Array(n));
    this.newlines = widen(this.newlines, new Int32Array(n));
    this.#ownText = widen(this.#ownText, new Int32Array(n));
    this.#ownPrefix = widen(this.#ownPrefix, new Int32Array(n));
  }
}

/** Ids. */
const CLEARED_AT_ONCE = 1 << 12;

/** Trees whose arrays wait for the next source: two are alive at once while an output is checked. */
const released: Tree[] = [];
const MOST_KEPT = 2;
/** Ids; arrays of larger trees are left to the garbage collector. */
const LARGEST_KEPT = 1 << 21;

function takeReleased(expected: number): Tree | undefined {
  const tree = released.pop();
  return tree !== undefined && tree.kind.length >= expected ? tree : undefined;
}

function widen<T extends Uint8Array | Uint16Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

import { FIRST_NODE, isNameKind, Kind as K } from "../../syntax/kinds.ts";
import { NONE, PrefixFlag, TextFlag, type Tree } from "../../syntax/tree.ts";
import { literalText, partsOfLiteral } from "../literals/parts-of-literal.ts";

/**
 * What Python's `ast` keeps of a file's type comments: how many say `ignore`, and the others with the assignment,
 * header or parameter that they belong to (https://docs.python.org/3/library/ast.html#ast.parse). One that the grammar
 * has no place for makes `ast.parse` fail; Black then parses the file without type comments (`parsing.py` parse_ast).
 */
export function typeComments(tree: Tree): string {
  if (!mayHoldTypeComment(tree.source)) return "";
  return new TypeComments(tree).text();
}

/** Whether `type:` stands behind a `#`, be it in a string. */
function mayHoldTypeComment(source: string): boolean {
  for (let at = source.indexOf("type:"); at !== -1; at = source.indexOf("type:", at + 1)) {
    let before = at - 1;
    while (source[before] === " " || source[before] === "\t") before--;
    if (source[before] === "#") return true;
  }
  return false;
}

class TypeComments {
  readonly #tree: Tree;
  /** Names and keywords before each leaf: formatting leaves all of them where they are. */
  readonly #names: Int32Array;
  #ignored = 0;
  /** Type comments, each with the names before what it belongs to. */
  readonly #found: [number, string][] = [];
  readonly #owners = new Set<number>();

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#names = new Int32Array(tree.count);
  }

  text(): string {
    const { count } = this.#tree;
    let names = 0;
    let previous = NONE;
    for (let leaf = 0; leaf < count; leaf++) {
      const kind = this.#tree.kind[leaf]!;
      if (kind >= FIRST_NODE || kind === K.INDENT || kind === K.DEDENT) continue;
      this.#names[leaf] = names;
      if (isNameKind(kind)) names++;
      if (!this.#takeGap(previous, leaf) || !this.#takeFields(leaf)) return "";
      previous = leaf;
      // Behind it are the parts of strings that have been taken apart.
      if (kind === K.ENDMARKER) break;
    }
    if (this.#ignored === 0 && this.#found.length === 0) return "";
    return `${this.#ignored} ${JSON.stringify(this.#found)}`;
  }

  /** Takes the comments between two leaves; false if the grammar has no place for one. */
  #takeGap(previous: number, leaf: number): boolean {
    const tree = this.#tree;
    const start = previous === NONE ? 0 : tree.end[previous]!;
    for (const comment of typeCommentsIn(tree.source.slice(start, tree.start[leaf]!))) {
      if (isIgnore(comment)) this.#ignored++;
      else {
        const owner = ownerOf(tree, previous, leaf);
        if (owner === NONE || this.#owners.has(owner)) return false;
        const items = itemsOfAsync(tree, previous);
        if (items === "named") return false;
        this.#owners.add(owner);
        this.#found.push([this.#names[owner]!, `${comment.trimEnd()}${items}`]);
      }
    }
    return true;
  }

  /** Takes the comments in the fields of an f-string, where only `ignore` may stand. */
  #takeFields(leaf: number): boolean {
    const tree = this.#tree;
    if ((tree.textFlags[leaf]! & TextFlag.INTERPOLATED) === 0 || !literalText(tree, leaf).includes("#"))
      return true;
    const { count } = tree;
    const [, ...parts] = tree.leaves(partsOfLiteral(tree, leaf));
    const comments = parts
      .filter((part) => (tree.prefixFlags[part]! & PrefixFlag.COMMENT) !== 0)
      .flatMap((part) => typeCommentsIn(tree.source.slice(tree.prefixStart[part]!, tree.prefixEnd[part]!)));
    tree.truncate(count);
    this.#ignored += comments.filter(isIgnore).length;
    return comments.every(isIgnore);
  }
}

/** What stands behind `# type: ` in each type comment of what stands between two tokens. */
function typeCommentsIn(gap: string): string[] {
  if (!gap.includes("type:")) return [];
  return [...gap.matchAll(/#([^\n]*)/g)].flatMap(([, comment]) => {
    const text = /^[ \t]*type:[ \t]*([^\n]*)$/.exec(comment!);
    return text === null ? [] : [text[1]!];
  });
}

/** `ignore`, with or without something behind it that is no letter or digit. */
function isIgnore(comment: string): boolean {
  return /^ignore(?![0-9A-Za-z\u0080-\uffff])/.test(comment);
}

/** A leaf of the statement or parameter to which the grammar gives a type comment between two leaves. */
function ownerOf(tree: Tree, previous: number, next: number): number {
  if (previous === NONE) return NONE;
  if (tree.kind[next] === K.NEWLINE) return ownerAtLineEnd(tree, previous);
  if (tree.kind[previous] === K.NEWLINE) return ownerAbove(tree, previous);
  return parameterBefore(tree, previous, next);
}

/** An assignment that ends there, or a header that may have a type comment. */
function ownerAtLineEnd(tree: Tree, last: number): number {
  const parent = tree.parent[last]!;
  if (tree.kind[last] === K.COLON) {
    const kind = tree.kind[parent];
    const hasOne = kind === K.for_stmt || kind === K.with_stmt || kind === K.funcdef;
    return hasOne && tree.kind[tree.prev[last]!] !== K.KW_ELSE ? tree.firstLeaf(parent) : NONE;
  }
  let at = last;
  while (tree.next[at] === NONE && tree.kind[tree.parent[at]!] !== K.expr_stmt) {
    at = tree.parent[at]!;
    if (at === NONE) return NONE;
  }
  if (tree.next[at] !== NONE) return NONE;
  const statement = tree.parent[at]!;
  const isAssignment = tree.kind[tree.next[tree.first[statement]!]!] === K.EQUAL;
  return isAssignment ? tree.firstLeaf(statement) : NONE;
}

/**
 * What CPython takes several items in parentheses for, where a type comment stands behind the colon of an `async with`:
 * only the rule for items without parentheses has a place for it there, so that they are a tuple, and none can be named.
 */
function itemsOfAsync(tree: Tree, colon: number): "" | " (tuple)" | "named" {
  const statement = tree.parent[colon]!;
  if (tree.kind[colon] !== K.COLON || tree.kind[statement] !== K.with_stmt) return "";
  if (tree.kind[tree.prev[statement]!] !== K.ASYNC) return "";
  const items = tree.prev[colon]!;
  if (tree.kind[items] !== K.atom || tree.prev[items] !== tree.first[statement]) return "";
  let list = tree.next[tree.first[items]!]!;
  while (tree.kind[list] === K.atom && tree.kind[tree.first[list]!] === K.LPAR)
    list = tree.next[tree.first[list]!]!;
  if (tree.kind[list] === K.asexpr_test) return "named";
  if (tree.kind[list] !== K.testlist_gexp) return "";
  return tree.children(list).some((item) => tree.kind[item] === K.asexpr_test) ? "named" : " (tuple)";
}

/** A function whose block begins with the line. */
function ownerAbove(tree: Tree, newline: number): number {
  const suite = tree.parent[newline]!;
  if (tree.kind[suite] !== K.suite || tree.prev[newline] !== NONE) return NONE;
  const header = tree.parent[suite]!;
  return tree.kind[header] === K.funcdef ? tree.firstLeaf(header) : NONE;
}

/** A parameter with the comma behind it, or the last one. */
function parameterBefore(tree: Tree, previous: number, next: number): number {
  let parameter = NONE;
  if (tree.kind[previous] === K.COMMA && isAmongParameters(tree, previous)) parameter = tree.prev[previous]!;
  else if (tree.kind[next] === K.RPAR && tree.kind[tree.parent[next]!] === K.parameters) {
    const list = tree.prev[next]!;
    parameter = tree.kind[list] === K.typedargslist ? tree.last[list]! : list;
  }
  if (parameter === NONE) return NONE;
  if (tree.kind[tree.prev[parameter]!] === K.EQUAL) parameter = tree.prev[tree.prev[parameter]!]!;
  const kind = tree.kind[parameter];
  const isNone = kind === K.STAR || kind === K.SLASH || kind === K.LPAR || kind === K.COMMA;
  return isNone ? NONE : tree.firstLeaf(parameter);
}

function isAmongParameters(tree: Tree, comma: number): boolean {
  const list = tree.parent[comma]!;
  return (
    tree.kind[list] === K.parameters ||
    (tree.kind[list] === K.typedargslist && tree.kind[tree.parent[list]!] === K.parameters)
  );
}

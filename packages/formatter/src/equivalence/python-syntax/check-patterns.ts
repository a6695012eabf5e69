import { Kind as K } from "../../syntax/kinds.ts";
import { NONE, type Tree } from "../../syntax/tree.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/**
 * Checks the pattern of a `case`, for which our grammar, like Black's, takes any expression
 * (Python's grammar: `patterns`; https://docs.python.org/3/reference/grammar.html).
 */
export function checkCase(tree: Tree, id: number): void {
  const pattern = tree.next[tree.first[id]!]!;
  if (tree.kind[pattern] === K.patterns) checkSequence(tree, tree.children(pattern));
  else checkPattern(tree, pattern);
}

/** Whether the node is part of a `case` before its guard. */
export function isInPattern(tree: Tree, id: number): boolean {
  for (let at = tree.parent[id]!; at !== NONE; at = tree.parent[at]!) {
    if (tree.kind[at] === K.case_block) return true;
    if (tree.kind[at] === K.guard || tree.kind[at] === K.simple_stmt || tree.kind[at] === K.suite)
      return false;
  }
  return false;
}

/** Members of a sequence with commas between; each may be starred. */
function checkSequence(tree: Tree, ids: readonly number[]): void {
  for (const id of ids) {
    if (tree.kind[id] === K.COMMA) continue;
    if (tree.kind[id] !== K.star_expr) checkPattern(tree, id);
    else if (tree.kind[tree.last[id]!] !== K.NAME) reject(tree, id);
  }
}

function checkPattern(tree: Tree, id: number): void {
  const kind = tree.kind[id];
  if (kind === K.pattern || kind === K.asexpr_test || kind === K.argument) {
    checkCapture(tree, tree.last[id]!);
    checkAlternatives(tree, tree.first[id]!);
  } else checkAlternatives(tree, id);
}

/** A name that a value is bound to; the wildcard is none. */
function checkCapture(tree: Tree, id: number): void {
  if (tree.kind[id] !== K.NAME || tree.text(id) === "_") reject(tree, id);
}

function checkAlternatives(tree: Tree, id: number): void {
  if (tree.kind[id] !== K.expr) checkClosed(tree, id);
  else for (const child of tree.children(id)) if (tree.kind[child] !== K.VBAR) checkClosed(tree, child);
}

function checkClosed(tree: Tree, id: number): void {
  const opening = tree.kind[id] === K.atom ? tree.kind[tree.first[id]!] : undefined;
  if (opening === K.LPAR) checkGroup(tree, tree.next[tree.first[id]!]!);
  else if (opening === K.LSQB) checkBracketed(tree, tree.next[tree.first[id]!]!, K.listmaker);
  else if (opening === K.LBRACE) checkMapping(tree, tree.next[tree.first[id]!]!);
  // The wildcard goes before names in the grammar, which then never looks at what follows it.
  else if (tree.kind[id] === K.power && tree.text(tree.first[id]!) === "_") reject(tree, id);
  else if (tree.kind[id] === K.power && tree.kind[tree.last[tree.last[id]!]!] === K.RPAR)
    checkClass(tree, id);
  else if (tree.kind[id] !== K.NAME && !isLiteral(tree, id) && !isDottedName(tree, id, NONE))
    reject(tree, id);
}

/** What stands behind `(`: nothing, a sequence, or one pattern in parentheses. */
function checkGroup(tree: Tree, inner: number): void {
  if (tree.kind[inner] === K.testlist_gexp) checkBracketed(tree, inner, K.testlist_gexp);
  else if (tree.kind[inner] !== K.RPAR) checkPattern(tree, inner);
}

function checkBracketed(tree: Tree, inner: number, list: number): void {
  if (tree.kind[inner] === list) checkSequence(tree, tree.children(inner));
  else if (tree.next[inner] !== NONE) checkSequence(tree, [inner]);
}

/** `{key: pattern, **rest}`; keys are literals or dotted names, the rest comes last. */
function checkMapping(tree: Tree, inner: number): void {
  if (tree.kind[inner] === K.RBRACE) return;
  if (tree.kind[inner] !== K.dictsetmaker) reject(tree, inner);
  for (let at = tree.first[inner]!; at !== NONE; ) {
    const second = tree.next[at]!;
    if (second === NONE) reject(tree, at);
    if (tree.kind[at] === K.DOUBLESTAR) {
      checkCapture(tree, second);
      const comma = tree.next[second]!;
      if (comma !== NONE && tree.next[comma] !== NONE) reject(tree, at);
      return;
    }
    if (tree.kind[second] !== K.COLON || !(isLiteral(tree, at) || isDottedName(tree, at, NONE)))
      reject(tree, at);
    const value = tree.next[second]!;
    checkPattern(tree, value);
    const comma = tree.next[value]!;
    if (comma !== NONE && tree.kind[comma] !== K.COMMA) reject(tree, comma);
    at = comma === NONE ? NONE : tree.next[comma]!;
  }
}

/** `name.name(pattern, key=pattern)`. */
function checkClass(tree: Tree, id: number): void {
  const call = tree.last[id]!;
  if (tree.prev[call] !== tree.first[id] && !isDottedName(tree, id, call)) reject(tree, id);
  if (tree.kind[tree.first[id]!] !== K.NAME) reject(tree, id);
  const inner = tree.next[tree.first[call]!]!;
  if (tree.kind[inner] === K.RPAR) return;
  let hasKeyword = false;
  let hasPositional = false;
  for (const child of tree.kind[inner] === K.arglist ? tree.children(inner) : [inner]) {
    if (tree.kind[child] === K.COMMA) continue;
    if (tree.kind[child] === K.argument) {
      const [name, sign, value] = tree.children(child);
      if (tree.kind[sign!] === K.KW_AS) {
        // Our grammar, like Black's, makes an argument of `pattern as name` too.
        if (hasKeyword) reject(tree, child);
        checkPattern(tree, child);
        hasPositional = true;
        continue;
      }
      // Behind patterns CPython's parser takes `_` for another one and does not come back.
      if (hasPositional && !hasKeyword && tree.text(name!) === "_") reject(tree, sign!);
      if (tree.kind[name!] !== K.NAME || tree.kind[sign!] !== K.EQUAL) reject(tree, child);
      checkPattern(tree, value!);
      hasKeyword = true;
    } else if (hasKeyword) reject(tree, child);
    else {
      checkPattern(tree, child);
      hasPositional = true;
    }
  }
}

/** `name.name`, up to a trailer that is not looked at. */
function isDottedName(tree: Tree, id: number, end: number): boolean {
  if (tree.kind[id] !== K.power || tree.kind[tree.first[id]!] !== K.NAME) return false;
  for (let at = tree.next[tree.first[id]!]!; at !== end; at = tree.next[at]!)
    if (tree.kind[at] !== K.trailer || tree.kind[tree.first[at]!] !== K.DOT) return false;
  return true;
}

/** A text, a constant, or a number that may have a sign or an imaginary part. */
function isLiteral(tree: Tree, id: number): boolean {
  switch (tree.kind[id]) {
    case K.STRING:
    case K.KW_NONE:
    case K.KW_TRUE:
    case K.KW_FALSE:
      return true;
    case K.atom:
      return tree.kind[tree.first[id]!] === K.STRING;
    case K.arith_expr: {
      const [real, , imaginary, more] = tree.children(id);
      return (
        more === undefined &&
        isSignedNumber(tree, real!) &&
        !isImaginary(tree, real!) &&
        tree.kind[imaginary!] === K.NUMBER &&
        isImaginary(tree, imaginary!)
      );
    }
    default:
      return isSignedNumber(tree, id);
  }
}

function isSignedNumber(tree: Tree, id: number): boolean {
  if (tree.kind[id] === K.NUMBER) return true;
  return (
    tree.kind[id] === K.factor &&
    tree.kind[tree.first[id]!] === K.MINUS &&
    tree.kind[tree.last[id]!] === K.NUMBER
  );
}

function isImaginary(tree: Tree, id: number): boolean {
  const number = tree.kind[id] === K.factor ? tree.last[id]! : id;
  return /j$/i.test(tree.text(number));
}

function reject(tree: Tree, id: number): never {
  throw new SourceSyntaxError("invalid syntax", lineOf(tree, id));
}

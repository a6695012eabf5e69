import { TextFlag, type Tree } from "../../syntax/tree.ts";
import { decodeEscapes, EscapeError } from "../literals/decode-escapes.ts";
import { literalText } from "../literals/parts-of-literal.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { lineOf } from "./line-of.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

const NUMBER =
  /^(?:0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:0(?:_?0)*|[1-9](?:_?[0-9])*)|(?:(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*|[0-9](?:_?[0-9])*\.)(?:[eE][-+]?[0-9](?:_?[0-9])*)?[jJ]?|[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)[jJ]?|[0-9](?:_?[0-9])*[jJ])$/;

/** Checks a number's spelling: no leading zeros, no `L`, underscores only between digits. */
export function checkNumber(tree: Tree, leaf: number): void {
  if (isPlainInteger(tree.source, tree.start[leaf]!, tree.end[leaf]!)) return;
  const text = tree.text(leaf);
  const next = tree.source.charCodeAt(tree.end[leaf]!);
  if (
    isIdentifierCharacter(next) &&
    !WORD_BEHIND_NUMBER.test(tree.source.slice(tree.end[leaf]!, tree.end[leaf]! + 4))
  )
    throw new SourceSyntaxError(`invalid ${nameOfNumber(text)} literal`, tree.line[leaf]!, "tokenizer");
  if (NUMBER.test(text)) return;
  const message = /^0[0-9_]+$/.test(text)
    ? "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
    : "invalid decimal literal";
  throw new SourceSyntaxError(message, tree.line[leaf]!, "tokenizer");
}

/** Whether the range is a decimal integer that no letter follows. */
function isPlainInteger(source: string, start: number, end: number): boolean {
  if (source.charCodeAt(start) === 48 && end > start + 1) return false;
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return !isIdentifierCharacter(source.charCodeAt(end));
}

/** Keywords that may follow a number without a space (CPython: `verify_end_of_number`). */
const WORD_BEHIND_NUMBER = /^(?:and|else|for|i[fns]|or|not)/;

function isIdentifierCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

function nameOfNumber(text: string): string {
  if (/^0x/i.test(text)) return "hexadecimal";
  if (/^0o/i.test(text)) return "octal";
  if (/^0b/i.test(text)) return "binary";
  return /j$/i.test(text) ? "imaginary" : "decimal";
}

/** Checks that a name holds nothing but letters, digits and what counts as such. */
export function checkName(tree: Tree, leaf: number): void {
  if ((tree.textFlags[leaf]! & TextFlag.NON_ASCII) === 0) return;
  const wrong = [...tree.text(leaf)].find((character, i) =>
    i === 0 ? !/[\p{XIDS}_]/u.test(character) : !/\p{XIDC}/u.test(character),
  );
  if (wrong === undefined) return;
  const code = `U+${wrong.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const isPrintable = !/[\p{C}\p{Z}]/u.test(wrong);
  throw new SourceSyntaxError(
    isPrintable ? `invalid character '${wrong}' (${code})` : `invalid non-printable character ${code}`,
    tree.line[leaf]!,
    "tokenizer",
  );
}

/** Checks a string's prefix and escapes, and that bytes hold ASCII only. */
export function checkString(tree: Tree, leaf: number): void {
  const line = tree.line[leaf]!;
  if (isUnprefixed(tree, leaf)) {
    if ((tree.textFlags[leaf]! & TextFlag.BACKSLASH) !== 0) checkEscapes(tree.text(leaf), false, line);
    return;
  }
  const text = tree.text(leaf);
  const prefix = /^[A-Za-z]*/.exec(text)![0].toLowerCase();
  if (!["r", "u", "b", "br", "rb"].includes(prefix)) throw new SourceSyntaxError("invalid syntax", line);
  if (prefix.includes("b") && (tree.textFlags[leaf]! & TextFlag.NON_ASCII) !== 0)
    throw new SourceSyntaxError("bytes can only contain ASCII literal characters", line);
  const literal = splitLiteral(text);
  if (!literal.isRaw) checkEscapes(literal.body, literal.isBytes, line);
}

function isUnprefixed(tree: Tree, id: number): boolean {
  const first = tree.source.charCodeAt(tree.start[tree.firstLeaf(id)]!);
  return first === 34 || first === 39;
}

/** Checks the escapes of a text that is not raw; quotes round it do no harm. */
export function checkEscapes(text: string, isBytes: boolean, line: number): void {
  if (!mayHoldBadEscape(text)) return;
  try {
    decodeEscapes(text, isBytes);
  } catch (error) {
    if (error instanceof EscapeError) throw new SourceSyntaxError(error.message, line);
    throw error;
  }
}

/** Whether there is an escape that needs a certain form: `\x`, `\u`, `\U` or `\N`. */
function mayHoldBadEscape(text: string): boolean {
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", at + 2)) {
    const code = text.charCodeAt(at + 1);
    if (code === 120 || code === 117 || code === 85 || code === 78) return true;
  }
  return false;
}

/** Strings side by side must be all bytes or all text, and templates stay among themselves. */
export function checkConcatenation(tree: Tree, atom: number): void {
  const leaves = tree.children(atom);
  if (leaves.every((leaf) => isUnprefixed(tree, leaf))) return;
  const literals = leaves.map((leaf) => splitLiteral(literalText(tree, leaf)));
  // CPython complains when it has seen the token behind them.
  const line = lineOf(tree, tree.nextLeaf(atom));
  if (literals.some((literal) => literal.isBytes) && !literals.every((literal) => literal.isBytes))
    throw new SourceSyntaxError("cannot mix bytes and nonbytes literals", line);
  const isTemplate = (literal: { interpolation: string }): boolean => literal.interpolation === "t";
  if (literals.some(isTemplate) && !literals.every(isTemplate))
    throw new SourceSyntaxError("cannot mix t-string literals with string or bytes literals", line);
}

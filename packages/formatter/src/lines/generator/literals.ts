/** String and number leaves (`linegen.py` visit_STRING, visit_NUMBER, visit_fstring, visit_tstring). */
import { hasPreview } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { formatDocstring, hasContinuationLine } from "../../normalize/docstring.ts";
import { normalizeNumericLiteral } from "../../normalize/numbers.ts";
import { hasBackslashInField } from "../../normalize/strings/interpolation.ts";
import { normalizeStringPrefix } from "../../normalize/strings/prefix.ts";
import { normalizeStringQuotes } from "../../normalize/strings/quotes.ts";
import { normalizeUnicodeEscapes } from "../../normalize/strings/unicode-escapes.ts";
import { isDocstring } from "../../syntax/predicates/strings.ts";
import { TextFlag } from "../../syntax/tree.ts";
import type { Generation } from "./visitor.ts";

export function prepareNumber(generator: Generation, leaf: number): void {
  const { tree } = generator;
  const literal = tree.text(leaf);
  const normalized = normalizeNumericLiteral(literal);
  if (normalized !== literal) tree.setText(leaf, normalized);
}

/** Escapes, then a docstring's layout, then prefix and quotes; an escape within an f-string's field stops all. */
export function prepareString(generator: Generation, leaf: number): void {
  const { tree, mode } = generator;
  const literal = tree.text(leaf);
  // A directive has taken what is behind the string with it.
  if (!endsInQuote(literal)) return;
  if ((tree.textFlags[leaf]! & TextFlag.HOLDS_EXPRESSION) !== 0) generator.noteExpressionString(leaf);
  if ((tree.textFlags[leaf]! & TextFlag.INTERPOLATED) !== 0 && hasBackslashInField(literal)) return;
  let text = normalizeUnicodeEscapes(literal);
  if (isDocstring(tree, leaf) && !hasContinuationLine(text)) {
    text = formatDocstring(text, generator.current.depth, mode);
  }
  if (mode.stringNormalization) {
    text = normalizeStringPrefix(text, hasPreview(mode, Preview.normalize_tstring_prefix));
    text = normalizeStringQuotes(text);
  }
  if (text !== literal) tree.setText(leaf, text);
}

function endsInQuote(literal: string): boolean {
  const last = literal.charCodeAt(literal.length - 1);
  return last === 0x22 || last === 0x27;
}

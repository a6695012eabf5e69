import { Kind as K } from "../../syntax/kinds.ts";
import { decodeEscapes } from "../literals/decode-escapes.ts";
import { normalizeDocstring } from "../literals/normalize-docstring.ts";
import { debugText, interpolationText, literalText, partsOfLiteral } from "../literals/parts-of-literal.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { AstNode } from "./ast-sink.ts";
import type { LoweringContext } from "./lowering-context.ts";

/**
 * Tells the sink the value of one or more strings side by side, which are one string to Python.
 *
 * @param ids leaves, or nodes of the parts of f-strings
 * @param isStandalone the string is a statement: the white space of its lines does not count.
 */
export function lowerStrings(lowering: LoweringContext, ids: readonly number[], isStandalone: boolean): void {
  const { tree, sink } = lowering;
  const literals = ids.map((id) => splitLiteral(literalText(tree, id)));
  const isBytes = literals.some((literal) => literal.isBytes);
  const isTemplate = literals.some((literal) => literal.interpolation === "t");
  sink.open(isBytes ? AstNode.bytes : isTemplate ? AstNode.template : AstNode.string);
  let text = "";
  const flush = (): void => {
    if (text !== "") sink.value(text);
    text = "";
  };
  let hasFields = false;
  for (const [index, { isRaw, interpolation, body }] of literals.entries()) {
    if (interpolation === "") {
      text += isRaw ? body : decodeEscapes(body, isBytes);
      continue;
    }
    hasFields = true;
    for (const part of tree.children(partsOfLiteral(tree, ids[index]!))) {
      if (tree.kind[part] === K.FSTRING_MIDDLE)
        text += decoded(tree.text(part).replaceAll("{{", "{").replaceAll("}}", "}"), isRaw);
      else if (tree.kind[part] === K.fstring_replacement_field) {
        text += decoded(debugText(tree, part) ?? "", isRaw);
        flush();
        if (interpolation === "t") sink.value(interpolationText(tree, part));
        lowerField(lowering, part, isRaw);
      }
    }
  }
  if (isStandalone && !hasFields && !isBytes) text = normalizeDocstring(text);
  flush();
  sink.close();
}

function decoded(text: string, isRaw: boolean): string {
  return isRaw ? text : decodeEscapes(text, false);
}

function lowerField(lowering: LoweringContext, field: number, isRaw: boolean): void {
  const { tree, sink } = lowering;
  sink.open(AstNode.field);
  const expression = tree.next[tree.first[field]!]!;
  lowering.lower(expression);
  let isFormat = false;
  for (let child = tree.next[expression]!; tree.kind[child] !== K.RBRACE; child = tree.next[child]!) {
    const kind = tree.kind[child]!;
    if (kind === K.COLON) {
      isFormat = true;
      sink.open(AstNode.format);
    } else if (kind === K.fstring_replacement_field) {
      const text = debugText(tree, child);
      // CPython leaves its escapes as they are.
      if (text !== undefined) sink.value(text);
      lowerField(lowering, child, isRaw);
    } else if (kind === K.FSTRING_MIDDLE) {
      const text = decoded(tree.text(child), isRaw);
      if (text !== "") sink.value(text);
    } else sink.value(tree.text(child));
  }
  if (isFormat) sink.close();
  sink.close();
}

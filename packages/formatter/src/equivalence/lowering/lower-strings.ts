import { decodeEscapes } from "../literals/decode-escapes.ts";
import { type InterpolatedPart, interpolatedParts } from "../literals/interpolated-parts.ts";
import { normalizeDocstring } from "../literals/normalize-docstring.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { AstNode } from "./ast-sink.ts";
import type { LoweringContext } from "./lowering-context.ts";

/**
 * Tells the sink the value of one or more string leaves side by side, which are one string to Python.
 *
 * @param isStandalone the string is a statement: the white space of its lines does not count.
 */
export function lowerStrings(
  lowering: LoweringContext,
  leaves: readonly number[],
  isStandalone: boolean,
): void {
  const { tree, sink } = lowering;
  const literals = leaves.map((leaf) => splitLiteral(tree.text(leaf)));
  const isBytes = literals.some((literal) => literal.isBytes);
  const isTemplate = literals.some((literal) => literal.interpolation === "t");
  sink.open(isBytes ? AstNode.bytes : isTemplate ? AstNode.template : AstNode.string);
  let text = "";
  const flush = (): void => {
    if (text !== "") sink.value(text);
    text = "";
  };
  let hasFields = false;
  for (const literal of literals) {
    if (literal.interpolation === "") {
      text += literal.isRaw ? literal.body : decodeEscapes(literal.body, literal.isBytes);
      continue;
    }
    hasFields = true;
    for (const part of interpolatedParts(literal.body, literal.isRaw)) {
      if (part.kind === "text") text += fieldText(part.source, literal.isRaw, true);
      else {
        if (part.isDebug) text += part.expression;
        flush();
        lowerField(lowering, part, literal.isRaw);
      }
    }
  }
  if (isStandalone && !hasFields && !isBytes) text = normalizeDocstring(text);
  flush();
  sink.close();
}

function fieldText(source: string, isRaw: boolean, hasDoubledBraces: boolean): string {
  const decoded = isRaw ? source : decodeEscapes(source, false);
  return hasDoubledBraces ? decoded.replaceAll("{{", "{").replaceAll("}}", "}") : decoded;
}

function lowerField(
  lowering: LoweringContext,
  field: Extract<InterpolatedPart, { kind: "field" }>,
  isRaw: boolean,
): void {
  const { sink } = lowering;
  sink.open(AstNode.field);
  lowering.expression(field.isDebug ? field.expression.replace(/=\s*$/, "") : field.expression);
  sink.value(`${field.isDebug ? "=" : ""}!${field.conversion}`);
  if (field.format !== undefined) {
    sink.open(AstNode.format);
    for (const part of field.format)
      if (part.kind === "text") sink.value(fieldText(part.source, isRaw, false));
      else lowerField(lowering, part, isRaw);
    sink.close();
  }
  sink.close();
}

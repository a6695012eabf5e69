/** Blank lines after imports (`lines.py` _maybe_empty_lines, its last part). */
import { hasPreview, type Mode } from "../../mode/mode.ts";
import { Preview } from "../../mode/preview.ts";
import { Kind } from "../../syntax/kinds.ts";
import { isImport } from "../../syntax/predicates/statements.ts";
import { NONE } from "../../syntax/tree.ts";
import { convertedFirstLeaf } from "./converted.ts";
import { type LineFacts, Trait } from "./line-facts.ts";

/** Blank lines before a line that is no definition; `before` is what the other rules say. */
export function afterImport(mode: Mode, line: LineFacts, previousLine: LineFacts, before: number): number {
  if (!previousLine.is(Trait.IMPORT)) return before;
  const isTopLevel = previousLine.depth === 0 && line.depth === 0;
  const converted = convertedFirstLeaf(line);
  if (
    isTopLevel &&
    converted !== NONE &&
    line.tree.kind[converted] === Kind.KW_CLASS &&
    hasPreview(mode, Preview.fmt_off_class_blank_lines)
  ) {
    return 2;
  }
  if (line.is(Trait.IMPORT) || (converted !== NONE && isImport(line.tree, converted))) return before;
  if (isTopLevel) return 1;
  return line.depth === previousLine.depth ? before || 1 : before;
}

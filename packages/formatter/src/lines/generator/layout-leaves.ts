/** Leaves that end lines or change the indentation (`linegen.py` visit_INDENT, visit_DEDENT, visit_SEMI, visit_ENDMARKER). */
import type { Generation } from "./visitor.ts";

export function visitIndent(generator: Generation, leaf: number): void {
  generator.line(+1);
  generator.visitDefault(leaf);
}

/** A dedent has no text, but its prefix may hold comments of the level that it ends. */
export function visitDedent(generator: Generation, leaf: number): void {
  generator.line();
  generator.visitDefault(leaf);
  generator.line(-1);
}

/** The semicolon goes; what follows it gets a line of its own. */
export function visitSemicolon(generator: Generation): void {
  generator.line();
}

export function visitEndmarker(generator: Generation, leaf: number): void {
  generator.visitDefault(leaf);
  generator.line();
}

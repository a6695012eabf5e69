import type { Doc, Printer } from "prettier";
import { builders } from "prettier/doc";
import type { FormattedSource } from "./parser.ts";

const { hardline, literalline } = builders;

/** Prints the formatted text as it is; within Markdown the lines are indented with their surroundings. */
export const printer: Printer<FormattedSource> = {
  print: ({ node }) => linesOf(node.formatted),
};

/**
 * Prettier strips what stands before an ordinary line end, and ends of lines in strings must keep it. A literal line
 * end keeps it, but gives empty lines of an indented block their indentation; so each is used where it does no harm.
 */
function linesOf(text: string): Doc {
  const lines = text.split("\n");
  return lines.flatMap((line, index): Doc[] => {
    if (index === lines.length - 1) return [line];
    return [line, /\s$/.test(line) ? literalline : hardline];
  });
}

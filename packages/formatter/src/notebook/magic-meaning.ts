import { words } from "../util/python-text.ts";

/**
 * `magic`: text that Black masks and later restores, at a statement or as an assigned value.
 * `code`: plain Python that IPython puts there (`,f a` becomes `f("a")`), which Black formats.
 * `unsupported`: a rewrite that makes Black leave the cell alone.
 */
export type MagicMeaning =
  | { readonly kind: "magic"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "unsupported" };

/** IPython itself stops rewriting a cell after so many steps (TRANSFORM_LOOP_LIMIT). */
export const MAX_MAGICS = 500;

/** Each of them takes a step, so that the limit is exceeded before the last. */
const TOO_MANY_MARKS = new RegExp(`^[,;/]{${MAX_MAGICS + 1}}`);

/** A rewrite that no mask can stand for. */
export const unsupported: MagicMeaning = { kind: "unsupported" };

/** What a line stands for that begins with one of IPython's escapes (IPython: EscapedCommand). */
export function escapedMeaning(line: string): MagicMeaning {
  if (line.startsWith("!")) return { kind: "magic", text: line };
  if (line.startsWith("?")) {
    const mark = line.startsWith("??") ? "??" : "?";
    return helpMeaning(line.slice(mark.length), mark);
  }
  if (line.startsWith("%")) return { kind: "magic", text: statementMagicText(line.slice(1)) };
  return TOO_MANY_MARKS.test(line) ? unsupported : quotedCall(line[0]!, line.slice(1));
}

/** `,f a b` is `f("a", "b")`, `;f a b` is `f("a b")`, `/f a b` is `f(a, b)`. */
function quotedCall(mark: string, content: string): MagicMeaning {
  const space = content.indexOf(" ");
  const name = space === -1 ? content : content.slice(0, space);
  const args = space === -1 ? "" : content.slice(space + 1);
  const parts = words(args);
  if (mark === ",") return { kind: "code", text: `${name}("${parts.join('", "')}")` };
  if (mark === ";") return { kind: "code", text: `${name}("${args}")` };
  return name === "" ? unsupported : { kind: "code", text: `${name}(${parts.join(", ")})` };
}

/** Help is printed back with the question mark in front; a pattern becomes a search (Black: MagicFinder.visit_Expr). */
export function helpMeaning(target: string, mark: string): MagicMeaning {
  if (target === "") return unsupported;
  if (mark === "?" && target.includes("*")) return { kind: "magic", text: `%psearch ${target}` };
  return { kind: "magic", text: mark + target };
}

/** A line magic at a statement: `%pinfo x` is printed back as `?x`. */
function statementMagicText(content: string): string {
  const space = content.indexOf(" ");
  const name = space === -1 ? content : content.slice(0, space);
  const args = space === -1 ? "" : content.slice(space + 1);
  if (name === "pinfo") return `?${args}`;
  if (name === "pinfo2") return `??${args}`;
  return lineMagicText(content);
}

/** `%name args`; a name without arguments loses the space behind it. */
export function lineMagicText(content: string): string {
  return `%${content.endsWith(" ") && content.indexOf(" ") === content.length - 1 ? content.slice(0, -1) : content}`;
}

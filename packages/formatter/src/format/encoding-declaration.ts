/** Encoding declarations (PEP 263) before and after formatting (`black/__init__.py` _keep_encoding_declaration_ignored). */

/** A line that declares an encoding, with its name (Python: `tokenize.cookie_re`). */
export const declaration = /^[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)/;
const blankOrComment = /^[ \t\f]*(?:[#\r\n]|$)/;

/** The name of the encoding that Python would read the text with, spelled as in its declaration. */
export function declaredEncoding(text: string): string {
  const firstEnd = lineEnd(text, 0);
  const first = text.slice(0, firstEnd);
  const match =
    declaration.exec(first) ??
    (blankOrComment.test(first) ? declaration.exec(text.slice(firstEnd, lineEnd(text, firstEnd))) : null);
  return match === null ? "utf-8" : normalName(match[1]!);
}

function lineEnd(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at === -1 ? text.length : at + 1;
}

/** The common spellings of two encodings (Python: `tokenize._get_normal_name`). */
export function normalName(name: string): string {
  const folded = name.slice(0, 12).toLowerCase().replaceAll("_", "-");
  if (folded === "utf-8" || folded.startsWith("utf-8-")) return "utf-8";
  if (/^(latin-1|iso-8859-1|iso-latin-1)(-|$)/.test(folded)) return "iso-8859-1";
  return name;
}

/**
 * The output with up to two blank lines before it, where without them a declaration that Python ignores, because it
 * stands below the second line, would move up and take effect.
 */
export function keepDeclarationIgnored(source: string, output: string): string {
  if (!hasDeclarationAtTop(output)) return output;
  const wanted = declaredEncoding(source);
  for (let blank = 0; blank <= 2; blank++) {
    const retained = "\n".repeat(blank) + output;
    if (declaredEncoding(retained) === wanted) return retained;
  }
  return output;
}

/** A cheap test that leaves nearly every file alone. */
export function hasDeclarationAtTop(output: string): boolean {
  return output.lastIndexOf("coding", lineEnd(output, lineEnd(output, 0)) - 1) !== -1;
}

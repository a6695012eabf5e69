/** How the lines of a file end. */
export type Newline = "\n" | "\r\n" | "\r";

/** A lone CR anywhere in the text up to the first LF makes CR the file's line end (Black: decode_bytes). */
export function newlineOfFirstLine(contents: string): Newline {
  const firstCr = contents.indexOf("\r");
  if (firstCr === -1) return "\n";
  const firstLf = contents.indexOf("\n");
  if (firstLf === -1 || firstCr < firstLf - 1) return "\r";
  return firstCr === firstLf - 1 ? "\r\n" : "\n";
}

/** The text with LF alone. */
export function withLf(contents: string): string {
  return contents.includes("\r") ? contents.replace(/\r\n?/g, "\n") : contents;
}

/** Text of LF lines with another line end. */
export function withNewline(contents: string, newline: Newline): string {
  return newline === "\n" ? contents : contents.replaceAll("\n", newline);
}

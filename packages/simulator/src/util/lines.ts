const NEWLINE = 0x0a;

/**
 * The lines of a byte stream without their ends (LF or CR LF), decoded as UTF-8. Unlike `node:readline` it
 * does not end a line at U+2028, which JSON text may hold.
 */
export async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  for await (const piece of source) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      parts.push(piece.subarray(from, end));
      yield decoded(parts);
      parts = [];
      from = end + 1;
    }
    if (from < piece.length) parts.push(piece.subarray(from));
  }
  if (parts.length > 0) yield decoded(parts);
}

function decoded(parts: readonly Uint8Array[]): string {
  const text = Buffer.concat(parts).toString("utf8");
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

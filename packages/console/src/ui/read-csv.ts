const QUOTE = 34;
const LINE_FEED = 10;

/** Reads CSV that comes little by little, and tells how many rows behind the head have come. */
export async function readCsv(
  { body }: Response,
  tell: (rows: number) => void,
): Promise<{ content: Blob; rows: number }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let lines = 0;
  let isQuoted = false;
  const reader = body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    for (const byte of value) {
      // A quoted cell may have lines of its own.
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) lines += 1;
    }
    tell(Math.max(0, lines - 1));
  }
  return { content: new Blob(parts, { type: "text/csv" }), rows: Math.max(0, lines - 1) };
}

/** The bytes of a Python literal such as `b'a\xff\n'`. */
export function parseBytesLiteral(literal: string): Buffer {
  const body = literal.slice(2, -1);
  const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", "\\": "\\", "'": "'", '"': '"' };
  const text = body.replace(/\\(x[0-9a-f]{2}|.)/gs, (_, code: string) =>
    code.startsWith("x")
      ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
      : (escapes[code] ?? `\\${code}`),
  );
  return Buffer.from(text, "latin1");
}

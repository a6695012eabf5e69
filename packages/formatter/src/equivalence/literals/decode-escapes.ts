const simple: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** A malformed escape sequence, in Python's words. */
export class EscapeError extends Error {
  override name = "EscapeError";
}

/**
 * The value of a literal's body: escapes decoded as Python decodes them; `\N{...}` stays as it is, upper-cased.
 *
 * @throws {EscapeError} for a truncated `\x`, `\u` or `\U`, or one beyond Unicode.
 */
export function decodeEscapes(body: string, isBytes: boolean): string {
  let next = body.indexOf("\\");
  if (next === -1) return body;
  let out = "";
  let from = 0;
  while (next !== -1) {
    out += body.slice(from, next);
    const { value, length } = readEscape(body, next, isBytes);
    out += value;
    from = next + length;
    next = body.indexOf("\\", from);
  }
  return out + body.slice(from);
}

function readEscape(body: string, at: number, isBytes: boolean): { value: string; length: number } {
  const letter = body[at + 1] ?? "";
  const known = simple[letter];
  if (known !== undefined) return { value: known, length: 2 };
  if (letter === "\n" || letter === "") return { value: "", length: 2 };
  if (letter >= "0" && letter <= "7") {
    const digits = /^[0-7]{1,3}/.exec(body.slice(at + 1, at + 4))![0];
    const code = Number.parseInt(digits, 8);
    return { value: String.fromCharCode(isBytes ? code & 0xff : code), length: 1 + digits.length };
  }
  if (letter === "x") return readHex(body, at, 2);
  if (isBytes) return { value: `\\${letter}`, length: 2 };
  if (letter === "u") return readHex(body, at, 4);
  if (letter === "U") return readHex(body, at, 8);
  if (letter === "N") return readNamed(body, at);
  return { value: `\\${letter}`, length: 2 };
}

function readHex(body: string, at: number, digits: number): { value: string; length: number } {
  const text = body.slice(at + 2, at + 2 + digits);
  const name = `\\${body[at + 1]}${"X".repeat(digits)}`;
  if (!/^[0-9A-Fa-f]+$/.test(text) || text.length < digits)
    throw new EscapeError(
      `(unicode error) 'unicodeescape' codec can't decode bytes: truncated ${name} escape`,
    );
  const code = Number.parseInt(text, 16);
  if (code > 0x10ffff)
    throw new EscapeError(
      "(unicode error) 'unicodeescape' codec can't decode bytes: illegal Unicode character",
    );
  return { value: String.fromCodePoint(code), length: 2 + digits };
}

/** Names are compared without their case, as Python looks them up; their characters are not needed. */
function readNamed(body: string, at: number): { value: string; length: number } {
  const match = /^\\N\{([^{}]+)\}/.exec(body.slice(at, at + 128));
  if (match === null)
    throw new EscapeError(
      "(unicode error) 'unicodeescape' codec can't decode bytes: malformed \\N character escape",
    );
  return { value: `\\N{${match[1]!.toUpperCase()}}`, length: match[0].length };
}

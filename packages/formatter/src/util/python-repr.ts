/** A value as TOML gives it, as Python prints it: `str(value)` for what configuration files can hold. */
export function pythonStr(value: unknown): string {
  if (typeof value === "string") return value;
  return value instanceof Date ? strDate(value) : pythonRepr(value);
}

/** Of `2020-01-01T07:32:00.500Z`, `2020-01-01` or `07:32:00.000`: a space before the time, six decimals or none. */
function strDate(value: Date): string {
  const text = value.toISOString().replace("T", " ").replace("Z", "+00:00");
  return text.replace(/\.(\d{3})/, (_, digits: string) => (digits === "000" ? "" : `.${digits}000`));
}

/** Python's `repr` of strings, numbers, booleans, lists and tables; big integers are Python's `int`. */
export function pythonRepr(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return floatRepr(value);
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value === "object" && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([key, member]) => `${quote(key)}: ${pythonRepr(member)}`);
    return `{${entries.join(", ")}}`;
  }
  return String(value);
}

/** A float as Python's `repr` writes it: with an exponent below -4 and from 16 on, otherwise with a point. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  if (Number(exponent) < -4 || Number(exponent) > 15)
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  if (Object.is(value, -0)) return "-0.0";
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** What Python's `repr` escapes: all but letters, marks, numbers, punctuation, symbols and the space itself. */
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/u;

/** Single quotes, unless the text holds only those; what cannot be printed is escaped. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = "";
  for (const character of text) {
    if (character === mark || character === "\\") out += `\\${character}`;
    else if (character === "\n") out += "\\n";
    else if (character === "\r") out += "\\r";
    else if (character === "\t") out += "\\t";
    else if (UNPRINTABLE.test(character)) out += escaped(character.codePointAt(0)!);
    else out += character;
  }
  return `${mark}${out}${mark}`;
}

function escaped(code: number): string {
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

/** A value as TOML gives it, as Python prints it: `str(value)` for what configuration files can hold. */
export function pythonStr(value: unknown): string {
  return typeof value === "string" ? value : pythonRepr(value);
}

/** Python's `repr` of strings, numbers, booleans, lists and tables; big integers are Python's `int`. */
export function pythonRepr(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return reprFloat(value);
  if (value === null || value === undefined) return "None";
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(", ")}]`;
  if (typeof value === "object" && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([key, member]) => `${quote(key)}: ${pythonRepr(member)}`);
    return `{${entries.join(", ")}}`;
  }
  return String(value);
}

function reprFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? value.toFixed(1) : String(value);
}

/** Single quotes, unless the text holds only those; control characters escaped. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let out = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (character === mark || character === "\\") out += `\\${character}`;
    else if (character === "\n") out += "\\n";
    else if (character === "\r") out += "\\r";
    else if (character === "\t") out += "\\t";
    else if (code < 0x20 || (code >= 0x7f && code < 0xa1) || code === 0xad)
      out += `\\x${code.toString(16).padStart(2, "0")}`;
    else out += character;
  }
  return `${mark}${out}${mark}`;
}

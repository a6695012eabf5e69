/** Numeric literals (`numerics.py` normalize_numeric_literal). */

/**
 * The literal with lower-case letters and a digit on both sides of its point; the digits of a hexadecimal number
 * are upper-case instead. Octal and binary numbers change in the case of their letters alone.
 */
export function normalizeNumericLiteral(literal: string): string {
  if (isPlainInteger(literal)) return literal;
  const text = literal.toLowerCase();
  if (text.startsWith("0o") || text.startsWith("0b")) return text;
  if (text.startsWith("0x")) return `0x${text.slice(2).toUpperCase()}`;
  if (text.includes("e")) return formatScientific(text);
  if (text.endsWith("j")) return `${formatFloatOrInt(text.slice(0, -1))}j`;
  return formatFloatOrInt(text);
}

function isPlainInteger(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}

/** `1.e+5` becomes `1.0e5` (`format_scientific_notation`). */
function formatScientific(text: string): string {
  const at = text.indexOf("e");
  let exponent = text.slice(at + 1);
  if (exponent.startsWith("+")) exponent = exponent.slice(1);
  return `${formatFloatOrInt(text.slice(0, at))}e${exponent}`;
}

/** `.5` becomes `0.5`, `5.` becomes `5.0` (`format_float_or_int_string`). */
function formatFloatOrInt(text: string): string {
  const point = text.indexOf(".");
  if (point === -1) return text;
  return `${text.slice(0, point) || "0"}.${text.slice(point + 1) || "0"}`;
}

import { containsFexpr } from "../fexpr-spans.ts";

/**
 * The literal without `f` in its prefix, and with single braces, if it has no replacement field
 * (Black: _normalize_f_string). `prefix` is the literal's prefix in lower case.
 */
export function withoutPointlessF(literal: string, prefix: string): string {
  if (!prefix.includes("f") || containsFexpr(literal)) return literal;
  const rest = literal.slice(prefix.length).replaceAll("{{", "{").replaceAll("}}", "}");
  return prefix.replaceAll("f", "") + rest;
}

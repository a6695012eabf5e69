import { stringPrefixLength } from "../../syntax/predicates/strings.ts";

/**
 * The literal with its prefix letters in lower case, `r` and `R` first and as they were, and without `u`
 * (`strings.py` normalize_string_prefix).
 *
 * @param lowerTemplate whether `T` becomes `t` too (preview feature normalize_tstring_prefix)
 */
export function normalizeStringPrefix(literal: string, lowerTemplate: boolean): string {
  const length = stringPrefixLength(literal);
  if (length === 0) return literal;
  const prefix = normalizedPrefix(literal, length, lowerTemplate);
  return literal.startsWith(prefix) && prefix.length === length ? literal : prefix + literal.slice(length);
}

function normalizedPrefix(literal: string, length: number, lowerTemplate: boolean): string {
  let prefix = "";
  for (let i = 0; i < length; i++) {
    const letter = literal[i]!;
    if (letter === "u" || letter === "U") continue;
    if (letter === "F" || letter === "B" || (letter === "T" && lowerTemplate)) prefix += letter.toLowerCase();
    else prefix += letter;
  }
  const swaps = prefix.length === 2 && prefix[0] !== "r" && prefix[0] !== "R";
  return swaps ? prefix[1]! + prefix[0]! : prefix;
}

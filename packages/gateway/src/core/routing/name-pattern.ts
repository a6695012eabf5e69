import { literalLength } from "../../util/wildcard.ts";

/**
 * What the stars of a pattern stand for in a name, in order; `undefined` when the name does not fit. A star takes as
 * little as the text after it allows, the last one all that is left.
 */
export function captureStars(pattern: string, name: string): string[] | undefined {
  const parts = pattern.split("*");
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  if (parts.length === 1) return pattern === name ? [] : undefined;
  if (!name.startsWith(first) || !name.endsWith(last)) return undefined;
  const end = name.length - last.length;
  let from = first.length;
  if (from > end) return undefined;
  const captured: string[] = [];
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1 || at + part.length > end) return undefined;
    captured.push(name.slice(from, at));
    from = at + part.length;
  }
  captured.push(name.slice(from, end));
  return captured;
}

/** A template with its stars replaced in order; a template with more stars than texts keeps the last text for them. */
export function fillStars(template: string, texts: readonly string[]): string {
  let index = 0;
  return template.replace(/\*/g, () => texts[Math.min(index++, texts.length - 1)] ?? "");
}

/** Orders patterns so that the one with more literal text comes first: `anthropic/claude-*` before `anthropic/*`. */
export function bySpecificity(a: string, b: string): number {
  return literalLength(b) - literalLength(a);
}

/** Whether a name fits a pattern in which `*` stands for any text, also none. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === name;
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let from = first.length;
  const end = name.length - last.length;
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}

/** Characters of a pattern that stand for themselves; of several patterns the one with the most goes first. */
export function literalLength(pattern: string): number {
  return pattern.replaceAll("*", "").length;
}

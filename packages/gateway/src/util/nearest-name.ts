/** Longest name that is compared: callers choose it, and the time that it takes grows with it. */
const MAX_COMPARED = 64;

/** The name most like a misspelt one, when one is close enough to be what was meant. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  if (name.length > MAX_COMPARED) return undefined;
  const limit = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of names) {
    const distance = editDistance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** `; did you mean ...?` to end a sentence with, or what is said where no name is near. */
export function nameHint(name: string, names: Iterable<string>, otherwise = ""): string {
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `; did you mean ${nearest}?`;
  return otherwise === "" ? "" : `; ${otherwise}`;
}

/** Levenshtein's distance. */
export function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const substitution = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[right.length]!;
}

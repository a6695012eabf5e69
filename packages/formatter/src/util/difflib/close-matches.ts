import { similarity } from "./sequence-matcher.ts";

/** Up to three of the words that resemble the given one, best first (Python: `difflib.get_close_matches`). */
export function closeMatches(word: string, words: readonly string[]): string[] {
  const characters = [...word];
  return words
    .map((candidate) => ({ candidate, score: similarity([...candidate], characters) }))
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score || (a.candidate < b.candidate ? 1 : -1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

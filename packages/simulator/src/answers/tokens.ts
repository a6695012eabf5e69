/** Characters per token of the simulator's own, simple rule. */
const CHARACTERS_PER_TOKEN = 4;

/** Tokens charged for an image or another part without text. */
export const TOKENS_PER_IMAGE = 85;

/** Tokens of a text: its length in UTF-16 units divided by four, rounded up. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Cuts a text into the pieces that a stream sends, one token each, never through a surrogate pair. */
export function tokenPieces(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + CHARACTERS_PER_TOKEN, text.length);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < text.length) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** The first tokens of a text. */
export function firstTokens(text: string, tokens: number): string {
  return tokens * CHARACTERS_PER_TOKEN >= text.length ? text : tokenPieces(text).slice(0, tokens).join("");
}

const filler = ["the ", "old ", "man ", "and ", "his ", "dog ", "sit ", "low ", "far ", "sea "] as const;

/** A text of exactly so many tokens. */
export function textOfTokens(tokens: number): string {
  const words: string[] = [];
  for (let index = 0; index < tokens; index++) words.push(filler[index % filler.length] ?? "the ");
  return words.join("");
}

/** Longer stretches without a space are rare in text, but cost the encoder time that grows with their square. */
const MAX_WORD = 2000;
const longRun = new RegExp(`[^\\s]{${MAX_WORD},}`);
/** Characters of one token in what is no text, such as base64. */
const CHARACTERS_PER_TOKEN = 2;

let counter: Promise<(text: string) => number> | undefined;

/** Tokens of texts in OpenAI's o200k encoding. Its tables, about 60 MB in memory, are loaded at the first call. */
export async function textTokens(texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0;
  counter ??= loadCounter();
  const count = await counter;
  return texts.reduce((sum, text) => sum + countOne(text, count), 0);
}

async function loadCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // Text that looks like a control token is text here.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}

function countOne(text: string, count: (text: string) => number): number {
  if (!longRun.test(text)) return count(text);
  return text
    .split(/(\s+)/)
    .reduce(
      (sum, word) =>
        sum + (word.length < MAX_WORD ? count(word) : Math.ceil(word.length / CHARACTERS_PER_TOKEN)),
      0,
    );
}

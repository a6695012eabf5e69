import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * The encoder's time grows with the square of what it takes for one word, and it takes any run of letters, of white
 * space or of signs for one. Longer runs are counted in parts of this many characters: a token more at each seam.
 */
const MAX_WORD_LENGTH = 40;
const LONG_RUN = new RegExp(
  `\\s{${MAX_WORD_LENGTH},}|[\\p{L}\\p{M}]{${MAX_WORD_LENGTH},}|[^\\s\\p{L}\\p{M}\\p{N}]{${MAX_WORD_LENGTH},}`,
  "gu",
);
/** Characters between two turns of the event loop. */
const SLICE_LENGTH = 2048;
/** Characters that are counted; of longer texts every second, third, ... slice stands for those that are left out. */
const MAX_COUNTED_LENGTH = 1_000_000;
/** Words whose tokens the encoder remembers; its own limit is 100,000, which with hostile words are tens of MB. */
const MAX_REMEMBERED_WORDS = 10_000;

type CountSlice = (text: string) => number;

let counter: Promise<CountSlice> | undefined;

/**
 * Tokens of texts in OpenAI's o200k encoding, in time that is linear in their length, with turns of the event loop
 * between slices. The encoding's tables, about 60 MB in memory, are loaded at the first call.
 */
export async function textTokens(texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0;
  counter ??= loadCounter();
  const count = await counter;
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  const stride = Math.max(1, Math.ceil(length / MAX_COUNTED_LENGTH));
  let tokens = 0;
  let counted = 0;
  let slices = 0;
  let sinceTurn = 0;
  for (const text of texts) {
    for (let start = 0; start < text.length; slices++) {
      const end = sliceEnd(text, start);
      if (slices % stride === 0) {
        tokens += countSlice(text.slice(start, end), count);
        counted += end - start;
        sinceTurn += end - start;
      }
      start = end;
      if (sinceTurn < SLICE_LENGTH) continue;
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return stride === 1 ? tokens : Math.ceil((tokens * length) / counted);
}

async function loadCounter(): Promise<CountSlice> {
  const { countTokens, setMergeCacheSize } = await import("gpt-tokenizer/encoding/o200k_base");
  setMergeCacheSize(MAX_REMEMBERED_WORDS);
  // Text that looks like a control token is text here.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}

/** A slice ends before a word where there is one near, else anywhere but within a pair of surrogates. */
function sliceEnd(text: string, start: number): number {
  const end = start + SLICE_LENGTH;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  if (space > end - MAX_WORD_LENGTH && space > start) return space;
  return isLowSurrogate(text, end) ? end + 1 : end;
}

function countSlice(text: string, count: CountSlice): number {
  let tokens = 0;
  let done = 0;
  for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
    if (index > done) tokens += count(text.slice(done, index));
    for (let at = 0; at < run.length; ) {
      const end = at + MAX_WORD_LENGTH;
      const next = isLowSurrogate(run, end) ? end + 1 : end;
      tokens += count(run.slice(at, next));
      at = next;
    }
    done = index + run.length;
  }
  return done === text.length ? tokens : tokens + count(text.slice(done));
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

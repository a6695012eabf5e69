import {
  anthropicImageTokens,
  geminiImageTokens,
  type ImageSize,
  openaiImageTokens,
} from "./image-tokens.ts";

/** What the local counter knows about the models of one maker. */
export interface CountingRules {
  /** The maker's tokens for each token of OpenAI's o200k encoding, on English text, code and JSON. */
  readonly textFactor: number;
  /** Tokens that a message costs beside its text. */
  readonly perMessage: number;
  /** Tokens of the instructions that tools bring with them, once. */
  readonly toolPreamble: number;
  /** Tokens of one page of a document. */
  readonly perPage: number;
  readonly image: (size: ImageSize | undefined, detail: unknown) => number;
}

/** Anthropic publishes no tokenizer; its models count about a fifth more on mixed text. */
const anthropic: CountingRules = {
  textFactor: 1.2,
  perMessage: 4,
  toolPreamble: 346,
  perPage: 2000,
  image: (size) => anthropicImageTokens(size),
};

const gemini: CountingRules = {
  textFactor: 1.05,
  perMessage: 1,
  toolPreamble: 0,
  perPage: 258,
  image: (size) => geminiImageTokens(size),
};

const openai: CountingRules = {
  textFactor: 1,
  perMessage: 3,
  toolPreamble: 9,
  perPage: 1000,
  image: openaiImageTokens,
};

/** The rules for a model by its name; OpenAI's for names that say nothing. */
export function countingRules(model: unknown): CountingRules {
  const name = typeof model === "string" ? model : "";
  if (/claude|anthropic/i.test(name)) return anthropic;
  return /gemini|gemma|google/i.test(name) ? gemini : openai;
}

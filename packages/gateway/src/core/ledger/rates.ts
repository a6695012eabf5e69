import { createRequire } from "node:module";
import type { calcPrice as CalcPrice, ModelPrice } from "@pydantic/genai-prices";
import type { PriceOverride, TokenPrices } from "../../contract/deployment.ts";

/** US dollars per token while the input is longer than `above` tokens. */
export interface Rates {
  readonly above: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** What is cached for an hour. */
  readonly cacheWriteLong: number;
  readonly inputAudio: number;
  readonly outputAudio: number;
  /** What is spent on reasoning, which is part of the output. */
  readonly reasoning: number;
}

/** Prices depend on the date and, at some providers, on the time of day: what is remembered is at most this old. */
const REMEMBER_FOR = 60_000;
/** Callers can name any model of a wildcard; what is remembered is bounded. */
const MAX_REMEMBERED = 5000;
/** Anthropic's price for an hour in a cache against that for five minutes: twice the input's against 1.25 times. */
const LONG_CACHE_FACTOR = 2 / 1.25;

/** Our names of providers where the price list has others that it does not understand. */
const listedAs: ReadonlyMap<string, string> = new Map([
  ["fireworks_ai", "fireworks"],
  ["text-completion-openai", "openai"],
  ["custom_openai", "openai"],
  ["azure_ai", "azure"],
  ["bedrock_converse", "bedrock"],
  ["vertex_ai_beta", "vertex_ai"],
]);

/**
 * Models that the list leaves out, in US dollars per token of input. Source: Vertex AI's pricing page, "Embeddings for
 * Text", 0.000025 for 1,000 characters, at four characters a token.
 */
const unlisted: ReadonlyMap<string, number> = new Map([
  ["vertex_ai/text-embedding-005", 1e-7],
  ["vertex_ai/text-embedding-004", 1e-7],
  ["vertex_ai/text-multilingual-embedding-002", 1e-7],
]);

/** Operation and region before a model of Bedrock's. */
const bedrockPrefix = /^(?:(?:converse|invoke)\/)?(?:[a-z]{2}(?:-[a-z]+)+-\d\/)?/;

/** What the price list says of a model. */
interface Listed {
  readonly rates: readonly Rates[] | undefined;
  /** Tokens of input at most. */
  readonly window: number | undefined;
}

const remembered = new Map<string, Listed & { readonly at: number }>();
let calcPrice: typeof CalcPrice | undefined;

/** Loads the price list, which takes a while: when the first price is asked for, or somebody who has the time. */
export function loadPrices(): typeof CalcPrice {
  if (calcPrice === undefined) {
    // The bundle has the list beside this module; sources are read as they are.
    const own = import.meta.url.endsWith(".ts") ? "./price-list.ts" : "./price-list.js";
    ({ calcPrice } = createRequire(import.meta.url)(own) as { calcPrice: typeof CalcPrice });
    // The first price takes as long as some thousand others, whichever it is.
    calcPrice({ input_tokens: 1, output_tokens: 1 }, "gpt-4o-mini", { providerId: "openai" });
  }
  return calcPrice;
}

/** The listed price of a model, by length of the input from 0 on; `undefined` when the list does not know it. */
export function listedRates(provider: string, model: string): readonly Rates[] | undefined {
  return listed(provider, model).rates;
}

/** Tokens that a model reads at most, as far as the list says. */
export function listedContextWindow(provider: string, model: string): number | undefined {
  return listed(provider, model).window;
}

function listed(provider: string, model: string): Listed {
  const key = `${provider}/${model}`;
  const now = Date.now();
  const known = remembered.get(key);
  if (known !== undefined && now - known.at < REMEMBER_FOR) return known;
  const providerId = listedName(provider);
  const name = provider.startsWith("bedrock") ? model.replace(bedrockPrefix, "") : model;
  const price = loadPrices()({ input_tokens: 1, output_tokens: 1 }, name, { providerId });
  const rates = price ? toRates(price.model_price) : ofInput(unlisted.get(`${providerId}/${name}`));
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const found = { at: now, rates, window: price?.model.context_window };
  remembered.set(key, found);
  return found;
}

/** The price list's name of a provider. */
export function listedName(provider: string): string {
  return listedAs.get(provider) ?? provider;
}

/** The rates of a model that has input alone. */
function ofInput(input: number | undefined): readonly Rates[] | undefined {
  return input === undefined ? undefined : toRates({ input_mtok: input * 1e6 });
}

const names = [
  "input_mtok",
  "output_mtok",
  "cache_read_mtok",
  "cache_write_mtok",
  "cache_write_1h_mtok",
  "input_audio_mtok",
  "output_audio_mtok",
] as const;

/** The price list's entry, which is in dollars per million tokens with tiers by input length, as rates by length. */
function toRates(price: ModelPrice): Rates[] {
  const starts = new Set([0]);
  for (const name of names) {
    const value = price[name];
    if (typeof value === "object") for (const tier of value.tiers) starts.add(tier.start);
  }
  return [...starts].sort((left, right) => left - right).map((above) => ratesAbove(price, above));
}

function ratesAbove(price: ModelPrice, above: number): Rates {
  const [inputRate, outputRate, cacheRead, cacheWrite, cacheWriteLong, inputAudio, outputAudio] = names.map(
    (name) => perToken(price[name], above),
  );
  const input = inputRate ?? 0;
  const output = outputRate ?? 0;
  return {
    above,
    input,
    output,
    cacheRead: cacheRead ?? input,
    cacheWrite: cacheWrite ?? input,
    cacheWriteLong: cacheWriteLong ?? (cacheWrite === undefined ? input : cacheWrite * LONG_CACHE_FACTOR),
    inputAudio: inputAudio ?? input,
    outputAudio: outputAudio ?? output,
    reasoning: output,
  };
}

function perToken(value: ModelPrice[string], above: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number") return value / 1e6;
  const tier = value.tiers.findLast(({ start }) => start <= above);
  return (tier?.price ?? value.base) / 1e6;
}

/** Those of the configuration's prices that depend on the input's length, as they hold for one length. */
interface PricesInForce {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
}

/** @param inputTokens length of the call's input */
export function pricesInForce(prices: TokenPrices, inputTokens: number): PricesInForce {
  const long = prices.long?.findLast(({ above }) => inputTokens > above);
  return {
    input: long?.inputPerToken ?? prices.inputPerToken,
    output: long?.outputPerToken ?? prices.outputPerToken,
    cacheRead: long?.cacheReadPerToken ?? prices.cacheReadPerToken,
    cacheWrite: long?.cacheWritePerToken ?? prices.cacheWritePerToken,
  };
}

/** The price list's rates with the deployment's own in their place; `undefined` where neither has any. */
export function withOwnPrices(
  listed: Rates | undefined,
  prices: PriceOverride,
  inputTokens: number,
): Rates | undefined {
  const own = pricesInForce(prices, inputTokens);
  if (own.input === undefined && own.output === undefined && listed === undefined) return undefined;
  // Listed prices of a cache and of sound belong to the listed price of text; an own one replaces them too.
  const ofInput = own.input === undefined ? listed : undefined;
  const ofOutput = own.output === undefined ? listed : undefined;
  const input = own.input ?? listed?.input ?? 0;
  const output = own.output ?? listed?.output ?? 0;
  const cacheWrite = own.cacheWrite ?? ofInput?.cacheWrite ?? input;
  return {
    above: 0,
    input,
    output,
    cacheRead: own.cacheRead ?? ofInput?.cacheRead ?? input,
    cacheWrite,
    cacheWriteLong: prices.cacheWriteLongPerToken ?? ofInput?.cacheWriteLong ?? cacheWrite,
    inputAudio: prices.inputPerAudioToken ?? ofInput?.inputAudio ?? input,
    outputAudio: prices.outputPerAudioToken ?? ofOutput?.outputAudio ?? output,
    reasoning: prices.outputPerReasoningToken ?? output,
  };
}

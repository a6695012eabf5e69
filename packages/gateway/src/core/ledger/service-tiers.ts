import type { TokenPrices } from "../../contract/deployment.ts";
import { ownMember } from "../../contract/json.ts";
import { listedName, pricesInForce, type Rates } from "./rates.ts";

/** What tiers cost against the standard one, for the models whose names match. */
type Factors = Readonly<Record<string, readonly (readonly [model: RegExp, factor: number])[]>>;

const every = /^/;

/** The first that matches counts. Source: OpenAI's pricing page, the tables "Flex", "Priority" and "Ultrafast". */
const openai: Factors = {
  flex: [[every, 0.5]],
  priority: [
    [/^gpt-4o-mini/, 0.25 / 0.15],
    [/^gpt-4o-2024-05-13/, 1.75],
    [/^gpt-4o/, 1.7],
    [/^gpt-4\.1-nano/, 2],
    [/^(?:gpt-4\.1|o3)/, 1.75],
    [/^o4-mini/, 2 / 1.1],
    [/^gpt-5(?:\.1-codex)?-mini/, 1.8],
    [/^gpt-5\.5/, 2.5],
    [/^gpt-[5-9]/, 2],
  ],
  ultrafast: [[/^gpt-(?:6-astra|6\.1-sol)/, 6]],
};

/** Source: the pricing pages of the Gemini API and of Vertex AI. */
const google: Factors = { flex: [[/^gemini/, 0.5]], priority: [[/^gemini/, 1.8]] };

/** By the price list's names of providers. */
const providers: ReadonlyMap<string, Factors> = new Map([
  ["openai", openai],
  ["azure", openai],
  ["gemini", google],
  ["vertex_ai", google],
  // Source: Amazon Bedrock user guide, "Service tiers for optimizing performance and cost".
  ["bedrock", { flex: [[every, 0.5]], priority: [[every, 1.75]] }],
  // Source: Claude API docs, "Fast mode".
  ["anthropic", { fast: [[/^claude-opus-(?:4-8|5)/, 2]] }],
]);

/** OpenAI, Azure, Anthropic, Google and Amazon all ask half of the usual price for batches. */
const BATCH_FACTOR = 0.5;

/** What a tier costs against the standard one; `undefined` where that is not known. */
export function tierFactor(provider: string, model: string, tier: string): number | undefined {
  if (tier === "batch") return BATCH_FACTOR;
  const factors = providers.get(listedName(provider));
  const known = factors && ownMember(factors, tier);
  return known?.find(([name]) => name.test(model))?.[1];
}

/**
 * The rates of a tier: the configuration's prices for it, and for what these leave out the standard rates times the
 * tier's factor; where text has a price of its own, times what that is against the standard one.
 * @param factor the price list's
 * @param own the configuration's prices for the tier
 */
export function ratesOfTier(
  standard: Rates | undefined,
  factor: number | undefined,
  own: TokenPrices,
  inputTokens: number,
): Rates | undefined {
  const prices = pricesInForce(own, inputTokens);
  if (standard === undefined && prices.input === undefined && prices.output === undefined) return undefined;
  const input = prices.input ?? (standard?.input ?? 0) * (factor ?? 1);
  const output = prices.output ?? (standard?.output ?? 0) * (factor ?? 1);
  const ofInput = (rate: number | undefined): number => scaled(rate, standard?.input, input, factor);
  const ofOutput = (rate: number | undefined): number => scaled(rate, standard?.output, output, factor);
  return {
    above: 0,
    input,
    output,
    cacheRead: prices.cacheRead ?? ofInput(standard?.cacheRead),
    cacheWrite: prices.cacheWrite ?? ofInput(standard?.cacheWrite),
    cacheWriteLong: ofInput(standard?.cacheWriteLong),
    inputAudio: own.inputPerAudioToken ?? ofInput(standard?.inputAudio),
    outputAudio: ofOutput(standard?.outputAudio),
    reasoning: ofOutput(standard?.reasoning),
  };
}

/** A rate as far above or below itself as the tier's price of text is. */
function scaled(
  rate: number | undefined,
  standardText: number | undefined,
  text: number,
  factor: number | undefined,
): number {
  if (rate === undefined) return text;
  if (standardText === undefined || standardText === 0) return rate * (factor ?? 1);
  return rate * (text / standardText);
}

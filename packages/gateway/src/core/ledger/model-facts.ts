import type { Target } from "../../contract/deployment.ts";
import { listedContextWindow } from "./rates.ts";

/** What a model can read and do beside text, in LiteLLM's words without `supports_`. */
const abilities = ["vision", "pdf_input", "audio_input", "reasoning", "web_search"] as const;
type Ability = (typeof abilities)[number];

interface Family {
  readonly name: RegExp;
  /** Tokens of input at most. */
  readonly window?: number;
  /** Tokens of an answer at most. */
  readonly output?: number;
  readonly can?: readonly Ability[];
}

const claude: readonly Ability[] = ["vision", "pdf_input"];
const gemini: readonly Ability[] = ["vision", "pdf_input", "audio_input", "web_search"];
const gpt: readonly Ability[] = ["vision", "pdf_input"];

/**
 * Families of models by their names, however the provider decorates these (the makers' pages on models, November 2026).
 * The first row that matches and has the fact counts, so that a narrower row stands before a wider one. Adding a
 * family: a row here; a deployment's `model_info` says otherwise where the table is wrong.
 */
const families: readonly Family[] = [
  { name: /embed/, can: [] },
  { name: /gpt-3\.5|gpt-4-(?!turbo)|gpt-4$/, output: 4096, can: [] },
  { name: /gpt-4-turbo/, output: 4096, can: ["vision"] },
  { name: /gpt-4o.*audio|gpt-audio/, output: 16_384, can: ["audio_input"] },
  { name: /gpt-4o.*search/, output: 16_384, can: ["web_search"] },
  { name: /gpt-4o/, output: 16_384, can: [...gpt, "web_search"] },
  { name: /gpt-4\.1/, window: 1_047_576, output: 32_768, can: [...gpt, "web_search"] },
  { name: /gpt-5\.[4-9]|gpt-[6-9]/, window: 1_050_000 },
  { name: /gpt-5/, window: 400_000 },
  { name: /gpt-[5-9]/, output: 128_000, can: [...gpt, "reasoning", "web_search"] },
  { name: /(?:^|\/)o[1-9]-mini|(?:^|\/)o3-mini/, output: 100_000, can: ["reasoning"] },
  { name: /(?:^|\/)o[1-9]/, output: 100_000, can: [...gpt, "reasoning"] },
  { name: /claude-3-(?:haiku|opus|sonnet)/, output: 4096, can: ["vision"] },
  { name: /claude-3-5|claude-3\.5/, output: 8192, can: claude },
  { name: /claude-(?:opus|sonnet)-(?:4-[6-9]|[5-9])/, window: 1_000_000, output: 128_000 },
  { name: /opus-4(?:-[01](?!\d)|-20\d\d|@|$)/, output: 32_000 },
  { name: /claude/, output: 64_000, can: [...claude, "reasoning", "web_search"] },
  { name: /gemini-(?:1\.5|2\.0)/, output: 8192, can: gemini },
  { name: /gemini/, window: 1_048_576, output: 65_536, can: [...gemini, "reasoning"] },
  { name: /grok-[4-9]/, can: ["vision", "reasoning", "web_search"] },
  {
    name: /pixtral|llama-4|llama3-2-(?:11|90)b|llama-3\.2-(?:11|90)b|-vl|vision|nova-(?:lite|pro|premier)/,
    can: ["vision"],
  },
  { name: /deepseek-(?:r|reasoner)|qwq|magistral|gpt-oss|thinking|reasoning/, can: ["reasoning"] },
];

/** Assumed of a model that nothing is known of: more than most have. */
const DEFAULT_WINDOW = 200_000;
const DEFAULT_OUTPUT = 64_000;

/** Tokens that a model reads at most; `undefined` when nobody says. */
export function knownWindow(target: Target): number | undefined {
  const { deployment, model } = target;
  const { max_input_tokens: stated } = deployment.info;
  if (typeof stated === "number") return stated;
  return familyFact(model, ({ window }) => window) ?? listedContextWindow(deployment.provider, model);
}

/** Tokens that a model answers at most; `undefined` when nobody says. */
export function knownOutput({ deployment, model }: Target): number | undefined {
  const { max_output_tokens: stated } = deployment.info;
  return typeof stated === "number" ? stated : familyFact(model, ({ output }) => output);
}

/** The most input tokens to reckon with. */
export const windowOf = (target: Target): number => knownWindow(target) ?? DEFAULT_WINDOW;

/** The most output tokens to reckon with. */
export const maxOutputOf = (target: Target): number => knownOutput(target) ?? DEFAULT_OUTPUT;

/** What a model can do, each ability with yes or no; empty when nobody knows the model. */
export function abilitiesOf({ model }: Target): Partial<Record<Ability, boolean>> {
  const can = familyFact(model, (family) => family.can);
  return can === undefined ? {} : Object.fromEntries(abilities.map((name) => [name, can.includes(name)]));
}

function familyFact<T>(model: string, fact: (family: Family) => T | undefined): T | undefined {
  for (const family of families) {
    const value = family.name.test(model) ? fact(family) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}

import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { CostOf } from "../ledger/price.ts";
import { maxTokensOf } from "./request-changes.ts";

/** Bytes beyond which a body is mostly pictures and files, whose size says nothing of their tokens. */
const MAX_TEXT_BYTES = 1_000_000;
/** Input of a request that continues what a provider or the gateway keeps, whose length nobody knows here. */
const CONTINUED_INPUT_TOKENS = 200_000;
/** What a model may answer where nothing says how much it can: more than most. */
const DEFAULT_MAX_OUTPUT = 64_000;

/** The most that models answer, by their names (the makers' pages on models, November 2026). First match counts. */
const maxOutputs: readonly (readonly [RegExp, number])[] = [
  [/gpt-3\.5|gpt-4-|gpt-4$|claude-3-(?:haiku|opus|sonnet)/, 4096],
  [/gpt-4o/, 16_384],
  [/gpt-4\.1/, 32_768],
  [/gpt-[5-9]/, 128_000],
  [/(?:^|\/)o[1-9]/, 100_000],
  [/claude-3-5|claude-3\.5|gemini-(?:1\.5|2\.0)/, 8192],
  [/opus-4/, 32_000],
  [/claude/, 64_000],
  [/gemini/, 65_536],
];

/** What of a call decides how much it can cost. */
export interface PricedRequest {
  readonly format: WireFormat;
  readonly data: JsonObject;
  /** Bytes of the request. */
  readonly bytes: number;
}

/**
 * US dollars that a call costs at most, at the dearest of its deployments: a token is at least one byte, an answer is as
 * long as the request or else the model allows, and there are `n` of them.
 * @throws GatewayError 402 where a deployment has no price: a budget cannot hold what nobody can count
 */
export function worstCaseCost(request: PricedRequest, targets: readonly Target[], costOf: CostOf): number {
  return Math.max(0, ...targets.map((target) => worstCaseAt(request, target, costOf)));
}

function worstCaseAt(request: PricedRequest, target: Target, costOf: CostOf): number {
  const { deployment, model } = target;
  if (typeof deployment.params.mock_response === "string") return 0;
  const cost = costOf(deployment, model, worstCaseUsage(request, target));
  if (cost === undefined) throw unpriced(deployment.modelName);
  return cost;
}

function worstCaseUsage({ format, data, bytes }: PricedRequest, { deployment, model }: Target): Usage {
  const written = Math.min(bytes, MAX_TEXT_BYTES);
  const input = continues(data) ? Math.max(written, CONTINUED_INPUT_TOKENS) : written;
  if (format === "embeddings") return { ...noUsage, input };
  const { max_output_tokens: stated } = deployment.info;
  const known = maxOutputs.find(([name]) => name.test(model))?.[1] ?? DEFAULT_MAX_OUTPUT;
  const output = maxTokensOf(format, data) ?? (typeof stated === "number" ? stated : known);
  return { ...noUsage, input, output: output * answersOf(data) };
}

/** Answers that one request may ask for (OpenAI's chat completions). */
function answersOf({ n }: JsonObject): number {
  return typeof n === "number" && n > 1 ? Math.ceil(n) : 1;
}

function continues({ previous_response_id: previous, conversation, prompt }: JsonObject): boolean {
  return typeof previous === "string" || (conversation ?? undefined) !== undefined || isJsonObject(prompt);
}

/** The refusal of a model without a price under a budget. */
export function unpriced(model: string): GatewayError {
  const message =
    `The budget of this api key cannot be held: the model ${model} has no price. ` +
    "Its administrator may set one, such as input_cost_per_token: 0.";
  return new GatewayError(402, "budget_exceeded", message, { retryable: false });
}

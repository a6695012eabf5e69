import type { Target } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { geminiCandidates } from "../../formats/gemini/generation-defaults.ts";
import { reasoningBudget } from "../../formats/reasoning-effort.ts";
import { MOCK_TOKENS } from "../../providers/mock-provider.ts";
import { maxOutputOf } from "../ledger/model-facts.ts";
import { dearestCost, type MostTokens } from "../ledger/price.ts";
import { maxTokensOf } from "./request-changes.ts";
import { unseenInput } from "./unseen-input.ts";

/** Bytes beyond which a body is mostly pictures and files, whose size says nothing of their tokens. */
const MAX_TEXT_BYTES = 1_000_000;

/** What of a call decides how much it can cost. */
export interface PricedRequest {
  readonly format: WireFormat;
  /** The request in each of the forms in which it may reach the target. */
  readonly formsAt: (target: Target) => readonly JsonObject[];
  /** Bytes of the request. */
  readonly bytes: number;
  /** It runs in a provider's batch, which has a price of its own. */
  readonly isBatched?: boolean;
  /** The request asks for `mock_response`: nobody is called. */
  readonly isMocked?: boolean;
}

/**
 * US dollars that a call costs at most, at the dearest of its deployments: a token is at least one byte, what the
 * request only names fills the model's window, an answer is as long as the request or else the model allows, there are
 * `n` of them, and the dearest kind of tokens in the dearest tier that the request may get counts.
 * @param fallbacks deployments that may answer when no target does; one without a price gets no call
 * @throws GatewayError 402 where a target has no price: a budget cannot hold what nobody can count
 */
export function worstCaseCost(
  request: PricedRequest,
  targets: readonly Target[],
  fallbacks: readonly Target[] = [],
): number {
  const costs = targets.map((target) => {
    const cost = worstCaseAt(request, target);
    if (cost === undefined) throw unpriced(target.deployment.modelName);
    return cost;
  });
  return Math.max(0, ...costs, ...fallbacks.map((target) => worstCaseAt(request, target) ?? 0));
}

/** The same at one target; `undefined` where it has no price. */
export function worstCaseAt(request: PricedRequest, target: Target): number | undefined {
  const { deployment, model } = target;
  const isMocked = request.isMocked === true || deployment.mockResponse !== undefined;
  let worst = 0;
  for (const data of request.formsAt(target)) {
    const tiers = request.isBatched === true ? ["batch"] : tiersOf(data);
    const most = isMocked ? MOCK_TOKENS : mostTokens(request, data, target);
    const cost = dearestCost(deployment, model, most, tiers);
    // An answer that nobody makes costs nothing where the model has no price.
    if (cost === undefined && isMocked) return 0;
    if (cost === undefined) return undefined;
    worst = Math.max(worst, cost);
  }
  return worst;
}

function mostTokens({ format, bytes }: PricedRequest, data: JsonObject, target: Target): MostTokens {
  const input = Math.min(bytes, MAX_TEXT_BYTES) + unseenInput(data, target);
  if (format === "embeddings") return { input, output: 0 };
  const limit = maxTokensOf(format, data);
  const output = limit === undefined ? maxOutputOf(target) : limit + thinkingBeyond(data);
  return { input, output: output * answersOf(format, data) };
}

/** Tokens for thinking, which some providers want counted within the limit and get added to the caller's. */
function thinkingBeyond(data: JsonObject): number {
  const { thinking, reasoning, reasoning_effort: effort, generationConfig } = data;
  const { thinkingBudget, thinkingLevel } = objectOf(objectOf(generationConfig).thinkingConfig);
  const budgets = [
    objectOf(thinking).budget_tokens,
    objectOf(reasoning).max_tokens,
    thinkingBudget === -1 ? reasoningBudget({ effort: "medium" }) : thinkingBudget,
    ...[effort, objectOf(reasoning).effort, thinkingLevel].map(
      (word) => typeof word === "string" && reasoningBudget({ effort: word.toLowerCase() }),
    ),
    isJsonObject(thinking) && reasoningBudget({ effort: "medium" }),
  ];
  return Math.max(0, ...budgets.filter((budget) => typeof budget === "number"));
}

/** Answers that one request may ask for (OpenAI's chat completions, Google's candidates). */
function answersOf(format: WireFormat, data: JsonObject): number {
  if (format === "gemini") return geminiCandidates(data);
  // Some hosts take a number that is written as a text.
  const n = typeof data.n === "string" ? Number(data.n) : data.n;
  return typeof n === "number" && n > 1 ? Math.ceil(n) : 1;
}

/**
 * The tiers that may serve a request: the standard one, the one that it asks for, and where it leaves that to the
 * provider the account's own, which may be the priority tier (OpenAI API reference, `service_tier`: "auto").
 */
function tiersOf(data: JsonObject): readonly (string | undefined)[] {
  const { service_tier: tier = googlesTier(data), speed } = data;
  const asked = [tier, speed].filter((each) => typeof each === "string" && each !== "auto") as string[];
  const isLeftOpen = (tier ?? "auto") === "auto";
  return [undefined, ...asked, ...(isLeftOpen ? ["priority"] : [])];
}

/** Google's word for the tier, in small letters as the price list has them. */
function googlesTier({ serviceTier }: JsonObject): unknown {
  return typeof serviceTier === "string" ? serviceTier.toLowerCase() : serviceTier;
}

/**
 * The refusal of a model without a price under a budget.
 * @param owner whose budget it is, as refusals name it
 * @param retryable another model may take its place
 */
export function unpriced(model: string, owner = "this api key", retryable = false): GatewayError {
  const message =
    `The budget of ${owner} cannot be held: the model ${model} has no price. ` +
    "Its administrator may set one, such as input_cost_per_token: 0.";
  return new GatewayError(402, "budget_exceeded", message, { retryable });
}

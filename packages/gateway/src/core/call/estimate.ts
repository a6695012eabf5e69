import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { noUsage } from "../../contract/usage.ts";
import { withServiceTier } from "../../formats/shared/service-tier.ts";
import type { StreamOutcome } from "../../formats/stream/stream-outcome.ts";
import type { CountTokens } from "./model-call.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { maxTokensOf } from "./request-changes.ts";

/** The field's rule of thumb for English text and code. */
const CHARACTERS_PER_TOKEN = 4;
/** Bytes beyond which a body is mostly pictures and files, whose size says nothing of their tokens. */
const MAX_COUNTED_BYTES = 1_000_000;

/** What a call will use at most, as far as a quick look tells; for reservations, not for bills. */
export function expectedUsage({ call, data, raw }: PreparedCall): Usage {
  const bytes = raw?.length ?? JSON.stringify(data).length;
  return {
    ...noUsage,
    input: Math.ceil(Math.min(bytes, MAX_COUNTED_BYTES) / CHARACTERS_PER_TOKEN),
    output: maxTokensOf(call.format, data) ?? 0,
  };
}

/** Usage of a call whose provider did not count: the request by the local tokenizer, the output by its length. */
export async function estimatedUsage(
  data: JsonObject,
  outputCharacters: number,
  countTokens: CountTokens,
): Promise<Usage> {
  const input = await countTokens(data);
  return { ...noUsage, input, output: Math.ceil(outputCharacters / CHARACTERS_PER_TOKEN) };
}

/** The provider's counts where they came, at once; else the estimate. */
export function usageOfOutcome(
  outcome: StreamOutcome,
  data: JsonObject,
  countTokens: CountTokens,
): Usage | Promise<Usage> {
  const { usage, outputCharacters, status, serviceTier } = outcome;
  if (usage === undefined)
    return estimatedUsage(data, outputCharacters, countTokens).then((estimate) =>
      withServiceTier(estimate, serviceTier),
    );
  // Anthropic counts the input at the start; the output of a broken stream is only in its text.
  if (status === "complete") return usage;
  return { ...usage, output: Math.max(usage.output, Math.ceil(outputCharacters / CHARACTERS_PER_TOKEN)) };
}

import { answerTo } from "../../answers/answer.ts";
import { servedTier } from "../../answers/service-tier.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import type { JsonObject, JsonValue } from "../../util/json.ts";
import { invalidArgument, modelNotFound } from "../failures.ts";
import { checkedContents } from "./check-contents.ts";
import { checkSchemas } from "./check-schema.ts";
import type { GenerateResult } from "./generate-result.ts";
import { blockedPrompt, generated, generatedChunks } from "./generated.ts";
import { readContents } from "./read-contents.ts";

/** What a generate call needs beside its body. */
export interface GenerateOptions {
  readonly seed: string;
  readonly stream: boolean;
  readonly tokens?: number | undefined;
  /** The tier that was asked for. */
  readonly tier?: JsonValue | undefined;
  /** Vertex AI names the tier in words of its own. */
  readonly onVertex?: boolean;
  /** Writes one chunk of a stream: an event, or an element of a JSON array. */
  readonly frame: (chunk: JsonObject, index: number) => string;
  /** What follows the last chunk. */
  readonly ending: string;
}

/** Checks a generateContent request and prepares its answer. */
export function generateCall(
  state: SimulatorState,
  model: string,
  body: JsonObject,
  options: GenerateOptions,
): ModelCall {
  if (model.startsWith("unknown")) throw modelNotFound(model, "generateContent");
  checkSchemas(body);
  const conversation = readContents(model, body, checkedContents(model, body));
  const { flags } = conversation.directives;
  if (flags.has("context-window")) {
    const count = conversation.inputTokens + 1_048_576;
    throw invalidArgument(
      `The input token count (${count}) exceeds the maximum number of tokens allowed (1048576).`,
    );
  }
  const blocked = flags.has("content-policy");
  const result = (): GenerateResult => {
    const answer = answerTo(conversation, options.tokens);
    state.counters.countTokens(model, answer.inputTokens, answer.outputTokens);
    const id = state.ids.next("", options.seed, 22);
    const callIds = answer.calls.map(() => state.ids.next("call_", options.seed, 12));
    const served = servedTier(options.tier, conversation.directives, "standard");
    return { id, model, answer, callIds, tier: tierMember(served, options.onVertex === true) };
  };
  return {
    directives: conversation.directives,
    stream: options.stream,
    json: () => (blocked ? blockedPrompt(result()) : generated(result())),
    events: function* () {
      const chunks = blocked ? [blockedPrompt(result())] : generatedChunks(result());
      let index = 0;
      for (const chunk of chunks) {
        yield options.frame(chunk, index);
        index += 1;
      }
      yield options.ending;
    },
  };
}

function tierMember(served: string, onVertex: boolean): JsonObject {
  if (!onVertex) return { serviceTier: served };
  return { trafficType: served === "standard" ? "ON_DEMAND" : `ON_DEMAND_${served.toUpperCase()}` };
}

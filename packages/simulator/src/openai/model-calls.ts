import type { ModelCall } from "../http/model-call.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import type { JsonObject } from "../util/json.ts";
import type { OpenAiAccount } from "./account.ts";
import type { CallOptions } from "./call-options.ts";
import { chatCall } from "./chat/chat-call.ts";
import { checkParameters } from "./check-parameters.ts";
import { embeddingsCall } from "./embeddings/embeddings-call.ts";
import { responseCall } from "./responses/response-call.ts";

/** The operations that a batch can run, by their path without `/v1`. */
export const batchPaths = ["/chat/completions", "/embeddings", "/responses"] as const;

/** Checks a body for one of the batch's operations and prepares its answer. */
export function modelCallAt(
  path: string,
  state: SimulatorState,
  account: OpenAiAccount,
  body: JsonObject,
  options: CallOptions,
): ModelCall {
  checkParameters(path, body, options.flavour);
  if (path === "/embeddings") return embeddingsCall(state, body);
  if (path === "/responses") return responseCall(state, account, body, options);
  return chatCall(state, body, options);
}

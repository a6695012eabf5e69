import type { Dialect } from "../../contract/dialect.ts";
import { readResponsesUsage } from "../shared/usage.ts";
import { ResponsesEncoder } from "./encoder.ts";
import { responsesErrorEvent } from "./error-event.ts";
import { responsesFromResult } from "./from-result.ts";
import { ResponsesGrammar } from "./grammar.ts";
import { responsesToCallOptions } from "./to-call-options.ts";

/** OpenAI's Responses, each answered from its own input alone. */
export const responsesDialect: Dialect = {
  format: "responses",
  toCallOptions: responsesToCallOptions,
  fromResult: responsesFromResult,
  encoder: (context) => new ResponsesEncoder(context),
  grammar: () => new ResponsesGrammar(),
  errorEvent: responsesErrorEvent,
  usageOf: (answer) => readResponsesUsage(answer.usage, answer.service_tier),
};

import type { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { dataEvent, namedEvent } from "../http/sse.ts";
import { errorEnvelope } from "./error-envelope.ts";

/** What OpenAI writes into a stream that fails: an `error` event in responses, an error object elsewhere. */
export function openAiErrorEvent(failure: ApiFailure, exchange: Exchange): string {
  if (!exchange.path.includes("/responses")) return dataEvent(errorEnvelope(failure));
  return namedEvent({
    type: "error",
    code: failure.details.code ?? "server_error",
    message: failure.message,
    param: null,
    sequence_number: 0,
  });
}

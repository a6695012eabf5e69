import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";

/** LiteLLM's fields by which a caller tries out what happens when a model fails. */
const failures: ReadonlyMap<string, () => GatewayError> = new Map([
  ["mock_testing_fallbacks", () => new GatewayError(500, "api_error", mockText("fails"))],
  [
    "mock_testing_context_fallbacks",
    () =>
      new GatewayError(400, "invalid_request_error", mockText("finds the request too long"), {
        providerCode: "context_length_exceeded",
      }),
  ],
  [
    "mock_testing_content_policy_fallbacks",
    () =>
      new GatewayError(400, "invalid_request_error", mockText("refuses the content"), {
        providerCode: "content_policy_violation",
      }),
  ],
]);

/** The failure that stands in for all tries at the requested model, so that its fallbacks can be tried out. */
export function mockedFailure(data: JsonObject): GatewayError | undefined {
  for (const [name, make] of failures) if (data[name] === true) return make();
  return undefined;
}

/**
 * The text that the caller wants for an answer, so that nobody is called.
 * @throws GatewayError 400 for one that is no text, or for embeddings
 */
export function mockedAnswer({ mock_response: text }: JsonObject, format: WireFormat): string | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== "string") throw invalidRequest("mock_response must be a text", "mock_response");
  if (format === "embeddings")
    throw invalidRequest("mock_response is for answers, not for embeddings", "mock_response");
  return text;
}

function mockText(what: string): string {
  return `This is a mock failure: the model ${what}, as the request asked for.`;
}

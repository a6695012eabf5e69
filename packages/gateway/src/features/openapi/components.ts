import {
  amount,
  either,
  list,
  object,
  orNull,
  type Schema,
  text,
  whole,
  word,
} from "../../contract/schema.ts";
import { geminiSchema } from "../../formats/gemini/fields.ts";

/** Headers of answers, by name. */
export const callHeaders: Readonly<Record<string, Schema>> = {
  "x-portico-model-id": text("The deployment that answered."),
  "x-portico-model-name": text("Its provider and model."),
  "x-portico-model-api-base": text("The provider's address, without its query."),
  "x-portico-model-region": text("The key's allowed region, else the deployment's."),
  "x-portico-response-cost": amount("US dollars."),
  "x-portico-attempted-retries": whole(),
  "x-portico-attempted-fallbacks": whole(),
  "x-portico-overhead-ms": whole("Milliseconds that the gateway added."),
};

/** Headers of every answer. */
export const commonHeaders: Readonly<Record<string, Schema>> = {
  "x-portico-call-id": text("Names the call in the log and in spend rows."),
  "x-portico-version": text("The service's version."),
  "x-portico-duration-ms": whole("Milliseconds until the answer began."),
};

const error = object({
  "message!": text(),
  "type!": text(
    "`invalid_request_error`, `authentication_error`, `rate_limit_error`, `budget_exceeded`, ...",
  ),
  "param!": orNull(text("The field at fault.")),
  "code!": text("The status, as a text."),
  provider_code: text("The provider's own word."),
});

/** What OpenAI's clients read errors from. */
const openaiError = object({
  "error!": error,
  detail: either(text(), object({ error: text() })),
});

/** The same for Anthropic's clients. */
const anthropicError: Schema = {
  allOf: [openaiError, object({ "type!": word(["error"]), "request_id!": text("The call's id.") })],
};

/** What Google's clients read errors from. */
const geminiError = object({
  "error!": object({
    "code!": whole("The status."),
    "message!": text(),
    "status!": text("`INVALID_ARGUMENT`, `UNAUTHENTICATED`, `RESOURCE_EXHAUSTED`, ..."),
    details: list(object({ "@type": text() })),
  }),
});

/** The parts that operations refer to. */
export const components = {
  schemas: {
    Error: openaiError,
    MessagesError: anthropicError,
    GeminiError: geminiError,
    GeminiSchema: geminiSchema,
  },
  securitySchemes: {
    gatewayKey: { type: "http", scheme: "bearer", description: "A gateway key or the master key." },
  },
};

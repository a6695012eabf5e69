import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { deletion, flag, list, object, orNull, page, text, whole } from "../../contract/schema.ts";
import { selectorOrder } from "../../core/objects/choose-provider.ts";
import { responsesFields } from "../../formats/responses/fields.ts";
import { itemQuery } from "../conversations/schema.ts";

/** The query of one response. */
export const responseQuery = object({
  stream: flag("Follow it with server-sent events."),
  starting_after: whole("The event after which the stream begins.", { minimum: 0 }),
});

const item = object({ "type!": text(), id: text() });
const response = object({
  "id!": text(),
  "object!": text("`response`"),
  status: text("`queued`, `in_progress`, `completed`, `incomplete`, `failed` or `cancelled`"),
  model: text(),
  output: list(item),
  error: orNull(object()),
  previous_response_id: orNull(text()),
  usage: orNull(object({ input_tokens: whole(), output_tokens: whole(), total_tokens: whole() })),
});
const EVENTS = "`response.created` to `response.completed`, `response.incomplete` or `response.failed`.";
const missing = { 404: { when: "There is no such response for this key." } };

/** Responses (spec: Responses; OpenAI API reference: Responses). */
export const responseDescription: GroupDescription = {
  tag: "Responses",
  about:
    "OpenAI's Responses in front of every provider, with state that the gateway stores where the provider has none.",
  operations: [
    {
      method: "POST",
      path: "/v1/responses",
      id: "createResponse",
      summary: "Create a response",
      request: json(object(responsesFields)),
      answer: { ...answers("The response.", response), stream: EVENTS, isModelCall: true },
    },
    {
      method: "POST",
      path: "/v1/responses/input_tokens",
      id: "countResponseInputTokens",
      summary: "Count the input tokens of a response that might be created",
      request: json(object(responsesFields)),
      answer: answers("The count.", object({ "object!": text(), "input_tokens!": whole() })),
    },
    {
      method: "POST",
      path: "/v1/responses/compact",
      id: "compactResponse",
      summary: "Sum up a conversation, so that it goes on with fewer tokens",
      request: json(object(responsesFields)),
      answer: answers(
        "The user's messages and an item that stands for the rest; both are input of the next response.",
        object({
          "id!": text(),
          "object!": text("`response.compaction`"),
          created_at: whole(),
          "output!": list(item),
          usage: object({ input_tokens: whole(), output_tokens: whole(), total_tokens: whole() }),
        }),
      ),
    },
    {
      method: "GET",
      path: "/v1/responses/{response_id}",
      id: "retrieveResponse",
      summary: "Retrieve a response",
      selectors: selectorOrder["responses/{id}"],
      query: responseQuery,
      answer: { ...answers("The response.", response), stream: EVENTS },
      errors: missing,
    },
    {
      method: "DELETE",
      path: "/v1/responses/{response_id}",
      id: "deleteResponse",
      summary: "Delete a response",
      selectors: selectorOrder["responses/{id}"],
      answer: answers("It is gone.", deletion("response")),
      errors: missing,
    },
    {
      method: "GET",
      path: "/v1/responses/{response_id}/input_items",
      id: "listInputItems",
      summary: "List what a response was made from",
      selectors: selectorOrder["responses/{id}"],
      query: itemQuery,
      answer: answers("A page of items.", page(item)),
      errors: missing,
    },
    {
      method: "POST",
      path: "/v1/responses/{response_id}/cancel",
      id: "cancelResponse",
      summary: "Cancel a response that runs in the background",
      selectors: selectorOrder["responses/{id}"],
      answer: answers("The response.", response),
      errors: missing,
    },
  ],
};

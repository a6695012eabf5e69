import { answers, detailObject, type GroupDescription, json } from "../../contract/operation.ts";
import { list, object, orNull, text, whole } from "../../contract/schema.ts";
import { messagesFields, promptFields } from "../../formats/messages/fields.ts";

/** Anthropic's Messages (spec: Messages). */
export const messageDescription: GroupDescription = {
  tag: "Messages",
  about:
    "Anthropic's Messages in front of every provider. The path under `/anthropic` is the recommended one.",
  beta: true,
  operations: [
    {
      method: "POST",
      path: "/v1/messages",
      id: "createMessage",
      summary: "Create a message",
      request: json(object(messagesFields)),
      answer: {
        ...answers(
          "The message; with `stream`, its events.",
          object({
            "id!": text(),
            "type!": text("`message`"),
            "role!": text("`assistant`"),
            "content!": list(object({ "type!": text() })),
            model: text(),
            stop_reason: orNull(text()),
            usage: object({ input_tokens: whole(), output_tokens: whole() }),
          }),
        ),
        stream: "`message_start` to `message_stop`, or `error` where the message could not be finished.",
        isModelCall: true,
      },
      errors: {
        400: {
          when: "The model's name is known to no router, or the request is malformed.",
          detail: detailObject,
        },
      },
    },
    {
      method: "POST",
      path: "/v1/messages/count_tokens",
      id: "countMessageTokens",
      summary: "Count the tokens of a message",
      query: object({ beta: text("Sent by Anthropic's clients; has no effect here.") }),
      request: json(object(promptFields)),
      answer: {
        ...answers("The count.", object({ "input_tokens!": whole() })),
        headers: { "x-portico-token-count-source": text("`provider` or `local`: who counted.") },
      },
      errors: {
        400: { when: "`model` or `messages` is missing or empty.", detail: detailObject },
        500: { when: "The tokens could not be counted.", detail: detailObject },
      },
    },
  ],
};

import { answers, type GroupDescription, json } from "../../../contract/operation.ts";
import { list, object, orNull, text, whole, word } from "../../../contract/schema.ts";

const request = object({
  "custom_id!": text("1 to 64 letters, digits, `_` and `-`; once in a batch.", {
    pattern: "^[a-zA-Z0-9_-]{1,64}$",
    examples: ["first"],
  }),
  "params!": object({ model: text("Any model of the gateway.") }, "The body of a message, without a stream."),
});

/** The body that creates a batch of messages. */
export const createMessageBatch = object({
  "requests!": list(request, undefined, { minItems: 1 }),
});

/** The query of a list, whose newest batches come first. */
export const messageBatchPage = object({
  after_id: text("The id after which the page begins."),
  before_id: text("The id before which the page ends."),
  limit: whole("Batches on a page.", { minimum: 1, maximum: 1000, default: 20 }),
});

const messageBatch = object({
  "id!": text(),
  "type!": word(["message_batch"]),
  "processing_status!": word(["in_progress", "canceling", "ended"]),
  request_counts: object({
    processing: whole("All until the batch has ended."),
    succeeded: whole(),
    errored: whole(),
    canceled: whole(),
    expired: whole(),
  }),
  created_at: text("RFC 3339, as all times."),
  ended_at: orNull(text()),
  expires_at: text(),
  archived_at: orNull(text("Since when the results are gone.")),
  cancel_initiated_at: orNull(text()),
  results_url: orNull(text("Absent until the batch has ended.")),
});

const path = "/v1/messages/batches";

/** Message batches (Anthropic API reference: Message Batches). */
export const messageBatchDescription: GroupDescription = {
  tag: "Message batches",
  about:
    "Anthropic's batches on every model: at the provider where it has batches, else run by the gateway. They are the batches of `/v1/batches` whose requests are for `/v1/messages`. Also under `/anthropic`.",
  operations: [
    {
      method: "POST",
      path,
      id: "createMessageBatch",
      summary: "Create a message batch",
      request: json(createMessageBatch),
      answer: answers("The batch; it is on disk.", messageBatch),
    },
    {
      method: "GET",
      path,
      id: "listMessageBatches",
      summary: "List message batches",
      query: messageBatchPage,
      answer: answers(
        "A page, newest first.",
        object({
          "data!": list(messageBatch),
          first_id: orNull(text()),
          last_id: orNull(text()),
          has_more: { type: "boolean" },
        }),
      ),
    },
    {
      method: "GET",
      path: `${path}/{message_batch_id}`,
      id: "retrieveMessageBatch",
      summary: "Retrieve a message batch",
      answer: answers("The batch.", messageBatch),
    },
    {
      method: "POST",
      path: `${path}/{message_batch_id}/cancel`,
      id: "cancelMessageBatch",
      summary: "Cancel a message batch",
      answer: answers("The batch, canceling.", messageBatch),
    },
    {
      method: "DELETE",
      path: `${path}/{message_batch_id}`,
      id: "deleteMessageBatch",
      summary: "Delete a message batch that has ended",
      answer: answers("It is gone.", object({ "id!": text(), "type!": word(["message_batch_deleted"]) })),
    },
    {
      method: "GET",
      path: `${path}/{message_batch_id}/results`,
      id: "messageBatchResults",
      summary: "The results of a message batch",
      answer: {
        about: "A line of JSON for each request, in any order: `{custom_id, result}`.",
        content: { "application/x-jsonl": text() },
      },
    },
  ],
};

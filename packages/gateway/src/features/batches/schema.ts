import { answers, detailObject, type GroupDescription, json } from "../../contract/operation.ts";
import { pageQuery } from "../../contract/paging.ts";
import { amount, given, object, orNull, page, text, whole, word } from "../../contract/schema.ts";
import { selectorOrder } from "../../core/objects/choose-provider.ts";
import { DURATION } from "../../util/duration.ts";

const MAX_ID = 4096;

/** The body that creates a batch. */
export const createBatch = given({
  "input_file_id!": text("An uploaded file, or a unified file that carries its model.", {
    minLength: 1,
    maxLength: MAX_ID,
  }),
  "endpoint!": text("Path that the requests target.", {
    minLength: 1,
    maxLength: MAX_ID,
    examples: ["/v1/chat/completions"],
  }),
  "completion_window!": text("a length of time up to 30d, such as 24h", {
    minLength: 1,
    pattern: DURATION,
    examples: ["24h"],
  }),
  metadata: object(),
  model: text("For load balancing among the deployments of a model."),
  custom_llm_provider: text("The provider to use, where the path does not name it."),
  webhook_url: text("Told when the batch is over; `metadata.webhook_url` does the same.", {
    examples: ["https://example.com/hook"],
  }),
  execution: word(["auto", "provider", "gateway"], "Who runs the batch."),
  output_expires_after: given(
    {
      anchor: text("`created_at`"),
      "seconds!": whole("From an hour to thirty days.", { minimum: 3600, maximum: 2_592_000 }),
    },
    "When the files with the results expire.",
  ),
});

/** The body that cancels a batch. */
export const cancelBatch = given({
  custom_llm_provider: text("The provider to use, where the path does not name it."),
});

const { after, limit } = pageQuery(100, 20);

/** The query of a list of batches, which are shown newest first. */
export const batchPage = { after, limit };
export const batchQuery = object({
  ...batchPage,
  target_model_names: text("Comma-separated; batches of the first one's provider."),
});

/** The query of one batch. */
export const waitQuery = object({
  wait: amount("Seconds to wait for the batch's end.", { minimum: 0, maximum: 120, default: 0 }),
});

const batch = object({
  "id!": text(),
  "object!": text("`batch`"),
  "input_file_id!": text("As it was sent."),
  endpoint: text(),
  completion_window: text(),
  status: text(
    "`validating`, `failed`, `in_progress`, `finalizing`, `completed`, `expired`, `cancelling` or `cancelled`",
  ),
  output_file_id: orNull(text()),
  error_file_id: orNull(text()),
  errors: orNull(object()),
  created_at: whole(),
  completed_at: orNull(whole()),
  expires_at: orNull(whole()),
  request_counts: object({ total: whole(), completed: whole(), failed: whole() }),
  metadata: orNull(object()),
});

const noRouter = { when: "The router is not initialised: there is no model list.", detail: detailObject };

/** Batches (spec: Batches; OpenAI API reference: Batch). */
export const batchDescription: GroupDescription = {
  tag: "Batches",
  about:
    "Many requests in one file, answered within a day: by the provider, or by the gateway where it has no batches.",
  operations: [
    {
      method: "POST",
      path: "/v1/batches",
      id: "createBatch",
      summary: "Create a batch",
      selectors: selectorOrder["POST batches"],
      request: json(createBatch),
      answer: answers("The batch; it is on disk.", batch),
      errors: {
        400: { when: "The unified file is not for exactly one model.", detail: detailObject },
        500: noRouter,
      },
    },
    {
      method: "GET",
      path: "/v1/batches",
      id: "listBatches",
      summary: "List batches",
      selectors: selectorOrder["GET batches"],
      query: batchQuery,
      answer: answers("The provider's batches and the gateway's own, newest first.", page(batch)),
      errors: { 500: noRouter },
    },
    {
      method: "GET",
      path: "/v1/batches/{batch_id}",
      id: "retrieveBatch",
      summary: "Retrieve a batch",
      about:
        "The id may contain slashes. With `Accept: text/event-stream`, or `/events` behind the id, an event for each change until the batch is over.",
      selectors: selectorOrder["GET batches/{id}"],
      query: waitQuery,
      answer: answers("The batch.", batch),
      errors: { 500: noRouter },
    },
    {
      method: "POST",
      path: "/v1/batches/{batch_id}/cancel",
      routePath: "/v1/batches/*",
      id: "cancelBatch",
      summary: "Cancel a batch",
      selectors: selectorOrder["POST batches/{id}/cancel"],
      request: { ...json(cancelBatch), isOptional: true },
      answer: answers("The batch, cancelling.", batch),
    },
    {
      method: "GET",
      path: "/v1/webhook_secret",
      id: "webhookSecret",
      summary: "The secret behind the signatures of webhooks",
      about: "Webhooks of the caller's team are signed with it by the Standard Webhooks scheme.",
      answer: answers("The secret.", object({ "secret!": text("`whsec_` and base64.") })),
    },
  ],
};

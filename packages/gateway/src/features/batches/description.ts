import {
  answers,
  detailObject,
  type GroupDescription,
  json,
  type Parameter,
  paging,
  providerSelectors,
  query,
} from "../../contract/operation.ts";
import { object, orNull, page, text, whole, word } from "../../contract/schema.ts";

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
const target: Parameter = query(
  "target_model_names",
  "Comma-separated; batches of the first one's provider.",
);

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
      request: json(
        object({
          "input_file_id!": text("An uploaded file, or a unified file that carries its model."),
          "endpoint!": text("Path that the requests target, such as `/v1/chat/completions`."),
          "completion_window!": text("`24h`"),
          metadata: object(),
          model: text("For load balancing among the deployments of a model."),
          custom_llm_provider: text("The provider to use, where the path does not name it."),
          webhook_url: text("Told when the batch is over; `metadata.webhook_url` does the same."),
          execution: word(["auto", "provider", "gateway"], "Who runs the batch."),
        }),
      ),
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
      parameters: [...providerSelectors, ...paging.slice(0, 2), target],
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
      parameters: [...providerSelectors, query("wait", "Seconds to wait for the batch's end, up to 120.")],
      answer: answers("The batch.", batch),
      errors: { 500: noRouter },
    },
    {
      method: "POST",
      path: "/v1/batches/{batch_id}/cancel",
      routePath: "/v1/batches/*",
      id: "cancelBatch",
      summary: "Cancel a batch",
      request: { ...json(object({ custom_llm_provider: text() })), isOptional: true },
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

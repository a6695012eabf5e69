import { answers, type GroupDescription } from "../../contract/operation.ts";
import { amount, flag, list, object, orNull, page, text, whole } from "../../contract/schema.ts";

const model = object({
  "id!": text("The name to call it by."),
  "object!": text("`model`"),
  created: whole(),
  owned_by: text("The provider."),
  display_name: text(),
  created_at: text(),
  lifecycle: text("`active`"),
  max_input_tokens: orNull(whole("Tokens that the model reads at most.")),
  max_tokens: orNull(whole("Tokens that the model answers at most.")),
  capabilities: orNull(object()),
});

const googleModel = object({
  "name!": text("`models/` and the name to call it by."),
  displayName: text(),
  inputTokenLimit: whole(),
  outputTokenLimit: whole(),
  supportedGenerationMethods: list(text()),
  thinking: flag("Whether it can think."),
});

/** The query of Google's list. */
export const googleListQuery = object({
  pageSize: whole("Models on a page, at most 1000; 50 by default.", { minimum: 0 }),
  pageToken: text("The `nextPageToken` of the page before."),
  key: text("The gateway's key, where no header has it."),
});

const deployment = object({
  "model_name!": text("The name to call it by."),
  "litellm_params!": object(),
  "model_info!": object({
    id: text("The deployment's id."),
    mode: text("`chat` or `embedding`."),
    max_input_tokens: whole(),
    max_output_tokens: whole(),
    input_cost_per_token: amount("US dollars."),
    output_cost_per_token: amount("US dollars."),
    supports_vision: flag(),
    supports_function_calling: flag(),
    supports_reasoning: flag(),
    supports_web_search: flag(),
  }),
});

const group = object({
  "model_group!": text("The name to call it by."),
  "providers!": list(text()),
  mode: text(),
  max_input_tokens: orNull(whole("The least of its deployments.")),
  max_output_tokens: orNull(whole("The least of its deployments.")),
  input_cost_per_token: orNull(amount("The highest of its deployments.")),
  output_cost_per_token: orNull(amount("The highest of its deployments.")),
  rpm: orNull(whole()),
  tpm: orNull(whole()),
});

/** Which deployment `/model/info` describes. */
export const infoQuery = object({ litellm_model_id: text("A deployment's id; without one all of them.") });

export const pagedInfoQuery = object({
  page: whole("From 1 on.", { minimum: 1, default: 1 }),
  size: whole("Deployments in a page.", { minimum: 1, maximum: 1000, default: 50 }),
  model: text("The name to call it by."),
  modelId: text("A deployment's id."),
  search: text("A part of the name."),
});

export const groupQuery = object({ model_group: text("A name of the model list; without one all of them.") });

/** Which models a key may call. */
export const modelDescription: GroupDescription = {
  tag: "Models",
  about: "The models that the caller's key may use, in a form that OpenAI's and Anthropic's clients read.",
  operations: [
    {
      method: "GET",
      path: "/v1/models",
      id: "listModels",
      summary: "List models",
      about:
        "Google's clients (`x-goog-api-key`, `x-goog-api-client` or `?key=`) get the answer of `/v1beta/models`.",
      answer: answers("The models and aliases.", page(model)),
    },
    {
      method: "GET",
      path: "/v1/models/{model}",
      id: "retrieveModel",
      summary: "Retrieve a model",
      answer: answers("The model.", model),
      errors: { 404: { when: "There is no such model for this key." } },
    },
    {
      method: "GET",
      path: "/v1beta/models",
      id: "listGeminiModels",
      summary: "List models for Google's clients",
      query: googleListQuery,
      answer: answers(
        "The models and aliases.",
        object({ "models!": list(googleModel), nextPageToken: text() }),
      ),
    },
    {
      method: "GET",
      path: "/v1beta/models/{model}",
      id: "retrieveGeminiModel",
      summary: "Retrieve a model for Google's clients",
      answer: answers("The model.", googleModel),
      errors: { 404: { when: "There is no such model for this key." } },
    },
    {
      method: "GET",
      path: "/v1/model/info",
      id: "listDeployments",
      summary: "List deployments with limits, prices and abilities",
      query: infoQuery,
      answer: answers("The deployments, without secrets.", object({ "data!": list(deployment) })),
      errors: { 404: { when: "There is no such deployment for this key." } },
    },
    {
      method: "GET",
      path: "/v2/model/info",
      id: "listDeploymentPages",
      summary: "List deployments in pages",
      query: pagedInfoQuery,
      answer: answers(
        "A page of deployments, without secrets.",
        object({
          "data!": list(deployment),
          "total_count!": whole(),
          "current_page!": whole(),
          "total_pages!": whole(),
          "size!": whole(),
        }),
      ),
    },
    {
      method: "GET",
      path: "/model_group/info",
      id: "listModelGroups",
      summary: "List model groups with what holds for all of their deployments",
      query: groupQuery,
      answer: answers("The groups.", object({ "data!": list(group) })),
      errors: { 400: { when: "There is no such group for this key." } },
    },
  ],
};

import { answers, type GroupDescription } from "../../contract/operation.ts";
import { list, object, page, text, whole } from "../../contract/schema.ts";

const model = object({
  "id!": text("The name to call it by."),
  "object!": text("`model`"),
  created: whole(),
  owned_by: text("The provider."),
  display_name: text(),
  created_at: text(),
});

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
      path: "/v1/model/info",
      id: "listDeployments",
      summary: "List deployments with their parameters",
      answer: answers(
        "The deployments, without secrets.",
        object({
          "data!": list(object({ model_name: text(), litellm_params: object(), model_info: object() })),
        }),
      ),
    },
  ],
};

import { answers, type GroupDescription, json, type Operation } from "../../contract/operation.ts";
import { given, list, object, orNull, type Schema, text } from "../../contract/schema.ts";

const modelName = text("The name to call it by; stars take any text.", { minLength: 1, maxLength: 1000 });
const modelId = text("The deployment's id.", { minLength: 1 });
const params = object(
  { "model!": text("`provider/name`.", { minLength: 1, examples: ["openai/gpt-4o"] }) },
  "As in the file's `model_list[].litellm_params`; `litellm_credential_name` names a credential.",
);
const info = given({ id: text("Chosen by the caller; made up where it is missing.") }, "As in the file.");

/** The body that makes a model. */
export const newModelBody = object({
  "model_name!": modelName,
  "litellm_params!": params,
  model_info: orNull(info),
});

const changes = {
  model_name: orNull(modelName),
  litellm_params: orNull(
    object({ model: orNull(text()) }, "Members that stay out keep their values, null takes one away."),
  ),
  model_info: orNull(info),
};

/** The body that changes a model; `model_info.id` names it. */
export const updateModelBody = given({ ...changes, id: text("Where `model_info` does not name it.") });

/** The same where the path names the model. */
export const patchModelBody = given({
  ...changes,
  litellm_params_to_remove: list(text(), "Names of parameters to take away."),
});

/** The body that names a model. */
export const namedModel = object({ "id!": modelId });

const model = object({
  "model_id!": text(),
  "model_name!": text(),
  "litellm_params!": object(
    {},
    "Credentials are masked; a mask that comes back leaves its credential as it is.",
  ),
  "model_info!": object(),
  created_at: text(),
  created_by: text(),
  updated_at: text(),
  updated_by: text(),
  warnings: list(text(), "What of it has no effect here."),
});

const missing = { 404: { when: "There is no such model." } };
const ofFile = "A model of the configuration file cannot be changed here (400).";

function post(path: string, id: string, summary: string, request: Schema, answer: Schema): Operation {
  return {
    method: "POST",
    path,
    id,
    summary,
    ...(id === "createModel" ? {} : { about: ofFile, errors: missing }),
    request: json(request),
    answer: answers("Done; it is in force on every replica within a second.", answer),
  };
}

/** LiteLLM's model management. */
export const modelManagementDescription: GroupDescription = {
  tag: "Model management",
  about: "Models that are made while the gateway runs, kept encrypted in the database. For administrators.",
  operations: [
    post("/model/new", "createModel", "Make a model", newModelBody, model),
    post("/model/update", "updateModel", "Change a model", updateModelBody, model),
    {
      method: "PATCH",
      path: "/model/{model_id}/update",
      id: "patchModel",
      summary: "Change the model of the path",
      about: ofFile,
      request: json(patchModelBody),
      answer: answers("Done; it is in force on every replica within a second.", model),
      errors: missing,
    },
    post("/model/delete", "deleteModel", "Remove a model", namedModel, object({ "message!": text() })),
  ],
};

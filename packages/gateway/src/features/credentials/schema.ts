import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { flag, given, list, object, text } from "../../contract/schema.ts";

const MASKED = "Credentials are masked; a mask that comes back leaves its credential as it is.";
const credentialName = text("The name by which models ask for it (`litellm_credential_name`).", {
  minLength: 1,
  maxLength: 255,
});
const values = {
  ...object({}, "Parameters of models, such as `api_key` and `api_base`."),
  examples: [{ api_key: "sk-..." }],
};
const info = object({}, "Whatever describes it, such as `custom_llm_provider`.");

/** The body that makes a credential. */
export const newCredentialBody = given({
  "credential_name!": credentialName,
  credential_values: values,
  credential_info: info,
  model_id: text("Take the values of this deployment."),
});

/** The body that changes a credential. */
export const updateCredentialBody = given({
  credential_name: text("The name as it is."),
  credential_values: object({}, "Members that stay out keep their values, null takes one away."),
  credential_values_to_delete: list(text(), "Names of values to take away."),
  credential_info: info,
});

const credential = object({
  "credential_name!": text(),
  "credential_values!": object({}, MASKED),
  "credential_info!": object(),
});
const done = object({ "success!": flag(), "message!": text() });
const missing = { 404: { when: "There is no such credential." } };
const ofFile = "A credential of the configuration file cannot be changed here (400).";

/** LiteLLM's credential management. */
export const credentialDescription: GroupDescription = {
  tag: "Credentials",
  about: "Parameters that several models share, kept encrypted in the database. For administrators.",
  operations: [
    {
      method: "POST",
      path: "/credentials",
      id: "createCredential",
      summary: "Make a credential",
      request: json(newCredentialBody),
      answer: answers("Done.", done),
    },
    {
      method: "GET",
      path: "/credentials",
      id: "listCredentials",
      summary: "List credentials",
      answer: answers(
        "Those of the file and those of the database.",
        object({ "success!": flag(), "credentials!": list(credential) }),
      ),
    },
    {
      method: "GET",
      path: "/credentials/by_name/{credential_name}",
      routePath: "/credentials/by_name/*",
      id: "retrieveCredential",
      summary: "Look at a credential",
      answer: answers("The credential.", credential),
      errors: missing,
    },
    {
      method: "GET",
      path: "/credentials/by_model/{model_id}",
      routePath: "/credentials/by_model/*",
      id: "retrieveModelCredential",
      summary: "Look at the credentials of a model",
      answer: answers("The parameters of the deployment that a credential may have.", credential),
      errors: { 404: { when: "There is no such deployment." } },
    },
    {
      method: "PATCH",
      path: "/credentials/{credential_name}",
      routePath: "/credentials/*",
      id: "updateCredential",
      summary: "Change a credential",
      about: ofFile,
      request: json(updateCredentialBody),
      answer: answers("Done; models that use it follow within a second.", done),
      errors: missing,
    },
    {
      method: "DELETE",
      path: "/credentials/{credential_name}",
      routePath: "/credentials/*",
      id: "deleteCredential",
      summary: "Remove a credential",
      about: `${ofFile} Nor can one that a model uses.`,
      answer: answers("Done.", done),
      errors: missing,
    },
  ],
};

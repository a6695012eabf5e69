import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { given, list, object, orNull, text, whole } from "../../contract/schema.ts";

const groupName = text("The name that keys may have in their `models`.", { minLength: 1, maxLength: 255 });
const names = list(text(), "Names of the model list: all of their deployments belong to the group.", {
  maxItems: 10_000,
});
const ids = list(text(), "Ids of deployments.", { maxItems: 10_000 });

/** The body that makes a group. */
export const newGroupBody = given({ "access_group!": groupName, model_names: names, model_ids: ids });

/** The body that changes a group. */
export const updateGroupBody = given({ model_names: names, model_ids: ids });

const written = object({
  "access_group!": text(),
  model_names: orNull(list(text())),
  model_ids: orNull(list(text())),
  "models_updated!": whole("Deployments in the group."),
});
const group = object({
  "access_group!": text(),
  "model_names!": list(text()),
  "deployment_count!": whole(),
});
const missing = { 404: { when: "There is no such group." } };

/** LiteLLM's access groups. */
export const accessGroupDescription: GroupDescription = {
  tag: "Access groups",
  about:
    "Groups of models, which keys may have in their `models` in place of the models in them. For administrators.",
  operations: [
    {
      method: "POST",
      path: "/access_group/new",
      id: "createAccessGroup",
      summary: "Make an access group",
      request: json(newGroupBody),
      answer: answers("The group.", written),
      errors: { 409: { when: "There is a group with this name." } },
    },
    {
      method: "GET",
      path: "/access_group/list",
      id: "listAccessGroups",
      summary: "List access groups",
      answer: answers("Also those of `model_info.access_groups`.", object({ "access_groups!": list(group) })),
    },
    {
      method: "GET",
      path: "/access_group/{access_group}/info",
      id: "retrieveAccessGroup",
      summary: "Look at an access group",
      answer: answers("The group.", group),
      errors: missing,
    },
    {
      method: "PUT",
      path: "/access_group/{access_group}/update",
      id: "updateAccessGroup",
      summary: "Replace the models of an access group",
      request: json(updateGroupBody),
      answer: answers("The group.", written),
      errors: missing,
    },
    {
      method: "DELETE",
      path: "/access_group/{access_group}/delete",
      id: "deleteAccessGroup",
      summary: "Remove an access group",
      about: "Models that name the group themselves in `model_info.access_groups` stay in it.",
      answer: answers(
        "Done.",
        object({ "access_group!": text(), "models_updated!": whole(), "message!": text() }),
      ),
      errors: missing,
    },
  ],
};

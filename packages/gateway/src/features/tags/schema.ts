import { answers, type GroupDescription, type Operation, posted } from "../../contract/operation.ts";
import { closed, given, list, object, type Schema, text } from "../../contract/schema.ts";
import { limitFields } from "../../core/auth/fields/limit-fields.ts";
import { modelLimitFields } from "../../core/auth/fields/model-scopes.ts";
import { metadata, name } from "../../core/auth/fields/restriction-fields.ts";
import { type EntityFields, entityBody, UNENFORCED_LIMITS } from "../../core/auth/records/entities.ts";

/** What a tag can be given. */
export const tagFields: EntityFields = {
  type: { kind: "tag", table: "LiteLLM_TagTable", idField: "name" },
  fields: {
    name: name("As calls name it in `metadata.tags`, `tags` or `x-litellm-tags`."),
    description: text("Free.", { maxLength: 10_000 }),
    ...limitFields,
    model_info: metadata("Free: names of models by their ids."),
  },
  unenforced: new Map([
    ...UNENFORCED_LIMITS,
    ...Object.keys(modelLimitFields).map((limit): [string, string] => [limit, "give it to keys"]),
    ["models", "give models to keys"],
    ["blocked", "refuse the tag in a preCall hook"],
  ]),
};

export const tagBody = entityBody(tagFields, ["name"]);
export const namedTag = closed(given({ "name!": name("Which tag.") }));
export const namedTags = closed(given({ "names!": list(name(), undefined, { maxItems: 1000 }) }));

const tag = object({ name: text(), description: text() });
const missing = { 404: { when: "There is no such tag." } };

function post(path: string, id: string, summary: string, request: Schema, answer: Schema): Operation {
  return posted(
    { path: `/tag/${path}`, id, summary },
    request,
    answer,
    id === "createTag" ? undefined : missing,
  );
}

const changed = object({ message: text(), tag });

/** LiteLLM's tags. */
export const tagDescription: GroupDescription = {
  tag: "Tags",
  about: "Tags of calls, with what they stand for.",
  operations: [
    post("new", "createTag", "Make a tag", tagBody, changed),
    post("update", "updateTag", "Change a tag", tagBody, changed),
    post("delete", "deleteTag", "Delete a tag", namedTag, object({ message: text() })),
    post("info", "retrieveTags", "Look at tags", namedTags, object()),
    {
      method: "GET",
      path: "/tag/list",
      id: "listTags",
      summary: "List tags",
      answer: answers("The tags.", list(tag)),
    },
  ],
};

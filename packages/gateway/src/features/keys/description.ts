import { toJSONSchema } from "zod";
import { answers, type GroupDescription, json, type Operation, query } from "../../contract/operation.ts";
import {
  amount,
  either,
  flag,
  list,
  object,
  orNull,
  type Schema,
  text,
  whole,
  word,
} from "../../contract/schema.ts";
import { keyFields } from "../../core/auth/key-fields.ts";

const key = object({
  token: text("The key's hash."),
  key_name: text("Its last characters."),
  key_alias: orNull(text()),
  spend: amount("US dollars."),
  max_budget: orNull(amount()),
  models: list(text()),
  rpm_limit: orNull(whole()),
  tpm_limit: orNull(whole()),
  max_parallel_requests: orNull(whole()),
  user_id: orNull(text()),
  user_role: text(),
  team_id: orNull(text()),
  metadata: object(),
  team_metadata: object(),
  allowed_model_region: orNull(text()),
  blocked: flag(),
  expires: orNull(text()),
});
const issued: Schema = { allOf: [object({ "key!": text("Shown this once."), "token_id!": text() }), key] };
const named = object({ "key!": text("A key or its hash.") });
const missing = { 404: { when: "There is no such key." } };

function fields(): Schema {
  const { $schema, ...schema } = toJSONSchema(keyFields, { io: "input" });
  return schema;
}

function post(path: string, id: string, summary: string, request: Schema, answer: Schema): Operation {
  return {
    method: "POST",
    path,
    id,
    summary,
    request: json(request),
    answer: answers("Done.", answer),
    ...(id === "generateKey" ? {} : { errors: missing }),
  };
}

/** LiteLLM's key management. */
export const keyDescription: GroupDescription = {
  tag: "Keys",
  about: "Gateway keys with their limits, budgets and models. All but `/key/info` are for administrators.",
  operations: [
    post("/key/generate", "generateKey", "Issue a key", fields(), issued),
    post("/key/update", "updateKey", "Change a key", { allOf: [named, fields()] }, key),
    post(
      "/key/delete",
      "deleteKeys",
      "Delete keys",
      object({ keys: list(text()), key_aliases: list(text()) }),
      object({ "deleted_keys!": list(text()) }),
    ),
    post("/key/block", "blockKey", "Refuse a key from now on", named, key),
    post("/key/unblock", "unblockKey", "Accept a key again", named, key),
    post(
      "/key/regenerate",
      "regenerateKey",
      "Replace a key by a new one with the same limits",
      { allOf: [named, fields()] },
      issued,
    ),
    post(
      "/key/{key}/regenerate",
      "regenerateKeyByPath",
      "Replace the key of the path by a new one",
      fields(),
      issued,
    ),
    {
      method: "GET",
      path: "/key/info",
      id: "retrieveKey",
      summary: "Look at a key, by default at the caller's own",
      parameters: [query("key", "A key or its hash.")],
      answer: answers("The key.", object({ "key!": text(), "info!": key })),
      errors: missing,
    },
    {
      method: "GET",
      path: "/key/list",
      id: "listKeys",
      summary: "List keys",
      parameters: [
        query("page", "From 1.", whole()),
        query("size", "Keys on a page, at most 100.", whole()),
        query("user_id", "Only this user's."),
        query("team_id", "Only this team's."),
        query("key_alias", "Only the key with this alias."),
        query("return_full_object", "The keys' objects instead of their hashes.", word(["true", "false"])),
      ],
      answer: answers(
        "A page of keys.",
        object({
          "keys!": list(either(text(), key)),
          total_count: whole(),
          current_page: whole(),
          total_pages: whole(),
        }),
      ),
    },
  ],
};

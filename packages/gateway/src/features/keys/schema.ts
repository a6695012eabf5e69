import { answers, type GroupDescription, type Operation, posted } from "../../contract/operation.ts";
import {
  amount,
  either,
  flag,
  given,
  list,
  object,
  orNull,
  type Schema,
  text,
  whole,
} from "../../contract/schema.ts";
import { name } from "../../core/auth/fields/restriction-fields.ts";
import { resetAnswer, resetSpendBody } from "../../core/auth/management/reset-spend.ts";
import { keyBody } from "../../core/auth/records/key-fields.ts";

const aKey = text("A key or its hash.", { minLength: 1 });

const chosenKey = text("sk- and 8 to 253 visible characters; made up where it is missing", {
  pattern: "^sk-[\\x21-\\x7e]{8,253}$",
  examples: ["sk-chosen-by-the-caller"],
});

/** The body that issues a key. */
export const generateKeyBody = keyBody({
  key: chosenKey,
});

/** The body that issues a key of a team, which is nobody's. */
export const serviceAccountBody = keyBody({ key: chosenKey, "team_id!": name() });

/** The body that changes a key. */
export const updateKeyBody = keyBody({ "key!": aKey });

const renewal = {
  new_key: chosenKey,
  grace_period: text("How long the old text is accepted too (`24h`, `2d`); none refuses it at once.", {
    examples: ["24h"],
  }),
};

/** The body that replaces a key. */
export const regenerateKeyBody = keyBody({ "key!": aKey, ...renewal });

/** The same where the path names the key. */
export const regenerateByPathBody = keyBody({ key: text("The path names the key."), ...renewal });

/** The body that names a key. */
export const namedKey = given({ "key!": aKey });

/** The body that deletes keys. */
const named = list(text(undefined, { maxLength: 512 }), undefined, { maxItems: 1000 });
export const deleteKeysBody = given({ keys: named, key_aliases: named });

/** The body that changes many keys. */
export const updateKeysBody = given({ "keys!": list(updateKeyBody, undefined, { maxItems: 500 }) });

/** The query that shows a key. */
export const keyQuery = object({ key: text("A key or its hash.") });

/** The query of a list of keys. */
export const keysQuery = object({
  page: whole("From 1.", { minimum: 1, maximum: 999_999_999, default: 1 }),
  size: whole("Keys on a page, at most 100.", { minimum: 1, maximum: 999_999_999, default: 10 }),
  user_id: text("Only this user's."),
  team_id: text("Only this team's."),
  organization_id: text("Only this organization's."),
  key_alias: text("Only the key with this alias."),
  key_hash: text("Only this key."),
  return_full_object: flag("The keys' objects instead of their hashes."),
});

/** The query of the list of aliases. */
export const aliasesQuery = object({
  page: whole("From 1.", { minimum: 1, maximum: 999_999_999, default: 1 }),
  size: whole("Aliases on a page, at most 100.", { minimum: 1, maximum: 999_999_999, default: 50 }),
});

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
const missing = { 404: { when: "There is no such key." } };

function post(path: string, id: string, summary: string, request: Schema, answer: Schema): Operation {
  return posted({ path, id, summary }, request, answer, id === "generateKey" ? undefined : missing);
}

/** LiteLLM's key management. */
export const keyDescription: GroupDescription = {
  tag: "Keys",
  about:
    "Gateway keys with their limits, budgets and models. [Who may what](../gateway/roles.md) is one table.",
  operations: [
    post("/key/generate", "generateKey", "Issue a key", generateKeyBody, issued),
    post(
      "/key/service-account/generate",
      "generateServiceAccount",
      "Issue a key that is a team's and nobody's",
      serviceAccountBody,
      issued,
    ),
    post("/key/update", "updateKey", "Change a key", updateKeyBody, key),
    post(
      "/key/bulk_update",
      "updateKeys",
      "Change many keys, each for itself",
      updateKeysBody,
      object({
        total_requested: whole(),
        successful_updates: list(object()),
        failed_updates: list(object()),
      }),
    ),
    post(
      "/key/delete",
      "deleteKeys",
      "Delete keys",
      deleteKeysBody,
      object({ "deleted_keys!": list(text()) }),
    ),
    post("/key/block", "blockKey", "Refuse a key from now on", namedKey, key),
    post("/key/unblock", "unblockKey", "Accept a key again", namedKey, key),
    post(
      "/key/regenerate",
      "regenerateKey",
      "Replace a key by a new one with the same limits",
      regenerateKeyBody,
      issued,
    ),
    post(
      "/key/{key}/regenerate",
      "regenerateKeyByPath",
      "Replace the key of the path by a new one",
      regenerateByPathBody,
      issued,
    ),
    post(
      "/key/{key}/reset_spend",
      "resetKeySpend",
      "Lower what a key has spent, in all and in each window of its budgets",
      resetSpendBody,
      resetAnswer({ "key_hash!": text() }),
    ),
    {
      method: "POST",
      path: "/key/health",
      id: "checkKey",
      summary: "Whether the caller's key works",
      answer: answers("It does.", object({ key: text(), logging_callbacks: orNull(object()) })),
    },
    {
      method: "GET",
      path: "/key/info",
      id: "retrieveKey",
      summary: "Look at a key, by default at the caller's own",
      query: keyQuery,
      answer: answers("The key.", object({ "key!": text(), "info!": key })),
      errors: missing,
    },
    {
      method: "GET",
      path: "/key/list",
      id: "listKeys",
      summary: "List keys",
      query: keysQuery,
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
    {
      method: "GET",
      path: "/key/aliases",
      id: "listKeyAliases",
      summary: "List the aliases of keys",
      query: aliasesQuery,
      answer: answers("A page of aliases.", object({ "aliases!": list(text()), total_count: whole() })),
    },
  ],
};

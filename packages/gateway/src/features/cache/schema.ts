import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { list, object, text } from "../../contract/schema.ts";

/** The body that names answers. */
export const deleteBody = object({
  "keys!": list(
    text("As the header `x-portico-cache-key` has it.", {
      pattern: "^[^/\\\\\\p{Cc}]*:answer:[0-9a-f]{64}$",
      examples: [`portico:answer:${"0".repeat(64)}`],
    }),
    "Names of answers.",
    { maxItems: 10_000 },
  ),
});

const done = object({ "status!": text("`success`") });
const missing = { 503: { when: "There is no response cache, or it does not answer." } };

/** LiteLLM's operations on the response cache. */
export const cacheDescription: GroupDescription = {
  tag: "Cache",
  about: "The response cache of `litellm_settings.cache`. For administrators.",
  operations: [
    {
      method: "GET",
      path: "/cache/ping",
      id: "pingCache",
      summary: "See whether the response cache answers",
      answer: answers(
        "It answers.",
        object({
          "status!": text("`healthy`"),
          "cache_type!": text("`local` or `redis`"),
          ping_response: { type: "boolean" },
          set_cache_response: text("`success`"),
          litellm_cache_params: text("JSON of the settings."),
          health_check_cache_params: object(),
        }),
      ),
      errors: missing,
    },
    {
      method: "POST",
      path: "/cache/delete",
      id: "deleteCachedAnswers",
      summary: "Delete answers",
      request: json(deleteBody),
      answer: answers("Done; what does not exist is passed over.", done),
      errors: missing,
    },
    {
      method: "POST",
      path: "/cache/flushall",
      id: "flushCache",
      summary: "Delete every answer",
      answer: answers("Done. Nothing else in the same Redis is touched.", done),
      errors: missing,
    },
  ],
};

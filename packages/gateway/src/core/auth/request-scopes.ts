import type { IncomingHttpHeaders } from "node:http";
import { type JsonObject, objectOf } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";

/** What of a request names for whom it is made. */
export interface NamingRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** Whom and what a request names that may have limits of its own. */
export interface Named {
  readonly customer: string | undefined;
  readonly tags: readonly string[];
}

/** Characters of a name; nothing with a longer one was ever made. */
const MAX_NAME = 256;
/** Tags of one call that are looked for; those of its key come first, because no caller chooses them. */
const MAX_TAGS = 100;

/**
 * The customer and the tags of a request. The customer stands in a header, or where LiteLLM looks for it in a body: `user`,
 * `litellm_metadata.user`, `metadata.user_id` (Anthropic's) or `safety_identifier` (OpenAI's).
 */
export function namedBy({ metadata, customerId }: Principal, { headers, body }: NamingRequest): Named {
  const customers = [
    customerId,
    headers["x-litellm-customer-id"],
    headers["x-litellm-end-user-id"],
    body.user,
    objectOf(body.litellm_metadata).user,
    objectOf(body.metadata).user_id,
    body.safety_identifier,
  ];
  const header = headers["x-portico-tags"] ?? headers["x-litellm-tags"];
  const tags = [
    metadata.tags,
    objectOf(body.metadata).tags,
    objectOf(body.litellm_metadata).tags,
    body.tags,
    typeof header === "string" ? header.split(",") : undefined,
  ];
  const named = tags.flatMap((list) => (Array.isArray(list) ? list.map(nameIn) : []));
  return {
    customer: customers.map(nameIn).find((name) => name !== undefined),
    tags: [...new Set(named.filter((name) => name !== undefined))].slice(0, MAX_TAGS),
  };
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const name = String(value).trim();
  return name === "" || name.length > MAX_NAME ? undefined : name;
}

import type { IncomingHttpHeaders } from "node:http";
import { type JsonObject, objectOf } from "../../contract/json.ts";
import type { Named, Principal } from "../../contract/principal.ts";

/** What of a request names for whom it is made. */
export interface NamingRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** Finds what requests themselves name that has limits of its own: their customer and their tags. */
export interface RequestScopes {
  /** Absent while there are neither customers nor tags. */
  readonly named:
    | {
        /**
         * The principal with what the request counts in.
         * @throws GatewayError 403 for a customer that is blocked
         */
        scoped(principal: Principal, request: NamingRequest): Promise<Principal>;
      }
    | undefined;
}

/**
 * Has everything that an exchange spends count in what its request names: what it does itself and the jobs that go on
 * after it, because they remember its principal.
 * @param body as the pre-call hooks left it, where they ran
 * @throws GatewayError 403 for a customer that is blocked
 */
export async function countUnderNamed(
  scopes: RequestScopes | undefined,
  exchange: { principal: Principal; readonly headers: IncomingHttpHeaders },
  body: JsonObject,
): Promise<void> {
  if (scopes?.named === undefined) return;
  exchange.principal = await scopes.named.scoped(exchange.principal, { headers: exchange.headers, body });
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

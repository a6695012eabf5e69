import type { IncomingHttpHeaders } from "node:http";
import { sha256 } from "../util/sha256.ts";
import { type GatewayError, invalidRequest } from "./errors.ts";
import { type JsonObject, objectOf } from "./json.ts";
import type { Named, Principal } from "./principal.ts";

/** What of a request names for whom it is made. */
export interface NamingRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** Characters of a name; a longer one is known by how it begins and by its hash. */
const MAX_NAME = 256;
const SHOWN_OF_LONG = 190;
/** Tags of one call that are looked for; those of its key come first, because no caller chooses them. */
const MAX_TAGS = 100;

/**
 * The customer and the tags of a request. The customer stands in a header, or in the body.
 * @throws GatewayError 400 for tags where these come with keys alone
 */
export function namedBy(principal: Principal, request: NamingRequest): Named {
  const { metadata, restrictions } = principal;
  const customer = customerOf(principal, request);
  const ofRequest = tagLists(request);
  if (restrictions?.refusesTags === true && ofRequest.length > 0) throw tagsRefused();
  const lists = Array.isArray(metadata.tags) ? [metadata.tags, ...ofRequest] : ofRequest;
  // Every call passes here, and most have none.
  if (lists.length === 0) return { customer, tags: [] };
  const named = lists.flatMap((list: unknown[]) => list.map(nameIn));
  return { customer, tags: [...new Set(named.filter((name) => name !== undefined))].slice(0, MAX_TAGS) };
}

/**
 * The lists of tags that a request brings: `metadata.tags`, `litellm_metadata.tags` where `metadata` is the provider's, `tags`,
 * and a header with commas; the first of each.
 */
export function tagLists({ headers, body }: NamingRequest): unknown[][] {
  const header = headers["x-portico-tags"] ?? headers["x-litellm-tags"];
  const listed = typeof header === "string" ? header.split(",").map((tag) => tag.trim()) : undefined;
  const { metadata, litellm_metadata: ofLitellm, tags } = body;
  return [objectOf(metadata).tags, objectOf(ofLitellm).tags, tags, listed]
    .filter(Array.isArray)
    .map((list) => list.slice(0, MAX_TAGS));
}

/** The customer of a request: its token's, or whom a header or the body names. */
export function customerOf({ customerId }: Principal, { headers, body }: NamingRequest): string | undefined {
  return (
    nameIn(customerId) ??
    nameIn(headers["x-litellm-customer-id"]) ??
    nameIn(headers["x-litellm-end-user-id"]) ??
    customerIn(body)
  );
}

/**
 * The customer whom a body names, where LiteLLM looks for one: `user`, `litellm_metadata.user`, `metadata.user_id` (Anthropic's)
 * or `safety_identifier` (OpenAI's).
 */
function customerIn(body: JsonObject): string | undefined {
  return (
    nameIn(body.user) ??
    nameIn(objectOf(body.litellm_metadata).user) ??
    nameIn(objectOf(body.metadata).user_id) ??
    nameIn(body.safety_identifier)
  );
}

function tagsRefused(): GatewayError {
  const text =
    "Calls may not name tags (reject_clientside_metadata_tags): leave out metadata.tags, tags and x-litellm-tags. Tags come with the api key.";
  return invalidRequest(text, "metadata.tags");
}

/** Headers by which agents and proxies name a session. */
const SESSION_HEADERS = [
  "x-portico-session-id",
  "x-litellm-session-id",
  "x-litellm-trace-id",
  "x-claude-code-session-id",
  "session_id",
  "session-id",
  "x-session-id",
] as const;
/** Characters of a session's name that count. */
const MAX_SESSION = 512;

/**
 * The session that a request says it belongs to: in a header, in LiteLLM's and Langfuse's fields, or behind the account
 * that Claude Code names as its user (`user_..._session_<id>`, or a JSON object with `session_id`).
 */
export function sessionNamed({ headers, body }: NamingRequest): string | undefined {
  for (const header of SESSION_HEADERS) {
    const session = sessionIn(headers[header]);
    if (session !== undefined) return session;
  }
  const { user_id: user, session_id: session } = objectOf(body.metadata);
  const named =
    sessionIn(body.litellm_session_id) ??
    sessionIn(objectOf(body.litellm_metadata).session_id) ??
    sessionIn(body.litellm_trace_id) ??
    sessionIn(session);
  if (named !== undefined || typeof user !== "string" || user.length > MAX_SESSION) return named;
  return /session(?:_id"\s*:\s*"|_)([\w-]+)/.exec(user)?.[1];
}

function sessionIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_SESSION) : undefined;
}

/** The principal with what its request names beside what it named before; what goes on after the request knows it so. */
export function withNamed(principal: Principal, { customer, tags }: Named): Principal {
  if (customer === undefined && tags.length === 0) return principal;
  const { named: before } = principal;
  const both = {
    customer: customer ?? before?.customer,
    tags: [...new Set([...(before?.tags ?? []), ...tags])],
  };
  return { ...principal, named: both };
}

/** A name as calls are known by it; `undefined` for what is none. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const name = String(value).trim();
  if (name === "") return undefined;
  return name.length > MAX_NAME ? `${name.slice(0, SHOWN_OF_LONG).toWellFormed()} ${sha256(name)}` : name;
}

import { GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import type { Exchange, Handler, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody, readJsonObject } from "../../contract/json-body.ts";
import { readKeyFields } from "../../core/auth/key-fields.ts";
import type { KeyManagement } from "../../core/auth/key-management.ts";
import { keyObject } from "../../core/auth/key-object.ts";
import type { KeyStore } from "../../core/auth/key-store.ts";
import type { KeyRow } from "../../core/auth/keys-table.ts";
import { isAdministrator } from "../../core/auth/permissions.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { sha256 } from "../../util/sha256.ts";
import { keyDescription } from "./description.ts";

/** Largest page of a list of keys. */
const MAX_PAGE = 100;

/**
 * LiteLLM's key management: `/key/generate`, `/key/update`, `/key/delete`, `/key/block`, `/key/unblock`,
 * `/key/regenerate`, `/key/info`, `/key/list`. Without a store every one answers that there is none.
 */
export function openKeyManagement({ keys: management }: Core): Feature {
  const route = (
    method: Route["method"],
    path: string,
    access: Route["access"],
    handler: (exchange: Exchange, management: KeyManagement) => Promise<JsonObject>,
  ): Route => ({
    method,
    path,
    access,
    family: "openai",
    callType: "key_management",
    handler: onStore(handler),
  });
  const onStore =
    (handler: (exchange: Exchange, management: KeyManagement) => Promise<JsonObject>): Handler =>
    async (exchange) => {
      if (management === undefined)
        throw new GatewayError(500, "api_error", "Persistent store not initialised", { retryable: false });
      return { status: 200, body: await handler(exchange, management) };
    };
  const routes = [
    route("POST", "/key/generate", "admin", generateKey),
    route("POST", "/key/update", "admin", updateKey),
    route("POST", "/key/delete", "admin", deleteKeys),
    route("POST", "/key/block", "admin", (exchange, parts) => setBlocked(exchange, parts, true)),
    route("POST", "/key/unblock", "admin", (exchange, parts) => setBlocked(exchange, parts, false)),
    route("POST", "/key/regenerate", "admin", regenerateKey),
    route("POST", "/key/:key/regenerate", "admin", regenerateKey),
    route("GET", "/key/info", "key", showKey),
    route("GET", "/key/list", "admin", listKeys),
  ];
  return { routes, descriptions: [keyDescription] };
}

async function generateKey(exchange: Exchange, { issuer, remembered }: KeyManagement): Promise<JsonObject> {
  const body = await parseJsonBody(exchange);
  const wanted = body.key ?? undefined;
  if (wanted !== undefined && typeof wanted !== "string") throw invalidRequest("key: expected text", "key");
  const columns = readKeyFields(body, Date.now());
  const { key, row } = await issuer.issue(columns, actorOf(exchange), wanted);
  remembered.forget();
  return { key, token_id: row.key_hash, ...keyObject(row, 0) };
}

async function updateKey(exchange: Exchange, parts: KeyManagement): Promise<JsonObject> {
  const body = await parseJsonBody(exchange);
  const { key_hash, metadata } = await findKey(parts.keys, body.key);
  const columns = readKeyFields(body, Date.now(), JSON.parse(metadata) as JsonObject);
  await parts.issuer.update(key_hash, columns, actorOf(exchange));
  parts.remembered.forget();
  const row = await findKey(parts.keys, key_hash);
  return { key: key_hash, ...keyObject(row, await parts.spend.spendOf(key_hash)) };
}

async function deleteKeys(exchange: Exchange, parts: KeyManagement): Promise<JsonObject> {
  const body = await parseJsonBody(exchange);
  const named = [...textsOf(body.keys, "keys").map(hashOf)];
  for (const alias of textsOf(body.key_aliases, "key_aliases")) {
    const row = await parts.keys.findByAlias(alias);
    if (row === undefined) throw notFound(`There is no key with the alias ${alias}`);
    named.push(row.key_hash);
  }
  if (named.length === 0) throw invalidRequest("keys: expected a list of keys, or key_aliases", "keys");
  const deleted = await parts.keys.delete(named);
  parts.remembered.forget();
  if (deleted.length === 0) throw notFound("None of these keys exists");
  return { deleted_keys: deleted };
}

async function setBlocked(exchange: Exchange, parts: KeyManagement, blocked: boolean): Promise<JsonObject> {
  const body = await parseJsonBody(exchange);
  const { key_hash } = await findKey(parts.keys, body.key);
  await parts.issuer.update(key_hash, { blocked: blocked ? 1 : 0 }, actorOf(exchange));
  parts.remembered.forget();
  return keyObject(await findKey(parts.keys, key_hash), await parts.spend.spendOf(key_hash));
}

async function regenerateKey(exchange: Exchange, parts: KeyManagement): Promise<JsonObject> {
  const bytes = await exchange.readBody();
  const body = bytes.length === 0 ? {} : readJsonObject(bytes);
  const old = await findKey(parts.keys, exchange.params.key ?? body.key);
  await parts.ledger.flush();
  const columns = readKeyFields(body, Date.now());
  const { key, row } = await parts.issuer.regenerate(old, columns, actorOf(exchange));
  parts.remembered.forget();
  return { key, token_id: row.key_hash, ...keyObject(row, await parts.spend.spendOf(row.key_hash)) };
}

/** A key's own holder may look at it; everybody else's only an administrator. */
async function showKey(exchange: Exchange, parts: KeyManagement): Promise<JsonObject> {
  const { principal, query } = exchange;
  const asked = query.get("key");
  const keyHash = asked === null ? principal.keyHash : hashOf(asked);
  const mayRead = isAdministrator(principal) || principal.role === "proxy_admin_viewer";
  if (keyHash !== principal.keyHash && !mayRead)
    throw new GatewayError(403, "permission_error", "A key may only look at itself");
  await parts.ledger.flush();
  const row = await findKey(parts.keys, keyHash);
  const info = keyObject(row, await parts.spend.spendOf(keyHash));
  return { key: keyHash, info };
}

async function listKeys({ query }: Exchange, parts: KeyManagement): Promise<JsonObject> {
  const page = wholeNumber(query.get("page"), 1, "page");
  const size = Math.min(MAX_PAGE, wholeNumber(query.get("size"), 10, "size"));
  const filter = {
    ...(query.has("user_id") ? { userId: query.get("user_id")! } : {}),
    ...(query.has("team_id") ? { teamId: query.get("team_id")! } : {}),
    ...(query.has("key_alias") ? { keyAlias: query.get("key_alias")! } : {}),
  };
  const { rows, total } = await parts.keys.list(filter, (page - 1) * size, size);
  const full = query.get("return_full_object") === "true";
  const spend = full ? await parts.spend.spendOfAll(rows.map((row) => row.key_hash)) : new Map();
  return {
    keys: rows.map((row) => (full ? keyObject(row, spend.get(row.key_hash) ?? 0) : row.key_hash)),
    total_count: total,
    current_page: page,
    total_pages: Math.ceil(total / size),
  };
}

/** Who made a change: the user of the key that asked for it. */
function actorOf({ principal }: Exchange): string {
  return principal.userId ?? principal.keyAlias ?? principal.keyHash;
}

async function findKey(keys: KeyStore, named: unknown): Promise<KeyRow> {
  if (typeof named !== "string" || named === "")
    throw invalidRequest("key: expected a key or its hash", "key");
  const row = await keys.find(hashOf(named));
  if (row === undefined) throw notFound("There is no such key");
  return row;
}

/** The hash of a key, or the hash itself where that was given. */
function hashOf(named: string): string {
  return /^[0-9a-f]{64}$/.test(named) ? named : sha256(named);
}

function textsOf(value: unknown, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string"))
    throw invalidRequest(`${name}: expected a list of texts`, name);
  return value as string[];
}

function wholeNumber(text: string | null, initial: number, name: string): number {
  if (text === null) return initial;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw invalidRequest(`${name}: expected a whole number, at least 1`, name);
  return Number(text);
}

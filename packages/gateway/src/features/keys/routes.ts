import { check, checkQuery } from "../../contract/check.ts";
import { GatewayError, invalidRequest, notFound } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import { optionalJsonBody, parseJsonBody } from "../../contract/json-body.ts";
import type { ModelSettings } from "../../core/auth/fields/model-scopes.ts";
import { keyEntry, noSuchKey } from "../../core/auth/issue/key-issuer.ts";
import { keysWithSpend } from "../../core/auth/management/entity-spend.ts";
import { requireSaid } from "../../core/auth/management/key-makers.ts";
import { keyRights, reachesKey, requireKey } from "../../core/auth/management/key-rights.ts";
import { keyScopeOf } from "../../core/auth/management/key-scope.ts";
import { changerIn, type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { resetSpend } from "../../core/auth/management/reset-spend.ts";
import type { Change } from "../../core/auth/records/change.ts";
import {
  isServiceAccount,
  keySettings,
  readGracePeriod,
  readKeyFields,
} from "../../core/auth/records/key-fields.ts";
import { keyObject } from "../../core/auth/records/key-object.ts";
import type { KeyRow } from "../../core/auth/records/keys-table.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { sha256 } from "../../util/sha256.ts";
import {
  aliasesQuery,
  deleteKeysBody,
  generateKeyBody,
  keyDescription,
  keyQuery,
  keysQuery,
  namedKey,
  regenerateByPathBody,
  regenerateKeyBody,
  serviceAccountBody,
  updateKeyBody,
  updateKeysBody,
} from "./schema.ts";

/** Largest page of a list of keys. */
const MAX_PAGE = 100;

/** LiteLLM's `/key/*`. Without a store every one answers that there is none. */
export function openKeyManagement({ keys }: Core): Feature {
  const routes = managementRoutes(keys, "key_management", {
    "POST /key/generate": async (managed) => generateKey(managed, await parseJsonBody(managed.exchange)),
    "POST /key/service-account/generate": generateServiceAccount,
    "POST /key/update": async (managed) => updateKey(managed, await parseJsonBody(managed.exchange)),
    "POST /key/bulk_update": updateKeys,
    "POST /key/delete": deleteKeys,
    "POST /key/block": (managed) => setBlocked(managed, true),
    "POST /key/unblock": (managed) => setBlocked(managed, false),
    "POST /key/regenerate": regenerateKey,
    "POST /key/:key/regenerate": regenerateKey,
    "POST /key/:key/reset_spend": resetKeySpend,
    "POST /key/health": async () => ({ key: "healthy", logging_callbacks: null }),
    "GET /key/info": showKey,
    "GET /key/list": listKeys,
    "GET /key/aliases": listAliases,
  });
  return { routes, descriptions: [keyDescription] };
}

async function generateKey(managed: Managed, body: JsonObject): Promise<JsonObject> {
  const { parts, actor } = managed;
  const { issuer, remembered } = parts;
  const columns = readKeyFields(body, Date.now());
  const wanted = check(generateKeyBody, body).key;
  requireSaid(actor, body, parts.keyMakers());
  // A user's key is the user's, also where the body does not say so.
  const isOwn = columns.user_id === undefined && !actor.isProxyAdmin && !isServiceAccount(columns);
  const { userId } = actor.principal;
  const owned = isOwn && userId !== undefined ? { ...columns, user_id: userId } : columns;
  const rights = keyRights(actor, parts);
  const placed = await withinOrganization(managed, owned);
  const { key, row } = await issuer.issue(placed, changerIn(managed), wanted ?? undefined, rights);
  remembered.forget();
  return { key, token_id: row.key_hash, ...(await keysWithSpend(parts, [row], new Map()))[0] };
}

/** What an organization's admin makes for a user of its organization is the organization's, unless it says another team. */
async function withinOrganization(
  { parts, actor }: Managed,
  columns: Partial<KeyRow>,
): Promise<Partial<KeyRow>> {
  const { user_id: user, team_id: team, organization_id: organization } = columns;
  if (actor.reachesAll || user == null || user === actor.principal.userId) return columns;
  if (team != null || organization != null) return columns;
  const memberships = await parts.entities.membershipsOf(user);
  const [shared, ...more] = memberships.filter(
    ({ kind, parent_id: id }) => kind === "organization" && actor.organizationIds.includes(id),
  );
  return shared === undefined || more.length > 0
    ? columns
    : { ...columns, organization_id: shared.parent_id };
}

/** A key of a team that is nobody's: it stays when members go. */
async function generateServiceAccount(managed: Managed): Promise<JsonObject> {
  const body = await parseJsonBody(managed.exchange);
  const { metadata = {} } = check(serviceAccountBody, body);
  if (body.user_id != null) throw invalidRequest("user_id: a service account is nobody's", "user_id");
  const named = { ...metadata, service_account_id: body.key_alias ?? metadata?.service_account_id ?? null };
  return generateKey(managed, { ...body, metadata: named });
}

async function updateKey(managed: Managed, body: JsonObject): Promise<JsonObject> {
  const { parts, actor } = managed;
  readKeyFields(body, Date.now());
  const keyHash = hashOf(check(updateKeyBody, body).key);
  const columnsOf = (row: KeyRow) => readKeyFields(body, Date.now(), row);
  const rights = keyRights(actor, parts);
  const row = await parts.issuer.update(keyHash, columnsOf, changerIn(managed), rights);
  parts.remembered.forget();
  return { key: keyHash, ...(await keysWithSpend(parts, [row]))[0] };
}

/** Changes each key for itself: one that is refused does not keep the others from their change. */
async function updateKeys(managed: Managed): Promise<JsonObject> {
  const { keys } = await parseJsonBody(managed.exchange, updateKeysBody);
  const done: JsonObject[] = [];
  const failed: JsonObject[] = [];
  for (const change of keys) {
    const { key } = change;
    try {
      done.push({ key, key_info: await updateKey(managed, change) });
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      failed.push({ key, failed_reason: error.message });
    }
  }
  return { total_requested: keys.length, successful_updates: done, failed_updates: failed };
}

async function deleteKeys(managed: Managed): Promise<JsonObject> {
  const { exchange, parts, actor } = managed;
  const { keys, key_aliases } = await parseJsonBody(exchange, deleteKeysBody);
  const named = (keys ?? []).map(hashOf);
  for (const alias of key_aliases ?? []) {
    const row = await parts.keys.findByAlias(alias);
    if (row === undefined || !(await reachesKey(actor, parts.entities, row)))
      throw notFound(`There is no key with the alias ${alias}`);
    named.push(row.key_hash);
  }
  if (named.length === 0) throw invalidRequest("keys: expected a list of keys, or key_aliases", "keys");
  // Those of others are left as if they were not there.
  const isThere = (row: KeyRow, under: Change) => reachesKey(actor, parts.entities, row, under);
  const deleted = await parts.issuer.delete(named, changerIn(managed), isThere);
  parts.remembered.forget();
  if (deleted.length === 0) {
    if (named.some((keyHash) => parts.fileKeys.find(keyHash) !== undefined)) throw noSuchKey(true);
    throw notFound(
      "None of these keys exists; keys are named by text or token, aliases stand in key_aliases",
    );
  }
  return { deleted_keys: deleted };
}

async function setBlocked(managed: Managed, blocked: boolean): Promise<JsonObject> {
  const { exchange, parts, actor } = managed;
  const body = await parseJsonBody(exchange, namedKey);
  const keyHash = hashOf(body.key);
  const columns = { blocked: blocked ? 1 : 0 };
  const action = blocked ? "blocked" : "unblocked";
  const rights = keyRights(actor, parts);
  const row = await parts.issuer.update(keyHash, () => columns, changerIn(managed), rights, action);
  parts.remembered.forget();
  return (await keysWithSpend(parts, [row]))[0]!;
}

async function regenerateKey(managed: Managed): Promise<JsonObject> {
  const { exchange, parts, actor } = managed;
  const body = await optionalJsonBody(exchange);
  const now = Date.now();
  readKeyFields(body, now);
  const { key: inPath } = exchange.params;
  const given = check(inPath === undefined ? regenerateKeyBody : regenerateByPathBody, body);
  const keyHash = hashOf(inPath ?? (given.key as string));
  const renewal = {
    wanted: given.new_key ?? undefined,
    graceUntil: readGracePeriod(given.grace_period, now),
  };
  await parts.ledger.flush();
  const columnsOf = (row: KeyRow) => readKeyFields(body, now, row);
  const rights = keyRights(actor, parts);
  const { key, row } = await parts.issuer.regenerate(keyHash, columnsOf, changerIn(managed), renewal, rights);
  parts.remembered.forget();
  return { key, token_id: row.key_hash, ...(await keysWithSpend(parts, [row]))[0] };
}

async function resetKeySpend(managed: Managed): Promise<JsonObject> {
  const { exchange, parts, actor } = managed;
  const { key } = exchange.params;
  const keyHash = hashOf(key!);
  const reset = await resetSpend(managed, async (under) => {
    const row = await parts.keys.find(keyHash, under.db);
    if (row === undefined) throw noSuchKey(parts.fileKeys.find(keyHash) !== undefined);
    await requireKey(actor, parts.entities, row, under);
    return {
      owner: keyHash,
      isKey: true,
      models: keySettings(row) as ModelSettings,
      maxBudget: row.max_budget,
      budgetDuration: row.budget_duration,
      entry: keyEntry(row),
      object: keyObject(row, 0),
    };
  });
  return { key_hash: keyHash, ...reset };
}

async function showKey({ exchange, parts, actor }: Managed): Promise<JsonObject> {
  const { principal, query } = exchange;
  const { key: asked } = checkQuery(keyQuery, query);
  const keyHash = asked === undefined ? principal.keyHash : hashOf(asked);
  await parts.ledger.flush();
  const ofFile = parts.fileKeys.find(keyHash);
  const row = ofFile ?? (await parts.keys.find(keyHash));
  if (row === undefined) throw noSuchKey(false);
  await requireKey(actor, parts.entities, row);
  const info = (await keysWithSpend(parts, [row]))[0]!;
  // Nobody knows when a line of the file was written.
  return {
    key: keyHash,
    info: ofFile === undefined ? info : { ...info, created_at: null, updated_at: null },
  };
}

async function listKeys(managed: Managed): Promise<JsonObject> {
  const { exchange, parts } = managed;
  const given = checkQuery(keysQuery, exchange.query);
  const { page = 1, return_full_object: full } = given;
  const size = Math.min(MAX_PAGE, given.size ?? 10);
  const filter = defined({
    userId: given.user_id,
    teamId: given.team_id,
    organizationId: given.organization_id,
    keyAlias: given.key_alias,
    keyHash: given.key_hash === undefined ? undefined : hashOf(given.key_hash),
    within: await keyScopeOf(managed),
  });
  const { rows, total } = await parts.keys.list(filter, (page - 1) * size, size);
  return {
    keys: full ? await keysWithSpend(parts, rows) : rows.map((row) => row.key_hash),
    total_count: total,
    current_page: page,
    total_pages: Math.ceil(total / size),
  };
}

async function listAliases(managed: Managed): Promise<JsonObject> {
  const { page = 1, size: asked } = checkQuery(aliasesQuery, managed.exchange.query);
  const size = Math.min(MAX_PAGE, asked ?? 50);
  const filter = defined({ hasAlias: true, within: await keyScopeOf(managed) });
  const { rows, total } = await managed.parts.keys.list(filter, (page - 1) * size, size);
  return {
    aliases: rows.map((row) => row.key_alias),
    total_count: total,
    current_page: page,
    total_pages: Math.ceil(total / size),
    size,
  };
}

/** The hash of a key, or the hash itself where that was given. */
function hashOf(named: string): string {
  return /^[0-9a-f]{64}$/.test(named) ? named : sha256(named);
}

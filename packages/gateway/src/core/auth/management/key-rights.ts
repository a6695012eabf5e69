import { forbidden, GatewayError, invalidRequest } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { GRANTED_IN_METADATA } from "../../../platform/config/options/key-terms.ts";
import { type KeyCheck, noSuchKey } from "../issue/key-issuer.ts";
import type { Change } from "../records/change.ts";
import { findEntity, requireParent, settingsObject } from "../records/entities.ts";
import type { EntityStore } from "../records/entity-store.ts";
import type { EntityRow } from "../records/entity-tables.ts";
import { type KeySettings, keySettings, SESSION } from "../records/key-fields.ts";
import type { KeyRow } from "../records/keys-table.ts";
import { ADMINISTRATORS } from "../roles.ts";
import type { Actor, Target } from "./actor.ts";
import { requireMaker } from "./key-makers.ts";
import type { KeyManagement } from "./key-management.ts";

/**
 * What a key belongs to, as far as it decides who may see and change it. A personal key is the business of those who
 * administer its user, but an administrator's is of nobody, one's own is no other's for being an organization's admin too,
 * and for a key of an organization it lies without.
 */
async function keyTarget(
  { principal, isBound }: Actor,
  entities: EntityStore,
  row: KeyRow,
  under?: Change,
): Promise<Target> {
  const db = under?.db ?? entities.store.db;
  const { team_id: teamId, user_id: userId, organization_id: organizationId, key_hash: keyHash } = row;
  const owned = { teamId, userId, keyHash };
  if (!isPersonal(row)) {
    // Within a team a key belongs to the team's organization, whatever else its user is in.
    const team = teamId === null ? undefined : await entities.find("team", teamId, db);
    return { ...owned, organizationIds: [organizationId, team?.organization_id] };
  }
  const isOthers = userId !== null && userId !== principal.userId && !isBound;
  if (!isOthers || (await isOfAdministrator(entities, row, db))) return owned;
  return { ...owned, organizationIds: await entities.organizationsOf(userId, db) };
}

function isPersonal({ team_id: team, organization_id: organization }: KeyRow): boolean {
  return team === null && organization === null;
}

async function isOfAdministrator(entities: EntityStore, row: KeyRow, db: Change["db"]): Promise<boolean> {
  return isAdministrators(row, await entities.find("user", row.user_id!, db));
}

/** Whether a key has the role of an administrator, by itself or by its user. */
export function isAdministrators({ user_role }: KeyRow, user: EntityRow | undefined): boolean {
  const roles = [user_role, user && settingsObject(user).user_role];
  return roles.some((role) => ADMINISTRATORS.includes(String(role)));
}

/**
 * Holds a change of a key to what its caller may: the key as it was and as it is to be must be within reach, nobody gives
 * a key more than its own role has, and what the key names must be there.
 */
export function keyRights(actor: Actor, parts: Pick<KeyManagement, "entities" | "keyMakers">): KeyCheck {
  return async (under, next, before) => {
    const target = await keyTarget(actor, parts.entities, next, under);
    if (before === undefined) actor.forbid(target, "make a key there");
    else await requireKey(actor, parts.entities, before, under);
    if (!actor.isProxyAdmin) await requireMay(actor, parts, target, under, next, before);
    // Last, so that nobody who is refused learns what else there is.
    await requireParents(under, next, before);
  };
}

/** What holds for everybody but proxy administrators. @throws GatewayError 403 */
async function requireMay(
  actor: Actor,
  { entities, keyMakers }: Pick<KeyManagement, "entities" | "keyMakers">,
  target: Target,
  under: Change,
  next: KeyRow,
  before: KeyRow | undefined,
): Promise<void> {
  if (next.team_id !== before?.team_id) requireMaker(actor, next, keyMakers());
  refuseMore(next, before);
  refuseFreed(actor, next, before);
  const reachesBoth =
    actor.administers(target) &&
    (before === undefined || actor.administers(await keyTarget(actor, entities, before, under)));
  if (!reachesBoth) refuseLogging(next, before);
  if (!reachesBoth) await requireOwn(actor, under, next, before);
  else if (next.user_id !== (before?.user_id ?? null) || next.team_id !== before?.team_id)
    await requireUser(actor, entities, target, under, next);
  const isGiven = next.key_hash !== before?.key_hash || next.user_id !== before?.user_id;
  if (reachesBoth && isGiven) await requireWholeUser(actor, entities, under, next);
  // Whoever makes or renews a key has its text, and may do what it may.
  if (next.key_hash !== before?.key_hash) await requireNoMore(actor, entities, under, next, reachesBoth);
}

/** @throws GatewayError 404 for a key that is not within reach, as if it were not there */
export async function requireKey(...asked: Parameters<typeof reachesKey>): Promise<void> {
  if (!(await reachesKey(...asked))) throw noSuchKey(false);
}

/** Whether a key is within the caller's reach. */
export async function reachesKey(
  actor: Actor,
  entities: EntityStore,
  row: KeyRow,
  under?: Change,
): Promise<boolean> {
  return actor.reachesAll || actor.reaches(await keyTarget(actor, entities, row, under));
}

/** @throws GatewayError 400 for a team, an organization or a budget that is not there */
async function requireParents(under: Change, next: KeyRow, before: KeyRow | undefined): Promise<void> {
  const isNew = (name: "team_id" | "organization_id") => next[name] !== null && next[name] !== before?.[name];
  const { team_id, organization_id: organization } = next;
  const isMoved = isNew("team_id") || isNew("organization_id");
  const team = isNew("team_id")
    ? await requireParent(under, "team", team_id, "team_id")
    : isMoved && team_id !== null
      ? await findEntity(under, "team", team_id)
      : undefined;
  if (team !== undefined && organization !== null && team.organization_id !== organization)
    throw invalidRequest(`The team ${team.id} is not of the organization ${organization}`, "organization_id");
  if (isNew("organization_id")) await requireParent(under, "organization", organization, "organization_id");
  const budget = keySettings(next).budget_id;
  if (budget != null && budget !== (before && keySettings(before).budget_id))
    await requireParent(under, "budget", budget, "budget_id");
}

/** What nobody but a proxy administrator gives a key. @throws GatewayError 403 */
function refuseMore(next: KeyRow, before: KeyRow | undefined): void {
  const inMetadata = (name: string, row: KeyRow | undefined) =>
    JSON.stringify((JSON.parse(row?.metadata ?? "{}") as JsonObject)[name]);
  const given = GRANTED_IN_METADATA.find((name) => inMetadata(name, next) !== inMetadata(name, before));
  const wrong =
    next.user_role !== (before?.user_role ?? "internal_user")
      ? "user_role"
      : given !== undefined
        ? `metadata.${given}`
        : next.team_metadata !== (before?.team_metadata ?? "{}")
          ? "team_metadata"
          : grantsOf(next) !== grantsOf(before)
            ? "allowed_passthrough_routes"
            : undefined;
  if (wrong !== undefined) throw forbidden(`Only a proxy administrator gives a key ${wrong}`, wrong);
}

/** Beyond its team and its organization no limit of theirs holds for a key. */
function refuseFreed({ principal }: Actor, next: KeyRow, before: KeyRow | undefined): void {
  if (!isPersonal(next) || (before !== undefined && isPersonal(before))) return;
  if (before === undefined && next.user_id !== null && next.user_id === principal.userId) return;
  const text =
    "Only a proxy administrator makes a key for somebody else, or leaves one, without team and organization";
  throw forbidden(text, "organization_id");
}

/** A key's destinations stand in place of its team's and of the configuration's: its owner must not get out of sight. */
function refuseLogging(next: KeyRow, before: KeyRow | undefined): void {
  const loggingOf = (row: KeyRow | undefined) =>
    JSON.stringify((JSON.parse(row?.metadata ?? "{}") as JsonObject).logging);
  const wrong = "metadata.logging";
  if (loggingOf(next) !== loggingOf(before))
    throw forbidden(`Only who administers what a key belongs to gives it ${wrong}`, wrong);
}

function grantsOf(row: KeyRow | undefined): string {
  return JSON.stringify((row && keySettings(row).allowed_passthrough_routes) ?? []);
}

/**
 * A key for somebody else acts as that user: it must be a member of what the key belongs to, and no proxy administrator.
 * @param target what the key belongs to
 */
async function requireUser(
  actor: Actor,
  entities: EntityStore,
  { organizationIds = [] }: Target,
  under: Change,
  next: KeyRow,
): Promise<void> {
  const { user_id: id } = next;
  if (id === null || id === actor.principal.userId) return;
  const user = await findEntity(under, "user", id);
  const role = user === undefined ? undefined : settingsObject(user).user_role;
  const memberships = await entities.membershipsOf(id, under.db);
  const isMember = memberships.some((each) =>
    each.kind === "team"
      ? each.parent_id === next.team_id
      : organizationIds.includes(each.parent_id) && actor.organizationIds.includes(each.parent_id),
  );
  if (!isMember || role === "proxy_admin" || role === "proxy_admin_viewer")
    throw forbidden(`This api key may not make keys for the user ${id}`, "user_id");
}

/**
 * A key without a team sees what its user has made, wherever that was: those alone who administer the whole user get the
 * text of one.
 */
async function requireWholeUser(
  actor: Actor,
  entities: EntityStore,
  under: Change,
  { user_id: id, team_id: team }: KeyRow,
): Promise<void> {
  if (id === null || team !== null || id === actor.principal.userId) return;
  if (actor.administers({ organizationIds: await entities.organizationsOf(id, under.db) })) return;
  throw forbidden(`The user ${id} belongs to others too: it gets keys of teams, or makes its own`, "user_id");
}

/**
 * A key acts with the role of its user, and with its own: its text is for nobody who has less. Somebody else's key is for
 * those alone who administer what it belongs to, or as much of it as its user does.
 */
async function requireNoMore(
  { principal }: Actor,
  entities: EntityStore,
  under: Change,
  next: KeyRow,
  administers: boolean,
): Promise<void> {
  const { user_id, team_id } = next;
  const isOwn = user_id !== null && user_id === principal.userId;
  if (!isOwn && grantsOf(next) !== grantsOf(undefined))
    throw forbidden(
      "Only a proxy administrator renews somebody else's key with allowed_passthrough_routes",
      "allowed_passthrough_routes",
    );
  const user = user_id === null || isOwn ? undefined : await findEntity(under, "user", user_id);
  if (isAdministrators(next, user))
    throw forbidden("Only a proxy administrator makes or renews a key with the role of one", "user_role");
  if (administers || isOwn || user_id === null || team_id === null) return;
  const member = await entities.member("team", team_id, user_id, under.db);
  if (member?.role === "admin")
    throw forbidden("A member makes and renews no key of an admin of its team", "user_id");
}

/** A key of nobody is under no member's budget: who may make keys of its own in a team may not make these for that. */
const SERVICE_ACCOUNTS = "/key/service-account/generate";

/** What may be of a key by those who have it, or whom the team's `team_member_permissions` let. */
async function requireOwn(
  actor: Actor,
  under: Change,
  next: KeyRow,
  before: KeyRow | undefined,
): Promise<void> {
  const { principal } = actor;
  const own = await under.db
    .selectFrom("gateway_keys")
    .selectAll()
    .where("key_hash", "=", principal.keyHash)
    .executeTakeFirst();
  if (before !== undefined) {
    const changed = (Object.keys(next) as (keyof KeyRow)[]).find(
      (name) => !OWNERS_CHANGE.includes(name) && next[name] !== before[name],
    );
    if (changed === undefined) requirePause(next, before);
    if (changed === undefined)
      return principal.token === undefined
        ? requireUnlimited(own, next, before, principal)
        : requireUnlimitedToken(next, before, principal);
    throw forbidden(`The owner of a key may rename, renew and delete it, and not change ${changed}`, changed);
  }
  if (next.team_id !== null && !actor.permitsTeam(next.team_id))
    throw forbidden("A member makes no keys of its team unless team_member_permissions say so", "team_id");
  const boundTo = principal.token === undefined ? own?.team_id : principal.teamId;
  if (boundTo != null && next.team_id !== boundTo)
    throw forbidden("A key of a team makes no keys beyond its team", "team_id");
  if (next.organization_id !== null)
    throw forbidden("Only its administrators make keys of an organization", "organization_id");
  if (next.user_id === null ? actor.path !== SERVICE_ACCOUNTS : next.user_id !== principal.userId)
    throw forbidden("This api key makes keys for its own user alone", "user_id");
  const user = principal.userId === undefined ? undefined : await findEntity(under, "user", principal.userId);
  const problem = ownKeyProblem(principal, own, user !== undefined);
  if (problem !== undefined) throw forbidden(problem);
  const { tags } = JSON.parse(next.metadata) as JsonObject;
  if (tags !== undefined) throw forbidden("Only administrators give a key tags", "tags");
}

/**
 * Why somebody who administers nothing makes no keys of its own; undefined where it does.
 * @param own the row of the key that asks, where the store has it
 */
export function ownKeyProblem(
  principal: Actor["principal"],
  own: KeyRow | undefined,
  isKnownUser: boolean,
): string | undefined {
  if ((own === undefined && principal.token === undefined) || !isKnownUser)
    return "Users that the gateway knows make keys of their own; this api key has none";
  const limited = own === undefined ? isLimitedToken(principal) : isLimited(own);
  return limited ? "An api key that has limits of its own makes no further keys" : undefined;
}

const LIMITS = [
  "rpm_limit",
  "tpm_limit",
  "max_parallel_requests",
  "max_budget",
  "expires_at",
  "allowed_model_region",
] as const satisfies readonly (keyof KeyRow)[];

/** Columns that a renewal or a new name changes. */
const OWNERS_CHANGE: readonly (keyof KeyRow)[] = [
  "key_hash",
  "key_name",
  "key_alias",
  "updated_at",
  "updated_by",
];

function isLimited(key: KeyRow): boolean {
  // A session ends; who signed in is who they are all the same.
  const limits =
    keySettings(key).key_type === SESSION ? LIMITS.filter((name) => name !== "expires_at") : LIMITS;
  return limits.some((name) => key[name] !== null) || key.models !== "[]" || hasRules(keySettings(key));
}

/** A token that its issuer restricts further than its user is, or whose calls count for a customer that it names. */
function isLimitedToken({ token, customerId }: Actor["principal"]): boolean {
  return (
    token === undefined || token.models.length > 0 || token.routes !== undefined || customerId !== undefined
  );
}

/** Milliseconds. */
const PAUSE = 3_600_000;

/**
 * Rates begin anew with a new text, and calls that are under way count when they end: by renewing it again and again its
 * owner would have a key's limits as often.
 */
function requirePause(next: KeyRow, before: KeyRow): void {
  if (next.key_hash === before.key_hash || !isLimited(before)) return;
  const left = (keySettings(before).renewed_at ?? 0) + PAUSE - Date.now();
  if (left <= 0) return;
  const text = "The owner of a key with limits renews it once in an hour; an administrator may do so again";
  throw new GatewayError(429, "rate_limit_error", text, { retryAfter: Math.ceil(left / 1000) });
}

/** Whoever renews another key of its own gets a key that the limits of the one that asks do not bind. */
function requireUnlimited(
  own: KeyRow | undefined,
  next: KeyRow,
  before: KeyRow,
  { keyHash }: Actor["principal"],
): void {
  const isRenewed = next.key_hash !== before.key_hash && before.key_hash !== keyHash;
  if (isRenewed && (own === undefined || isLimited(own)))
    throw forbidden("An api key that has limits of its own renews no other key");
}

/** The same of somebody who comes with a token. */
function requireUnlimitedToken(next: KeyRow, before: KeyRow, principal: Actor["principal"]): void {
  if (next.key_hash !== before.key_hash && isLimitedToken(principal))
    throw forbidden("A token that has limits of its own renews no key");
}

function hasRules(settings: KeySettings): boolean {
  return RULES.some((rule) => settings[rule] != null);
}

const RULES = [
  "allowed_routes",
  "enforced_params",
  "allowed_ips",
  "allowed_cache_controls",
  "budget_id",
  "model_max_budget",
  "model_rpm_limit",
  "model_tpm_limit",
] as const satisfies readonly (keyof KeySettings)[];

import { defined, type JsonObject } from "../../../contract/json.ts";
import type { OwnCallback } from "../../../contract/own-callback.ts";
import type {
  KeyLimits,
  LimitScope,
  PassThroughGrant,
  Restrictions,
  Role,
} from "../../../contract/principal.ts";
import type { KnownKey } from "../authenticate.ts";
import { limitsOf } from "../fields/limits-of.ts";
import { type ModelSettings, modelScopesOf } from "../fields/model-scopes.ts";
import { ADMINISTRATORS } from "../roles.ts";
import type { EntityKind } from "./entity-tables.ts";
import type { KeySettings } from "./key-fields.ts";

/** What an entity or a membership was given, by LiteLLM's names: the part of it that binds calls. */
export interface LevelSettings extends ModelSettings {
  readonly models?: readonly string[];
  readonly allowed_models?: readonly string[];
  readonly allowed_model_region?: string;
  readonly blocked?: boolean;
  readonly allowed_routes?: readonly string[];
  readonly enforced_params?: readonly string[];
  readonly allowed_ips?: readonly string[];
  readonly allowed_passthrough_routes?: readonly string[];
  readonly model_aliases?: Readonly<Record<string, string>>;
  readonly metadata?: JsonObject;
  readonly tags?: readonly string[];
  readonly user_role?: Role;
  readonly team_member_permissions?: readonly string[];
  readonly budget_id?: string;
  readonly max_budget?: number;
  readonly soft_budget?: number;
  readonly budget_duration?: string;
  readonly max_rollover?: number;
  readonly rpm_limit?: number;
  readonly tpm_limit?: number;
  readonly max_parallel_requests?: number;
  /** A member's budget within its team. */
  readonly max_budget_in_team?: number;
  /** What a team gives each of its members that has no limit of its own. */
  readonly team_member_budget?: number;
  readonly team_member_budget_duration?: string;
  readonly team_member_max_rollover?: number;
  readonly team_member_rpm_limit?: number;
  readonly team_member_tpm_limit?: number;
  readonly temp_budget_increase?: number;
  readonly temp_budget_expiry?: string;
  /** A team's destinations of spans. */
  readonly logging?: readonly OwnCallback[];
}

/** What stands above a key. */
export interface Levels {
  readonly organization?: Level | undefined;
  readonly team?: Level | undefined;
  /** The key's user within its team. */
  readonly member?: Level | undefined;
  readonly user?: Level | undefined;
  /** The budget that the key names. */
  readonly budget?: Level | undefined;
}

export interface Level {
  readonly id: string;
  /** Names what its calls spend and use: another one for what is made anew under an old id. */
  readonly owner: string;
  readonly settings: LevelSettings;
  /** How many that were deleted had the id before. */
  readonly generation?: number;
}

const GROUPS_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  llm_api: ["llm_api_routes"],
  management: ["management_routes"],
  read_only: ["info_routes"],
};

/**
 * A key under the levels above it: what it may is what all of them allow. A user's models and limits hold for keys
 * without a team alone, because within a team its membership says what a user may.
 */
export function underLevels(key: KnownKey, own: KeySettings, levels: Levels): KnownKey {
  const { organization, team, member, user } = levels;
  const { principal } = key;
  const all = [organization, team, member, user].map((level) => level?.settings ?? {});
  const modelLists = [
    organization?.settings.models,
    team?.settings.models,
    member?.settings.allowed_models,
    team === undefined ? user?.settings.models : undefined,
  ].filter((list) => list !== undefined && list.length > 0) as (readonly string[])[];
  const restrictions = restrictionsOf([own as LevelSettings, ...all], own);
  const aliases = { ...team?.settings.model_aliases, ...own.aliases };
  const counted = scopesOfLevels(levels);
  const scopes = counted.map(({ scope }) => scope);
  const ofKey = { scope: { owner: principal.keyHash, name: "this api key" }, settings: own as LevelSettings };
  const modelScopes = [ofKey, ...counted].flatMap((each) => modelScopesOf(each.scope, each.settings));
  const passThrough =
    grantOf(own.allowed_passthrough_routes, true) ??
    principal.passThrough ??
    grantOf(team?.settings.allowed_passthrough_routes, false);
  const ofTeam = team?.settings.logging;
  // Where a team has logging disabled, a key's own does not switch it on.
  const logging = ofTeam?.length === 0 ? ofTeam : (principal.logging ?? ofTeam);
  const generations = defined({
    ...principal.generations,
    user: user?.generation || undefined,
    team: team?.generation || undefined,
  });
  const region = regionOf([principal.allowedModelRegion, ...all.map((one) => one.allowed_model_region)]);
  return {
    ...key,
    principal: {
      ...principal,
      role: roleOf(principal.role, user?.settings.user_role, own),
      metadata: withTags(principal.metadata, team?.settings.tags),
      teamMetadata: { ...team?.settings.metadata, ...principal.teamMetadata },
      allowedModelRegion: region,
      limits: { ...limitsOf(levels.budget?.settings), ...principal.limits },
      ...(modelScopes.length === 0 ? {} : { modelScopes }),
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(organization === undefined ? {} : { organizationId: organization.id }),
      ...(modelLists.length === 0 ? {} : { modelLists }),
      ...(Object.keys(aliases).length === 0 ? {} : { modelAliases: aliases }),
      ...(restrictions === undefined ? {} : { restrictions }),
      ...(passThrough === undefined ? {} : { passThrough }),
      ...(logging === undefined ? {} : { logging }),
      ...(Object.keys(generations).length === 0 ? {} : { generations }),
    },
    refusedBy: refusalOf(levels),
  };
}

/**
 * What a key may do: what was given to it, else what its user may, as far as nobody else has the key. What signing in gave
 * to a session ends when the user gets another role.
 */
function roleOf(own: Role, ofUser: Role | undefined, settings: KeySettings): Role {
  const { held_by_others: isHeld, user_role_then: then } = settings;
  if (then !== undefined && then !== (ofUser ?? "internal_user")) return ofUser ?? "internal_user";
  if (own !== "internal_user" || ofUser === undefined) return own;
  return isHeld === true && ADMINISTRATORS.includes(ofUser) ? own : ofUser;
}

/** What a level allows to pass through; a key's own list stands in place of its team's, as with LiteLLM. */
function grantOf(routes: readonly string[] | null | undefined, isOwn: boolean): PassThroughGrant | undefined {
  return routes == null || routes.length === 0 ? undefined : { routes, isOwn };
}

/** Where calls count, and what limits them there for some models alone. */
interface Counted {
  readonly scope: LimitScope;
  readonly settings: ModelSettings;
}

/** What the levels have calls count in, those without limits for their spend. */
function scopesOfLevels({ organization, team, member, user }: Levels): Counted[] {
  const counted: Counted[] = [];
  if (member !== undefined && team !== undefined)
    counted.push({
      scope: {
        owner: member.owner,
        name: `the user ${member.id} in the team ${team.id}`,
        limits: memberLimits(team.settings, member.settings),
      },
      settings: member.settings,
    });
  if (user !== undefined && team !== undefined)
    counted.push({ scope: unlimited("user", user), settings: {} });
  for (const [kind, level] of Object.entries({
    user: team === undefined ? user : undefined,
    team,
    organization,
  }))
    if (level !== undefined)
      counted.push({ scope: scopeOf(kind as EntityKind, level), settings: level.settings });
  return counted;
}

/** What calls that a level stands above count in. */
export function scopeOf(kind: EntityKind, level: Level): LimitScope {
  return { ...unlimited(kind, level), limits: limitsOf(level.settings) };
}

function unlimited(kind: EntityKind, { owner, id }: Level): LimitScope {
  return { owner, name: `the ${kind} ${id}`, limits: {} };
}

/** What a member may use up in its team: its own limits, and those that the team gives each of its members. */
export function memberLimits(team: LevelSettings, member: LevelSettings): KeyLimits {
  return { ...limitsOf(limitsOfMembers(team)), ...limitsOf(limitsOfMember(member)) };
}

function limitsOfMembers(team: LevelSettings): LevelSettings {
  return {
    max_budget: team.team_member_budget,
    budget_duration: team.team_member_budget_duration,
    max_rollover: team.team_member_max_rollover,
    rpm_limit: team.team_member_rpm_limit,
    tpm_limit: team.team_member_tpm_limit,
  } as LevelSettings;
}

function limitsOfMember({ max_budget_in_team: budget, ...limits }: LevelSettings): LevelSettings {
  return budget == null ? limits : { ...limits, max_budget: budget };
}

/** Which level refuses every call. */
function refusalOf({ organization, team, user }: Levels): string | undefined {
  const blocked = Object.entries({ organization, team, user }).find(
    ([, level]) => level?.settings.blocked === true,
  );
  return blocked && `The ${blocked[0]} ${blocked[1]!.id} of this api key is blocked`;
}

function restrictionsOf(
  levels: readonly LevelSettings[],
  { key_type: keyType, allowed_cache_controls: controls }: KeySettings,
): Restrictions | undefined {
  const isGiven = (list: readonly string[] | undefined | null): list is readonly string[] =>
    list != null && list.length > 0;
  const routes = [GROUPS_OF_TYPES[keyType ?? ""], ...levels.map((level) => level.allowed_routes)].filter(
    isGiven,
  );
  const addresses = levels.map((level) => level.allowed_ips).filter(isGiven);
  const params = [...new Set(levels.flatMap((level) => level.enforced_params ?? []))];
  const cacheControls = isGiven(controls) ? controls : undefined;
  if (routes.length === 0 && addresses.length === 0 && params.length === 0 && cacheControls === undefined)
    return undefined;
  return { routes, addresses, params, ...(cacheControls && { cacheControls }) };
}

/** The region of all levels that name one; of two that differ none is left, and no deployment has it. */
function regionOf(regions: readonly (string | null | undefined)[]): string | undefined {
  const named = new Set(regions.filter((region) => region != null));
  return named.size === 0 ? undefined : [...named].join(" and ");
}

/** The key's tags with those of its team. */
function withTags(metadata: JsonObject, tags: readonly string[] | undefined): JsonObject {
  if (tags === undefined || tags.length === 0) return metadata;
  const own = Array.isArray(metadata.tags) ? metadata.tags : [];
  return { ...metadata, tags: [...new Set([...own, ...tags])] };
}

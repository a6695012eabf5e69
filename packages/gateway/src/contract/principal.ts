import { matchesWildcard } from "../util/wildcard.ts";
import { forbidden } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { OwnCallback } from "./own-callback.ts";
import { keyOwnerName, modelOwner, type OwnerKind } from "./owner-name.ts";

/** Roles of LiteLLM's keys that the gateway tells apart; `proxy_admin` may manage keys and see everything. */
export const ROLES = [
  "proxy_admin",
  "proxy_admin_viewer",
  "internal_user",
  "internal_user_viewer",
  "team",
  "customer",
] as const;

export type Role = (typeof ROLES)[number];

/** Most characters of a gateway key. */
export const MAX_KEY = 512;

/** What no key has: a token in `Authorization` is visible ASCII without spaces (RFC 9110, section 11.2). */
export const unsendable = /[^\x21-\x7e]/;

/**
 * Why no request can carry a text as its key, to stand behind the name of what holds it.
 * @returns undefined for a key that can be sent
 */
export function keyProblem(key: string): string | undefined {
  if (key.trim() === "") return "is empty; give it a text, or leave it out";
  if (unsendable.test(key))
    return "has a space, a control character or one beyond ASCII, which no Authorization header can carry; choose a key of visible ASCII characters";
  if (key.length > MAX_KEY)
    return `has more than ${MAX_KEY} characters, which no request is let in with; choose a shorter one`;
  return undefined;
}

/** Enough of a key to recognise it by. */
export function keyName(key: string): string {
  return `sk-...${key.slice(-4)}`;
}

/** What a key may use up. Absent means unlimited. */
export interface KeyLimits {
  /** Requests per minute. */
  readonly rpm?: number;
  /** Tokens per minute, input and output together. */
  readonly tpm?: number;
  /** Requests in flight at the same moment. */
  readonly maxParallelRequests?: number;
  /** US dollars within `budgetDuration`, or in all when that is absent. */
  readonly maxBudget?: number;
  /** US dollars at which somebody is told, in the same windows; refuses nothing. */
  readonly softBudget?: number;
  /** Length of a budget window as LiteLLM writes it: `30s`, `12h`, `30d`, `1mo`. */
  readonly budgetDuration?: string;
  /** US dollars that a window's budget leaves unspent and the next one has more, at most. */
  readonly maxRollover?: number;
  /** US dollars that the budget has more until a time, in milliseconds since the epoch. */
  readonly budgetIncrease?: { readonly amount: number; readonly until: number };
}

/** Something with limits and a budget of its own that calls of several keys share, or some calls of one. */
export interface LimitScope {
  /** Names it among all of them, such as `team:ID`. */
  readonly owner: string;
  /** As refusals name it, such as `the team ID`. */
  readonly name: string;
  readonly limits: KeyLimits;
  /**
   * A customer or a tag has the limits without anybody having given them to it. As callers make up such names, nobody is told
   * of their budgets: they would take the places of all others.
   */
  readonly isByDefault?: true;
  /** All tenants' calls count in it: how much is spent or left is its operator's to know, and no refusal says it. */
  readonly isOperators?: true;
}

/** Whom and what a request names that may have limits of its own. */
export interface Named {
  readonly customer: string | undefined;
  readonly tags: readonly string[];
}

/** Limits that hold for calls of some models alone. */
export interface ModelScope {
  /** A model's name, wildcards allowed. */
  readonly model: string;
  readonly scope: LimitScope;
}

/** Who is calling: what authentication found out about a gateway key. Never carries the key itself. */
export interface Principal {
  /** SHA-256 of the key in hex; names the key in logs, spend rows and ownership. */
  readonly keyHash: string;
  /** By which what the key has made is known, where it was renewed; absent where that is its hash. */
  readonly ownerHash?: string;
  /** Somebody else than its user has its text. */
  readonly isHeldByOthers?: true;
  readonly keyAlias: string | undefined;
  readonly userId: string | undefined;
  readonly role: Role;
  readonly teamId: string | undefined;
  readonly metadata: JsonObject;
  readonly teamMetadata: JsonObject;
  readonly allowedModelRegion: string | undefined;
  /** Model names the key may call, wildcards allowed; empty means all. */
  readonly models: readonly string[];
  readonly limits: KeyLimits;
  /** Whose limits and budgets its calls count in beside the key's own: each must have room. */
  readonly scopes?: readonly LimitScope[];
  /** The same for calls of some models. */
  readonly modelScopes?: readonly ModelScope[];
  /** What its request names: what it spends stands under that, and limits and budgets of these are among `scopes`. */
  readonly named?: Named;
  /** The configured master key. */
  readonly isMaster: boolean;
  readonly organizationId?: string | undefined;
  /** How many that were deleted had the text or the id before; absent for the first. */
  readonly generations?: Readonly<Partial<Record<OwnerKind, number>>>;
  /** Names that the key or its team gives to models; they come before those of the configuration. */
  readonly modelAliases?: Readonly<Record<string, string>>;
  /** Lists of models of the levels above the key, each of which must allow a call too. */
  readonly modelLists?: readonly (readonly string[])[];
  /** Absent where neither the key nor a level above it restricts more than models. */
  readonly restrictions?: Restrictions;
  /** What it may pass through to providers, where an administrator has allowed it something. */
  readonly passThrough?: PassThroughGrant;
  /** The customer for whom its calls are made, whatever they say themselves. */
  readonly customerId?: string;
  /** Absent where it is a gateway key. */
  readonly token?: TokenOrigin;
  /** Destinations that its team has for its spans; none at all where the list is empty. */
  readonly logging?: readonly OwnCallback[];
}

/** Paths below which requests pass through to a provider (`allowed_passthrough_routes`). */
export interface PassThroughGrant {
  readonly routes: readonly string[];
  /** The key itself has it; otherwise its team. */
  readonly isOwn: boolean;
}

/** What an issuer's token gave its caller, before what stands above it; enough to admit it again without the token. */
export interface TokenOrigin {
  readonly issuer: string;
  readonly role: Role;
  readonly models: readonly string[];
  readonly routes?: readonly string[];
}

/** What a key and the levels above it ask of a request beside its model; each list comes from one level. */
export interface Restrictions {
  /** Paths and groups of them that may be asked (`allowed_routes`). */
  readonly routes: readonly (readonly string[])[];
  /** Those that only administrators may ask (`admin_only_routes`). */
  readonly refusedRoutes?: readonly string[];
  /** Addresses and networks that requests may come from (`allowed_ips`). */
  readonly addresses: readonly (readonly string[])[];
  /** Its calls may name no tags (`reject_clientside_metadata_tags`). */
  readonly refusesTags?: boolean;
  /** Fields that calls must have (`enforced_params`). */
  readonly params: readonly string[];
  /** What calls may say of the response cache (`allowed_cache_controls`); absent for everything. */
  readonly cacheControls?: readonly string[];
}

/** The caller of a public route. */
export const anonymous: Principal = {
  keyHash: "",
  keyAlias: undefined,
  userId: undefined,
  role: "customer",
  teamId: undefined,
  metadata: {},
  teamMetadata: {},
  allowedModelRegion: undefined,
  models: [],
  limits: {},
  isMaster: false,
};

/** The key and what it stands under. */
export function scopesOf({ keyHash, limits, scopes = [] }: Principal): readonly LimitScope[] {
  return [{ owner: keyHash, name: "this api key", limits }, ...scopes];
}

/** `scopesOf` under names that last: a key's minute goes on when its owner renews it, which would double what a minute has. */
export function lastingScopes(principal: Principal): readonly LimitScope[] {
  const scopes = scopesOf(principal);
  const { keyHash, ownerHash, generations } = principal;
  // Nearly every key has never been renewed, and nobody had its text before.
  if (ownerHash === undefined && generations?.key === undefined) return scopes;
  const lasting = generations?.key === undefined ? ownerHash! : keyOwnerName(principal);
  const ofModels = modelOwner(keyHash, "");
  const nameOf = (owner: string): string => {
    if (owner === keyHash) return lasting;
    return owner.startsWith(ofModels) ? modelOwner(lasting, owner.slice(ofModels.length)) : owner;
  };
  return scopes.map((scope) => ({ ...scope, owner: nameOf(scope.owner) }));
}

/** Whether a budget holds the principal's calls. */
export function hasBudget({ limits, scopes, modelScopes }: Principal): boolean {
  return (
    limits.maxBudget !== undefined ||
    modelScopes?.some(({ scope }) => scope.limits.maxBudget !== undefined) === true ||
    scopes?.some((scope) => scope.limits.maxBudget !== undefined) === true
  );
}

/** US dollars that a budget has at a moment without what rolls over to it; `undefined` for no budget. */
export function budgetAt({ maxBudget, budgetIncrease }: KeyLimits, at: number): number | undefined {
  if (maxBudget === undefined || budgetIncrease === undefined || at >= budgetIncrease.until) return maxBudget;
  return maxBudget + budgetIncrease.amount;
}

/**
 * The principal without limits but its budgets: of a share beside that of a call which has counted for the others.
 * @param counted the principal that the call counted for; what this one has in addition keeps all its limits
 */
export function underBudgetsAlone(principal: Principal, counted = principal): Principal {
  const added = addedScopes(principal, counted);
  const budgets = withLimits(principal, budgetOf);
  if (added.length === 0) return budgets;
  const scopes = budgets.scopes!.map((scope) => added.find(({ owner }) => owner === scope.owner) ?? scope);
  return { ...budgets, scopes };
}

/** What a principal's calls count in beside what those of another one count in. */
export function addedScopes(
  { scopes = [] }: Principal,
  { scopes: counted = [] }: Principal,
): readonly LimitScope[] {
  return scopes.filter(({ owner }) => counted.every((scope) => scope.owner !== owner));
}

/** The principal with further limits and budgets that its calls count in, where these are not among its own. */
export function countingIn(principal: Principal, further: readonly LimitScope[] | undefined): Principal {
  if (further === undefined) return principal;
  const { scopes = [] } = principal;
  const added = further.filter(({ owner }) => !scopes.some((scope) => scope.owner === owner));
  return { ...principal, scopes: [...scopes, ...added] };
}

/** The principal without budgets: of what costs nothing, which it may still ask for when they are spent. */
export function withoutBudgets(principal: Principal): Principal {
  if (!hasBudget(principal)) return principal;
  return withLimits(principal, ({ maxBudget: _, ...others }) => others);
}

/** The principal with no limit but that of its requests a minute. */
export function underRequestsAlone(principal: Principal): Principal {
  return withLimits(principal, ({ rpm }) => (rpm === undefined ? {} : { rpm }));
}

/** The principal with other limits at all levels, those for some models included. */
function withLimits(principal: Principal, limitsOf: (limits: KeyLimits) => KeyLimits): Principal {
  const { limits, scopes = [], modelScopes } = principal;
  const changed = (scope: LimitScope) => ({ ...scope, limits: limitsOf(scope.limits) });
  return {
    ...principal,
    limits: limitsOf(limits),
    scopes: scopes.map(changed),
    ...(modelScopes && {
      modelScopes: modelScopes.map(({ model, scope }) => ({ model, scope: changed(scope) })),
    }),
  };
}

function budgetOf({
  maxBudget,
  softBudget,
  budgetDuration,
  maxRollover,
  budgetIncrease,
}: KeyLimits): KeyLimits {
  if (maxBudget === undefined && softBudget === undefined) return {};
  return {
    ...(maxBudget === undefined ? {} : { maxBudget }),
    ...(softBudget === undefined ? {} : { softBudget }),
    ...(budgetDuration === undefined ? {} : { budgetDuration }),
    ...(maxRollover === undefined ? {} : { maxRollover }),
    ...(budgetIncrease === undefined ? {} : { budgetIncrease }),
  };
}

/** LiteLLM's words for "every model" in a key's list. */
const everyModel = new Set(["*", "all-proxy-models", "all-team-models"]);

/** Whether a key may call some models only. */
export function isBoundToModels({ models, modelLists }: Principal): boolean {
  return models.length > 0 || modelLists !== undefined;
}

/** Whether a key may call a model by this name: the key itself and each level above it. */
export function mayCallModel({ models, modelLists }: Principal, model: string): boolean {
  if (models.length > 0 && !allowsModel(models, model)) return false;
  return modelLists === undefined || modelLists.every((list) => allowsModel(list, model));
}

/** Whether a list of models, wildcards and LiteLLM's words among them, has a model by this name. */
export function allowsModel(models: readonly string[], model: string): boolean {
  return models.some((pattern) => everyModel.has(pattern) || matchesWildcard(pattern, model));
}

/** What a caller means by a model's name: another one where its key or its team says so. */
export function ownAlias({ modelAliases }: Principal, model: string): string {
  return modelAliases !== undefined && Object.hasOwn(modelAliases, model) ? modelAliases[model]! : model;
}

/** @throws GatewayError 403 when the key may not call the model under any of the names it is known by */
export function requireModel(principal: Principal, model: string, ...furtherNames: string[]): void {
  if (mayCallModel(principal, model) || furtherNames.some((name) => mayCallModel(principal, name))) return;
  throw forbidden(`This api key may not call the model ${model}`, "model");
}

/**
 * Whether a key stands for its user beyond its team. Within a team others than the user make keys for it, and must neither
 * see nor change by such a key what it is and has elsewhere.
 */
export function standsForUser({ isHeldByOthers, teamId }: Principal): boolean {
  return isHeldByOthers !== true || teamId === undefined;
}

import { isUnreachable } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { type NamingRequest, namedBy } from "../../contract/naming-request.ts";
import type { KeyLimits, LimitScope, Named, Principal, Role } from "../../contract/principal.ts";
import type { ConfiguredKey } from "../../platform/config/gateway-config.ts";
import type { KeyLookup, KnownKey } from "./authenticate.ts";
import { limitsOf } from "./fields/limits-of.ts";
import { callbacksIn } from "./fields/own-callbacks.ts";
import { JoinedReads } from "./joined-reads.ts";
import { customerBlocked, type NamedDefaults } from "./named-defaults.ts";
import type { EntityStore } from "./records/entity-store.ts";
import { keySettings } from "./records/key-fields.ts";
import type { KeyStore } from "./records/key-store.ts";
import type { KeyRow } from "./records/keys-table.ts";
import { type Level, scopeOf, underLevels } from "./records/levels.ts";
import { type NamedKind, namesIn, underScopes } from "./request-scopes.ts";
import { UncheckedKeys } from "./unchecked-keys.ts";

/** Milliseconds for which the version of the keys is believed; a change is in force everywhere within a second. */
const BELIEVE_FOR = 400;

/** Milliseconds for which nobody waits for a database that did not answer, whose key is not kept there. */
const WAIT_AGAIN_AFTER = 5000;

/** Keys remembered, the unknown ones that somebody tries included. */
const MAX_REMEMBERED = 20_000;

/** The keys in the store with what stands above them, remembered until any replica changes one of both. */
export class StoredKeys implements KeyLookup {
  readonly #store: KeyStore;
  readonly #entities: EntityStore;
  readonly #remembered = new Map<string, KnownKey | undefined>();
  readonly #governed = new WeakMap<object, { readonly generation: number; readonly key: KnownKey }>();
  readonly #defaults: NamedDefaults;
  /** Customers, tags and the budget of customers by kind and id, those included that do not exist. */
  readonly #named = new Map<string, Level | undefined>();
  #hasNamed = false;
  /** Adds to principals what requests name; absent while nobody of that kind has limits. */
  named: this | undefined = undefined;
  #version = -1;
  /** Counts how often everything was forgotten. */
  #generation = 0;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** When the database was last found to be away. */
  #awayAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;
  readonly #reads = new JoinedReads();
  readonly #admitsUnchecked: () => boolean;
  readonly #unchecked = new UncheckedKeys();

  /**
   * @param defaults limits of customers and tags that have none of their own
   * @param admitsUnchecked whether keys count that cannot be looked up, because the database is away
   */
  constructor(
    store: KeyStore,
    entities: EntityStore,
    defaults: NamedDefaults,
    admitsUnchecked: () => boolean = () => false,
  ) {
    this.#admitsUnchecked = admitsUnchecked;
    this.#store = store;
    this.#entities = entities;
    this.#defaults = defaults;
    this.#followNamed();
    defaults.subscribe(() => this.#followNamed());
  }

  #followNamed(): void {
    this.named = this.#hasNamed || this.#defaults.areAny ? this : undefined;
  }

  find(keyHash: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    if (performance.now() - this.#checkedAt < BELIEVE_FOR && this.#remembered.has(keyHash))
      return this.#remembered.get(keyHash);
    return this.#look(keyHash);
  }

  async successor(keyHash: string): Promise<KnownKey | undefined> {
    const key = await this.find(keyHash);
    if (key?.principal.keyHash === keyHash) return key;
    const renewed = key?.principal.keyHash ?? (await this.#store.renewedTo(keyHash));
    return renewed === undefined ? undefined : this.find(renewed);
  }

  governed(key: ConfiguredKey): KnownKey | Promise<KnownKey> {
    // A configuration that was read anew may say something else of the same key.
    const known = this.#governed.get(key);
    if (performance.now() - this.#checkedAt < BELIEVE_FOR && known?.generation === this.#generation)
      return known.key;
    return this.#govern(key);
  }

  /**
   * Somebody whom an issuer vouches for, as what stands above is now.
   * @param caller the same object for the same claims
   * @throws while the database is away, as for keys that are kept there
   */
  async signedIn(caller: { resolve(): Promise<KnownKey> }): Promise<KnownKey> {
    if (performance.now() - this.#checkedAt >= BELIEVE_FOR) await this.#check();
    const known = this.#governed.get(caller);
    if (known?.generation === this.#generation) return known.key;
    const generation = this.#generation;
    const key = await this.#reads.join(generation, caller, () => caller.resolve());
    if (generation === this.#generation) this.#governed.set(caller, { generation, key });
    return key;
  }

  /**
   * A principal for one request: its calls count too in the customer and the tags that the request names, and so does
   * what goes on after it. One that stands under some already, as the rows of a batch do, stands under both.
   * @throws GatewayError 403 for a customer that is blocked
   */
  scoped(principal: Principal, request: NamingRequest): Promise<Principal> {
    return this.under(principal, namedBy(principal, request));
  }

  /** As `scoped`, by the names that were found once. */
  async under(principal: Principal, named: Named): Promise<Principal> {
    const scopes: LimitScope[] = [];
    try {
      for (const [kind, id] of namesIn(named)) scopes.push(...(await this.#scopesOf(kind, id)));
    } catch (error) {
      if (!isUnreachable(error) || !this.#admitsUnchecked()) throw error;
    }
    return underScopes(principal, named, scopes);
  }

  async #scopesOf(kind: NamedKind, id: string): Promise<LimitScope[]> {
    this.#defaults.requireUnblocked(kind, id);
    const level = await this.#lookNamed(kind, id);
    if (kind === "customer" && level?.settings.blocked === true) throw customerBlocked(id);
    const own = level && scopeOf(kind, level);
    if (own !== undefined && Object.keys(own.limits).length > 0) return [own];
    const ofBudget = kind === "customer" ? await this.#limitsOfCustomers() : undefined;
    const ofAll = this.#defaults.scopeOf(kind, id, ofBudget);
    return [own, ofAll].filter((scope) => scope !== undefined);
  }

  /** Those of the budget that the configuration names for customers, where it is there. */
  async #limitsOfCustomers(): Promise<KeyLimits | undefined> {
    const id = this.#defaults.customersBudget;
    if (id === undefined) return undefined;
    const budget = await this.#lookNamed("budget", id);
    this.#defaults.noteBudget(id, budget !== undefined);
    return budget && limitsOf(budget.settings);
  }

  async #lookNamed(kind: NamedKind | "budget", id: string): Promise<Level | undefined> {
    const name = `${kind} ${id}`;
    if (this.#named.has(name)) return this.#named.get(name);
    const generation = this.#generation;
    const level = await this.#reads.join(generation, name, () => this.#entities.level(kind, id));
    if (this.#named.size >= MAX_REMEMBERED) this.#named.clear();
    if (generation === this.#generation) this.#named.set(name, level);
    return level;
  }

  whenFresh<T>(value: T): T | Promise<T> {
    const now = performance.now();
    if (now - this.#checkedAt < BELIEVE_FOR) return value;
    const checked = this.#check().catch(() => undefined);
    return now - this.#failedAt < WAIT_AGAIN_AFTER ? value : checked.then(() => value);
  }

  /** Forgets everything; called after a change made here, so that it is in force at once. */
  forget(): void {
    this.#remembered.clear();
    this.#named.clear();
    this.#generation += 1;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  async #govern(key: ConfiguredKey): Promise<KnownKey> {
    const known = this.#governed.get(key);
    try {
      if (performance.now() - this.#checkedAt >= BELIEVE_FOR) await this.#check();
      if (known?.generation === this.#generation) return known.key;
      const generation = this.#generation;
      const { userId, teamId } = key.principal;
      const levels = await this.#reads.join(generation, key, () =>
        this.#entities.levelsOf({ userId, teamId }),
      );
      const governed = underLevels(key, {}, levels);
      if (generation === this.#generation) this.#governed.set(key, { generation, key: governed });
      return governed;
    } catch {
      // Keys of the file are there so that a gateway works while its database does not.
      return known?.key ?? key;
    }
  }

  /** The key of a hash, also of one that was renewed and whose old text is still accepted. */
  async #read(keyHash: string): Promise<KnownKey | undefined> {
    const row = await this.#store.find(keyHash);
    if (row !== undefined) return this.#underLevels(row);
    const renewed = await this.#store.findRenewed(keyHash);
    if (renewed === undefined) return undefined;
    const key = await this.#underLevels(renewed.row);
    return { ...key, expiresAt: Math.min(renewed.until, key.expiresAt ?? renewed.until) };
  }

  async #underLevels(row: KeyRow): Promise<KnownKey> {
    const own = keySettings(row);
    const levels = await this.#entities.levelsOf({
      organizationId: row.organization_id,
      teamId: row.team_id,
      userId: row.user_id,
      budgetId: own.budget_id,
    });
    return underLevels(toKnownKey(row), own, levels);
  }

  async #look(keyHash: string): Promise<KnownKey | undefined> {
    if (!this.#admitsUnchecked()) return await this.#lookNow(keyHash);
    const looked = this.#lookNow(keyHash);
    try {
      // Calls do not wait one after the other for a database that has just failed.
      if (performance.now() - this.#awayAt >= WAIT_AGAIN_AFTER) return await looked;
      looked.catch(() => undefined);
    } catch (error) {
      // Whoever keeps a database busy is not let in for it.
      if (!isUnreachable(error)) throw error;
      this.#awayAt = performance.now();
    }
    const isUnknown = this.#remembered.has(keyHash) && this.#remembered.get(keyHash) === undefined;
    return isUnknown ? undefined : this.#unchecked.of(keyHash, this.#remembered.get(keyHash));
  }

  async #lookNow(keyHash: string): Promise<KnownKey | undefined> {
    if (performance.now() - this.#checkedAt >= BELIEVE_FOR) await this.#check();
    if (this.#remembered.has(keyHash)) return this.#remembered.get(keyHash);
    const generation = this.#generation;
    const key = await this.#reads.join(generation, keyHash, () => this.#read(keyHash));
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    // A row read before a change that was noticed meanwhile must not be remembered as the new state.
    if (generation === this.#generation) this.#remembered.set(keyHash, key);
    return key;
  }

  #check(): Promise<void> {
    this.#checking ??= this.#readVersion()
      .catch((error: unknown) => {
        this.#failedAt = performance.now();
        if (isUnreachable(error)) this.#awayAt = this.#failedAt;
        throw error;
      })
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  async #readVersion(): Promise<void> {
    const askedAt = performance.now();
    const version = await this.#store.version();
    if (version !== this.#version) {
      this.forget();
      this.#hasNamed = await this.#entities.hasAny(["customer", "tag"]);
      this.#followNamed();
    }
    this.#version = version;
    this.#checkedAt = askedAt;
    this.#failedAt = Number.NEGATIVE_INFINITY;
    this.#awayAt = Number.NEGATIVE_INFINITY;
    this.#unchecked.forget();
  }
}

/** A row of the store as the key it stands for, without what stands above it. */
function toKnownKey(row: KeyRow): KnownKey {
  const settings = keySettings(row);
  const { owner_hash: ownerHash, held_by_others: isHeld } = settings;
  const { logging, ...metadata } = JSON.parse(row.metadata) as JsonObject;
  const callbacks = callbacksIn(logging);
  return {
    principal: {
      keyHash: row.key_hash,
      ...(ownerHash === undefined ? {} : { ownerHash }),
      ...(isHeld === true ? { isHeldByOthers: true as const } : {}),
      keyAlias: row.key_alias ?? undefined,
      userId: row.user_id ?? undefined,
      role: row.user_role as Role,
      teamId: row.team_id ?? undefined,
      metadata,
      ...(callbacks.length === 0 ? {} : { logging: callbacks }),
      teamMetadata: JSON.parse(row.team_metadata) as JsonObject,
      allowedModelRegion: row.allowed_model_region ?? undefined,
      models: JSON.parse(row.models) as string[],
      limits: limitsOf({ ...settings, ...row }),
      isMaster: false,
      ...(row.generation === 0 ? {} : { generations: { key: row.generation } }),
    },
    expiresAt: row.expires_at ?? undefined,
    ...(settings.sign_in_rules === undefined ? {} : { signInRules: settings.sign_in_rules }),
    blocked: row.blocked === 1,
  };
}

import { randomBytes } from "node:crypto";
import { type CallRecord, noteShownId } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import { notFound } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { requireUpstreamName } from "../../contract/upstream-path.ts";
import type { Store } from "../../platform/store/schema.ts";
import { noDeployment } from "../auth/deployment-permission.ts";
import { IssuedObjects } from "./issued-objects.ts";
import { type LiteLlmReference, looksLikeLiteLlmId, readLiteLlmId } from "./litellm-id.ts";
import { deploymentTag, type ObjectIdCodec, tenantTag } from "./object-id.ts";
import { type ObjectKind, objectKinds } from "./object-kind.ts";
import type { ObjectStore } from "./object-store.ts";
import type { ObjectRow } from "./objects-table.ts";
import { type OwnershipScope, seesEveryTenant, tenantOf } from "./tenant.ts";

/** Where an object was made: by a deployment, or by a provider called directly. */
export interface Origin {
  readonly deployment: Deployment | undefined;
  readonly provider: string;
}

/** An id that a caller sent, traced back. */
export interface LocatedObject {
  /** The id as the caller knows it; answers carry it unchanged. */
  readonly id: string;
  /** The object's id at the provider; absent for objects that only the gateway has. */
  readonly providerId: string | undefined;
  /** Absent when only the provider's side knows: the spec's order of selectors decides then. */
  readonly origin: Origin | undefined;
  /** What the store keeps of it. */
  readonly row: ObjectRow | undefined;
  /** The models that an id issued by LiteLLM names. */
  readonly targetModels: readonly string[];
}

export interface OwnershipOptions {
  readonly codec: ObjectIdCodec;
  /** Absent without a persistent store: ids then carry all there is to know. */
  readonly objects: ObjectStore | undefined;
  readonly deployments: () => readonly Deployment[];
  /** A deployment as it is at the provider at which something was made. */
  readonly deploymentAt: (deployment: Deployment, provider: string) => Deployment;
  /** The deployments that a model's name stands for; none for an unknown one. */
  readonly deploymentsOf: (model: string) => readonly Deployment[];
  /** Whether a key may use a deployment, by its region and its models. */
  readonly permits: (principal: Principal, deployment: Deployment) => boolean;
  /** Names of the providers that can be called without a deployment. */
  readonly providers: readonly string[];
  readonly scope: () => OwnershipScope;
  /** Whether ids that the gateway never issued may be used (`gateway_settings.allow_provider_ids`). */
  readonly allowsProviderIds: () => boolean;
}

/** Tenants of objects that a feature records in a table of its own, by the objects' ids at their providers. */
export type TenantRecords = (kind: ObjectKind, providerIds: readonly string[]) => Promise<readonly string[]>;

/** The tenants of each of these items of responses that is known. */
type ItemRecords = (ids: readonly string[]) => Promise<ReadonlyMap<string, ReadonlySet<string>>>;

/** What is kept of a new object beside its id. */
export interface NewObject {
  /** Chosen beforehand, so that making it twice makes it once; only for objects that the gateway alone has. */
  readonly id?: string;
  readonly createdAt?: number;
  readonly expiresAt?: number;
  readonly data?: JsonObject;
}

/** Characters; some providers and clients cap ids there. Only without a store may an id be longer. */
const MAX_ID = 64;

/** Maps an object's id to its owner and to the deployment that made it. */
export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #issued = new IssuedObjects();
  readonly #records: TenantRecords[] = [];
  #items: ItemRecords | undefined;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  /** Has these records asked too. */
  addRecords(records: TenantRecords): void {
    this.#records.push(records);
  }

  /** Has the tenants of items from these. */
  addItems(records: ItemRecords): void {
    this.#items = records;
  }

  /** Whether ids that the gateway never issued may be used. */
  get allowsProviderIds(): boolean {
    return this.#options.allowsProviderIds();
  }

  tenantOf(principal: Principal): string {
    return tenantOf(principal, this.#options.scope());
  }

  /** Notes that the principal made this object at a provider; returns the id to hand out. */
  async register(
    kind: ObjectKind,
    principal: Principal,
    origin: Origin,
    providerId: string,
    more: NewObject = {},
  ): Promise<string> {
    const id = this.idFor(kind, principal, origin, providerId);
    await (this.#options.objects ?? this.#issued).insert(
      this.#row(id, kind, principal, origin, providerId, more),
    );
    return id;
  }

  /**
   * For objects of which a feature keeps a record of its own: without a store this process alone remembers who made
   * one, so that nobody else reaches it by the provider's id.
   */
  remember(kind: ObjectKind, principal: Principal, origin: Origin, providerId: string): void {
    if (this.#options.objects !== undefined) return;
    const id = this.idFor(kind, principal, origin, providerId);
    this.#issued.insert(this.#row(id, kind, principal, origin, providerId, {}));
  }

  /**
   * Makes an object that only the gateway has; it needs the store.
   * @param within a transaction that it is part of
   */
  async create(
    kind: ObjectKind,
    principal: Principal,
    provider: string,
    more: NewObject = {},
    within?: Store["db"],
  ): Promise<string> {
    const id = more.id ?? this.newId(kind);
    const origin = { deployment: undefined, provider };
    await this.#store().insert(this.#row(id, kind, principal, origin, null, more), within);
    return id;
  }

  /** An id for an object that only the gateway has. */
  newId(kind: ObjectKind): string {
    return objectKinds[kind].prefix + randomBytes(24).toString("base64url");
  }

  /** The id that an object of this principal at a provider has; the same in create, get and list. */
  idFor(kind: ObjectKind, principal: Principal, origin: Origin, providerId: string): string {
    const { codec, objects } = this.#options;
    const tenant = this.tenantOf(principal);
    const isShort = objects === undefined || codec.mintedLength(kind, providerId) <= MAX_ID;
    return codec[isShort ? "mint" : "digest"](kind, tenant, originName(origin), providerId);
  }

  /**
   * Traces an id back. Ids of ours, LiteLLM's and the provider's own are understood, in this order.
   * @throws GatewayError 404 for an object of another tenant exactly as for one that does not exist, 403 for one at a
   * deployment that the key's region or models exclude
   * @param call told by which id the caller knows the object
   */
  async locate(
    kind: ObjectKind,
    id: string,
    principal: Principal,
    call?: CallRecord,
  ): Promise<LocatedObject> {
    const located = await this.#locate(kind, id, principal);
    if (call !== undefined) noteShownId(call, located.providerId, id);
    return located;
  }

  async #locate(kind: ObjectKind, id: string, principal: Principal): Promise<LocatedObject> {
    const opened = this.#options.codec.open(id);
    if (opened?.kind === kind) {
      const mine = opened.tenantTag === tenantTag(this.tenantOf(principal));
      if (!mine && !seesEveryTenant(principal)) throw unknown(kind, id);
      const row = await this.#find(id);
      if (row !== undefined && isWithheld(row)) throw unknown(kind, id);
      const tagged = this.#originByTag(opened.deploymentTag);
      // The provider of a deployment of any model stands in the row.
      const isWhole = tagged !== undefined && tagged.provider !== "*";
      const origin = isWhole ? tagged : ((row && this.#originOf(row)) ?? tagged);
      if (origin === undefined) throw notFound(`The deployment that made '${id}' is no longer configured`);
      this.#requirePermission(principal, origin);
      return { id, providerId: opened.providerId, origin, row, targetModels: [] };
    }
    const row = await this.#find(id);
    if (row !== undefined) {
      if (row.kind !== kind || isWithheld(row) || !this.isVisible(row, principal)) throw unknown(kind, id);
      const origin = this.#originOf(row);
      this.#requirePermission(principal, origin);
      return {
        id,
        providerId: row.provider_id ?? undefined,
        origin,
        row,
        targetModels: [],
      };
    }
    return this.#locateForeign(kind, id, principal);
  }

  /** Which of these items of responses are another tenant's. Items have their providers' ids, which callers get. */
  async foreignItems(ids: readonly string[], tenant: string): Promise<ReadonlySet<string>> {
    const known = (await this.#items?.([...new Set(ids)])) ?? new Map<string, ReadonlySet<string>>();
    return new Set([...known].filter(([, tenants]) => !tenants.has(tenant)).map(([id]) => id));
  }

  /**
   * The store's rows for a provider's objects, by provider id: to give a list its ids and hide other tenants' objects.
   * Of several with one id, as hosts give that count from 1, the one that was made at this place is meant.
   */
  async rowsOf(
    kind: ObjectKind,
    providerIds: readonly string[],
    { deployment, provider }: Origin,
  ): Promise<ReadonlyMap<string, ObjectRow>> {
    const rows = await (this.#options.objects ?? this.#issued).findByProviderIds(kind, providerIds);
    const isOfPlace = (row: ObjectRow): boolean =>
      row.provider === provider && row.deployment_id === (deployment?.id ?? null);
    const sorted = [...rows.filter((row) => !isOfPlace(row)), ...rows.filter(isOfPlace)];
    return new Map(sorted.map((row) => [row.provider_id!, row]));
  }

  /** Whether the principal may see the object. */
  isVisible(row: ObjectRow, principal: Principal): boolean {
    return row.tenant === this.tenantOf(principal) || seesEveryTenant(principal);
  }

  /**
   * The id under which a list shows an object of a provider's account; `undefined` where it does not. What nobody is
   * known to have made is shown as long as its own id may be used, and without a store, which would know its maker, to
   * administrators only.
   * @param row of the object, as `rowsOf` found it
   */
  shownId(row: ObjectRow | undefined, providerId: string, principal: Principal): string | undefined {
    if (row !== undefined) return this.isVisible(row, principal) ? row.id : undefined;
    const { objects, allowsProviderIds } = this.#options;
    const isShown = allowsProviderIds() && (objects !== undefined || seesEveryTenant(principal));
    return isShown ? providerId : undefined;
  }

  /** Forgets an object that was deleted. */
  async forget(id: string): Promise<void> {
    await (this.#options.objects ?? this.#issued).delete(id);
  }

  /** Nobody gets this object of a provider's any more, by whatever id; `forget` ends that. */
  async withhold(
    kind: ObjectKind,
    principal: Principal,
    origin: Origin,
    providerId: string,
  ): Promise<string> {
    const id = this.idFor(kind, principal, origin, providerId);
    await this.forget(id);
    const more = { data: { isWithheld: true } };
    await (this.#options.objects ?? this.#issued).insert(
      this.#row(id, kind, principal, origin, providerId, more),
    );
    return id;
  }

  /** An id issued by LiteLLM, or the provider's own. */
  async #locateForeign(kind: ObjectKind, id: string, principal: Principal): Promise<LocatedObject> {
    if (!this.#options.allowsProviderIds()) throw unknown(kind, id);
    const foreign = readLiteLlmId(id);
    if (foreign === undefined ? looksLikeLiteLlmId(id) : foreign.kind !== kind) throw unknown(kind, id);
    const providerId = foreign === undefined ? id : foreign.providerId;
    requireUpstreamName(providerId ?? id);
    const known =
      providerId === undefined ? undefined : await this.#recorded(kind, id, providerId, principal);
    const origin =
      (foreign && this.#originOfForeign(foreign, kind, id, principal)) ?? (known && this.#originOf(known));
    if (origin !== undefined) this.#requirePermission(principal, origin);
    return { id, providerId, origin, row: known, targetModels: foreign?.targetModels ?? [] };
  }

  /**
   * The object of a provider's id, where it was made through this gateway. A server that takes an encoded slash for
   * one would find the object of each of the id's steps, so these count too.
   * @throws GatewayError 404 where another tenant made it
   */
  async #recorded(
    kind: ObjectKind,
    id: string,
    providerId: string,
    principal: Principal,
  ): Promise<ObjectRow | undefined> {
    const names = [...new Set([providerId, ...providerId.split("/")])];
    const rows = await (this.#options.objects ?? this.#issued).findByProviderIds(kind, names);
    if (rows.some((row) => isWithheld(row) || !this.isVisible(row, principal))) throw unknown(kind, id);
    const recorded = await Promise.all(this.#records.map((records) => records(kind, names)));
    const tenants = recorded.flat();
    const own = this.tenantOf(principal);
    if (!seesEveryTenant(principal) && tenants.some((tenant) => tenant !== own)) throw unknown(kind, id);
    const same = rows.filter((row) => row.provider_id === providerId);
    // Hosts that count from 1 give their ids more than once: then nothing says which of them is meant.
    return same.length === 1 ? same[0] : undefined;
  }

  /**
   * Where an id of LiteLLM's leads: to the deployment that it names, to one of the model that it names, or to its
   * provider.
   * @throws GatewayError 404 for a name that nothing has, 403 where the key may use none of the model's deployments
   */
  #originOfForeign(
    { deploymentId, provider, targetModels, providerId }: LiteLlmReference,
    kind: ObjectKind,
    id: string,
    principal: Principal,
  ): Origin | undefined {
    const name = deploymentId ?? (providerId === undefined ? undefined : targetModels[0]);
    if (name === undefined) return provider === undefined ? undefined : { deployment: undefined, provider };
    const { deployments, deploymentsOf, permits } = this.#options;
    const one = deployments().find((deployment) => deployment.id === name);
    const candidates = one === undefined ? deploymentsOf(name) : [one];
    if (candidates.length === 0) throw unknown(kind, id);
    const deployment = candidates.find((candidate) => permits(principal, candidate));
    if (deployment === undefined) throw noDeployment();
    return { deployment, provider: deployment.provider };
  }

  /** Whether the key may go where an object was made. */
  permits(principal: Principal, { deployment }: Origin): boolean {
    return deployment === undefined || this.#options.permits(principal, deployment);
  }

  #requirePermission(principal: Principal, origin: Origin): void {
    if (!this.permits(principal, origin)) throw noDeployment();
  }

  async #find(id: string): Promise<ObjectRow | undefined> {
    return (this.#options.objects ?? this.#issued).find(id);
  }

  #originByTag(tag: string): Origin | undefined {
    const deployment = this.#options
      .deployments()
      .find(({ id }) => deploymentTag(`deployment:${id}`) === tag);
    if (deployment !== undefined) return { deployment, provider: deployment.provider };
    const provider = this.#options.providers.find((name) => deploymentTag(`direct:${name}`) === tag);
    return provider === undefined ? undefined : { deployment: undefined, provider };
  }

  /** A deployment that is gone leaves its provider, which is then called directly. */
  #originOf(row: ObjectRow): Origin {
    const known = this.#options.deployments().find(({ id }) => id === row.deployment_id);
    const deployment = known && this.#options.deploymentAt(known, row.provider);
    return { deployment, provider: row.provider };
  }

  #row(
    id: string,
    kind: ObjectKind,
    principal: Principal,
    origin: Origin,
    providerId: string | null,
    more: NewObject,
  ): ObjectRow {
    return {
      id,
      kind,
      tenant: this.tenantOf(principal),
      key_hash: principal.keyHash,
      user_id: principal.userId ?? null,
      team_id: principal.teamId ?? null,
      deployment_id: origin.deployment?.id ?? null,
      provider: origin.provider,
      provider_id: providerId,
      created_at: more.createdAt ?? Date.now(),
      expires_at: more.expiresAt ?? null,
      data: JSON.stringify(more.data ?? {}),
    };
  }

  #store(): ObjectStore {
    if (this.#options.objects === undefined) throw new Error("This object needs a persistent store");
    return this.#options.objects;
  }
}

function isWithheld({ data }: ObjectRow): boolean {
  return (JSON.parse(data) as { isWithheld?: boolean }).isWithheld === true;
}

function originName(origin: Origin): string {
  return origin.deployment === undefined ? `direct:${origin.provider}` : `deployment:${origin.deployment.id}`;
}

function unknown(kind: ObjectKind, id: string): Error {
  return notFound(`No ${kind} found with id '${id}'`);
}

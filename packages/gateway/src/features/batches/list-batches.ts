import { checkQuery } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { readPage } from "../../contract/paging.ts";
import type { Principal } from "../../contract/principal.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { chooseProvider, selectorOrder } from "../../core/objects/choose-provider.ts";
import { configuredOrigin, originOfProvider } from "../../core/objects/origin-of-provider.ts";
import type { LocatedObject, Origin } from "../../core/objects/ownership.ts";
import { seesEveryTenant } from "../../core/objects/tenant.ts";
import { DEFAULT_PROVIDER } from "../../core/routing/direct-deployment.ts";
import { type MergedList, mergedPage, type ProviderPages } from "../files/merged-page.ts";
import type { BatchRouteDeps } from "./batch-deps.ts";
import { batchObject } from "./batch-object.ts";
import { lacksBatches } from "./lacks-batches.ts";
import { withResultFiles } from "./provider-batches.ts";
import { routedTargets } from "./routed-targets.ts";
import { batchPage, batchQuery } from "./schema.ts";

/** Whose batches a list shows. */
interface Listed {
  readonly name: string;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  /** Where the provider's part of the list is; absent where there is none. */
  readonly origin: Origin | undefined;
  accepts(located: LocatedObject): boolean;
}

/** A page of a provider's batches merged with the gateway's own of the same model or provider. */
export async function listBatches(
  deps: BatchRouteDeps,
  exchange: Exchange,
  body: JsonObject,
): Promise<JsonObject> {
  const { ownership, objects } = deps;
  const query = readPage(batchPage, exchange.query);
  const listed = whatIsListed(deps, exchange, body);
  const { principal } = exchange;
  const tenant = seesEveryTenant(principal) ? undefined : ownership.tenantOf(principal);
  const list: MergedList = {
    kind: "batch",
    name: listed.name,
    principal,
    limit: query.limit,
    order: "desc",
    after: query.after,
    provider: listed.origin && {
      origin: listed.origin,
      read: providerPages(deps, exchange, listed.origin),
    },
    own: async (after, limit) => {
      const { model, provider } = listed;
      const rows = await deps.stored?.store.list({ tenant, model, provider, limit, after });
      return (rows ?? []).map((row) => ({ position: row, item: batchObject(row) }));
    },
    accepts: (located) => listed.accepts(located),
  };
  return mergedPage({ ownership, objects }, list);
}

function providerPages(deps: BatchRouteDeps, exchange: Exchange, origin: Origin): ProviderPages["read"] {
  return async (after, limit) => {
    const query = new URLSearchParams({ limit: String(limit) });
    if (after !== undefined) query.set("after", after);
    const request = { method: "GET", path: upstreamPath`/batches`, query };
    const page = await deps.files.client.json(origin, request, exchange).catch((error: unknown) => {
      if (deps.stored !== undefined && lacksBatches(error)) return { data: [], has_more: false };
      throw error;
    });
    return withoutTakenOver(deps, await withResultFiles(deps.ownership, page, origin), origin);
  };
}

/** What the gateway runs in the place of its provider is in its own list. */
async function withoutTakenOver(
  { ownership, stored }: BatchRouteDeps,
  page: JsonObject,
  origin: Origin,
): Promise<JsonObject> {
  if (stored === undefined || !Array.isArray(page.data)) return page;
  const items = page.data.filter(isJsonObject);
  const rows = await ownership.rowsOf(
    "batch",
    items.map(({ id }) => String(id)),
    origin,
  );
  const taken = await stored.store.known([...rows.values()].map(({ id }) => id));
  return { ...page, data: items.filter(({ id }) => !taken.has(rows.get(String(id))?.id ?? "")) };
}

function whatIsListed(deps: BatchRouteDeps, exchange: Exchange, body: JsonObject): Listed {
  const named = checkQuery(batchQuery, exchange.query).target_model_names;
  const model = firstModel(named ?? body.target_model_names);
  if (model !== undefined) {
    const targets = routedTargets(deps, model, exchange.principal);
    const target = targets.find(({ deployment }) => hasBatches(deps, deployment.provider));
    const ids = new Set(targets.map(({ deployment }) => deployment.id));
    return {
      name: `model ${model}`,
      model,
      provider: undefined,
      origin: target && { deployment: target.deployment, provider: target.deployment.provider },
      accepts: ({ row, origin }) => {
        if (row?.provider_id === null) return (JSON.parse(row.data) as JsonObject).model === model;
        return origin?.deployment === undefined || ids.has(origin.deployment.id);
      },
    };
  }
  const provider = chooseProvider(exchange, selectorOrder["GET batches"]);
  return {
    name: `provider ${provider ?? ""}`,
    model: undefined,
    provider,
    origin: originOf(deps, provider, exchange.principal),
    accepts: ({ origin, row }) =>
      provider === undefined
        ? row?.provider_id === null || isAt(origin, DEFAULT_PROVIDER)
        : isAt(origin, provider),
  };
}

function isAt(origin: Origin | undefined, provider: string): boolean {
  return origin === undefined || origin.provider === provider;
}

/** Without a selector, a default provider that is not configured leaves the gateway's own batches. */
function originOf(deps: BatchRouteDeps, named: string | undefined, principal: Principal): Origin | undefined {
  if (named === undefined) return configuredOrigin(deps, DEFAULT_PROVIDER, "batches", principal);
  const isKnown = deps.findProvider(named) !== undefined;
  if (isKnown && !hasBatches(deps, named) && deps.stored !== undefined) return undefined;
  return originOfProvider(deps, named, "batches", principal);
}

function hasBatches({ findProvider }: BatchRouteDeps, provider: string): boolean {
  return findProvider(provider)?.resources.has("batches") === true;
}

/** @throws GatewayError 400 for anything but text */
function firstModel(names: unknown): string | undefined {
  if (names === undefined || names === null || names === "") return undefined;
  const list: unknown = Array.isArray(names) ? names[0] : names;
  if (typeof list !== "string") throw invalidRequest("target_model_names must be text", "target_model_names");
  return list.split(",")[0]!.trim() || undefined;
}

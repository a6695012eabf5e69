import { forbidden, type GatewayError, notFound } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Provider } from "../../contract/provider.ts";
import { allowedDeployment, isInEnvironment } from "../../core/objects/origin-of-provider.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import { ResourceClient } from "../../core/objects/resource-client.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import { isBound, requireGrant } from "./grant.ts";
import type { OfferedOperations } from "./offered.ts";
import { passThrough } from "./pass.ts";
import { headersForProvider } from "./passed-headers.ts";
import { readPassedPath } from "./passed-path.ts";
import { type ProviderPrefix, providerPrefixes } from "./provider-prefixes.ts";

/** LiteLLM's name of calls that pass through. */
export const CALL_TYPE = "pass_through_endpoint";

/** The routes below the prefixes of providers, for what the gateway does not offer itself. */
export function providerRoutes(deps: ResourceDeps, offered: OfferedOperations): Route[] {
  const client = new ResourceClient(deps);
  return providerPrefixes.flatMap((prefix) => {
    const handler = (exchange: Exchange) => passToProvider({ deps, client, offered }, prefix, exchange);
    const { name, family, methods } = prefix;
    const route = { path: `/${name}/*`, access: "key", family, callType: CALL_TYPE } as const;
    return methods.map((method): Route => ({ ...route, method, isLastResort: true, handler }));
  });
}

interface Passing {
  readonly deps: ResourceDeps;
  readonly client: ResourceClient;
  readonly offered: OfferedOperations;
}

function passToProvider(
  { deps, client, offered }: Passing,
  prefix: ProviderPrefix,
  exchange: Exchange,
): Promise<Reply> {
  const { method, principal } = exchange;
  const base = `/${prefix.name}/${prefix.version}`;
  const { route, below } = readPassedPath(versioned(exchange.path, base), base);
  if (offered.has(method, prefix, route))
    throw notFound(`The gateway offers this operation itself, with its path as ${prefix.name} writes it.`);
  requireGrant(principal, route);
  const origin = originFor(deps, prefix, principal);
  const query = new URLSearchParams(exchange.query);
  for (const name of [...query.keys()]) if (prefix.ownParameters?.test(name) === true) query.delete(name);
  return passThrough(deps, exchange, {
    route,
    query,
    cost: undefined,
    isFree: method === "GET" || method === "DELETE",
    send: ({ bytes, contentType }, left) => {
      const headers = headersForProvider(exchange.headers);
      if (contentType !== undefined) headers["content-type"] = contentType;
      const request = { method, path: below, query: left, headers };
      return client.request(origin, bytes === undefined ? request : { ...request, body: bytes }, exchange);
    },
  });
}

/**
 * The path with what its base says in plain letters.
 * @throws GatewayError 404 for one without the version, or one in which another base follows
 */
function versioned(path: string, base: string): string {
  const [, , version = "", ...rest] = path.split("/");
  const isBase = (step = ""): boolean =>
    /^v\d/i.test(step) || providerPrefixes.some(({ name }) => name === step.toLowerCase());
  if (!base.endsWith(`/${version}`) || version === "" || rest.length === 0 || isBase(rest[0]))
    throw notFound(`There is no endpoint there; paths that pass through begin with ${base}/`);
  return `${base}/${rest.join("/")}`;
}

/** The first deployment that is meant for it, else the environment's key, else the first deployment of the provider. */
function originFor(deps: ResourceDeps, { name }: ProviderPrefix, principal: Principal): Origin {
  const provider = deps.findProvider(name)!;
  const meant = find(deps, provider, principal, ({ params }) => params.use_in_pass_through === true);
  if (meant !== undefined) return meant;
  if (isInEnvironment(provider) && !isBound(principal)) return { deployment: undefined, provider: name };
  const first = find(deps, provider, principal, (deployment) => deployment.mockResponse === undefined);
  if (first !== undefined) return first;
  if (isInEnvironment(provider)) throw bound(name);
  throw notFound(`No deployment of ${name} is configured, to which requests could pass through`);
}

function find(
  deps: ResourceDeps,
  provider: Provider,
  principal: Principal,
  isMeant: Parameters<typeof allowedDeployment>[3],
): Origin | undefined {
  const deployment = allowedDeployment(deps, provider, principal, isMeant);
  return deployment && { deployment, provider: provider.name };
}

function bound(provider: string): GatewayError {
  const text = `This api key is bound to some models or a region, and ${provider}'s key in the environment is not`;
  return forbidden(text);
}

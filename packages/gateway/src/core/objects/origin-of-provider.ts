import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Provider } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { mayUseDeployment, noDeployment } from "../auth/deployment-permission.ts";
import { directDeployment } from "../routing/direct-deployment.ts";
import { providerFor } from "./choose-provider.ts";
import type { Origin } from "./ownership.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/**
 * Where a call to a provider by name goes: to the address and key in the provider's environment variables; where
 * these are not set, to the first deployment of that provider in the model list.
 * @throws GatewayError 400 for an unknown provider or one without the resource, 403 where it has deployments but none
 * that the key may use
 */
export function originOfProvider(
  deps: Pick<ResourceDeps, "config" | "findProvider">,
  name: string,
  resource: string,
  principal: Principal,
): Origin {
  const provider = providerFor(name, resource, deps.findProvider);
  return (
    configuredOrigin(deps, name, resource, principal) ?? {
      deployment: undefined,
      provider: provider.name,
    }
  );
}

/**
 * As `originOfProvider`, but `undefined` where neither the environment nor the model list has an address and a key.
 * @throws GatewayError 400 for an unknown provider or one without the resource
 */
export function configuredOrigin(
  deps: Pick<ResourceDeps, "config" | "findProvider">,
  name: string,
  resource: string,
  principal: Principal,
): Origin | undefined {
  const provider = providerFor(name, resource, deps.findProvider);
  if (isInEnvironment(provider)) return { deployment: undefined, provider: provider.name };
  const deployment = allowedDeployment(deps, provider, principal);
  return deployment && { deployment, provider: provider.name };
}

/** Whether the provider's environment variables have its key, and its address where it has no usual one. */
export function isInEnvironment(provider: Provider): boolean {
  try {
    provider.address(directDeployment(`${provider.name}/`), { method: "GET", path: upstreamPath`/` });
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

/**
 * The first deployment of a provider that a key may use; `undefined` where the model list has none of the provider.
 * @param isMeant of which deployments alone
 * @throws GatewayError 403 where there are some, but none that the key may use
 */
export function allowedDeployment(
  { config: { current: config }, findProvider }: Pick<ResourceDeps, "config" | "findProvider">,
  provider: Provider,
  principal: Principal,
  isMeant: (deployment: Deployment) => boolean = () => true,
): Deployment | undefined {
  const meant = config.deployments.filter((one) => findProvider(one.provider) === provider && isMeant(one));
  const deployment = meant.find((one) => mayUseDeployment(principal, one, config));
  if (deployment === undefined && meant.length > 0) throw noDeployment();
  return deployment;
}

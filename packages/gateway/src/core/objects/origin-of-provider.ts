import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
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
  try {
    provider.address(directDeployment(`${provider.name}/`), { method: "GET", path: upstreamPath`/` });
    return { deployment: undefined, provider: provider.name };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const config = deps.config.current;
    const ofProvider = config.deployments.filter((one) => deps.findProvider(one.provider) === provider);
    const deployment = ofProvider.find((one) => mayUseDeployment(principal, one, config));
    if (deployment === undefined && ofProvider.length > 0) throw noDeployment();
    return deployment && { deployment, provider: provider.name };
  }
}

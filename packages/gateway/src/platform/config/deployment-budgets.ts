import type { Deployment } from "../../contract/deployment.ts";
import { ownMember } from "../../contract/json.ts";
import type { KeyLimits, LimitScope } from "../../contract/principal.ts";
import type { NamedLimits } from "./options/named-limits.ts";

const OF_PROVIDER = "provider ";

/** A deployment with its own budget and that of its provider, where it has any. */
export function withBudgets(deployment: Deployment, own: KeyLimits, ofProviders: NamedLimits): Deployment {
  const { id, modelName } = deployment;
  const name = `the deployment ${id} of ${modelName}`;
  const scope: LimitScope = { owner: ownerOfDeployment(id), name, limits: own, isOperators: true };
  const budgets = own.maxBudget === undefined ? [] : [scope];
  const owned = budgets.length === 0 ? deployment : { ...deployment, budgets };
  return withProviderBudget(owned, deployment.provider, ofProviders);
}

/** A deployment whose calls count in the budget of a provider beside its own. */
export function withProviderBudget(
  deployment: Deployment,
  provider: string,
  ofProviders: NamedLimits,
): Deployment {
  const limits = ownMember(ofProviders, provider);
  if (limits?.maxBudget === undefined) return deployment;
  return { ...deployment, budgets: [...(deployment.budgets ?? []), providerScope(provider, limits)] };
}

/** What the calls of a provider count in. */
export function providerScope(provider: string, limits: KeyLimits): LimitScope {
  const owner = `${OF_PROVIDER}${provider}`;
  return { owner, name: `the provider ${provider}`, limits, isOperators: true };
}

/** The provider that an owner of budgets is; `undefined` for another owner. */
export function providerIn(owner: string): string | undefined {
  return owner.startsWith(OF_PROVIDER) ? owner.slice(OF_PROVIDER.length) : undefined;
}

/** The limits of a deployment's own budget. */
export function ownBudget({ id, budgets }: Deployment): KeyLimits | undefined {
  return budgets?.find(({ owner }) => owner === ownerOfDeployment(id))?.limits;
}

function ownerOfDeployment(id: string): string {
  return `deployment ${id}`;
}

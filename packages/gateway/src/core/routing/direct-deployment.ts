import type { Deployment } from "../../contract/deployment.ts";

/** The provider of names that do not say one: the original implementation of the wire format. */
export const DEFAULT_PROVIDER = "openai";

/**
 * A deployment for a call past the router: the provider's own address and key out of the environment.
 * @param name `provider/model`, or a model of the default provider
 */
export function directDeployment(name: string, apiBase?: string): Deployment {
  const slash = name.indexOf("/");
  const provider = slash > 0 ? name.slice(0, slash) : providerOfBareName(name);
  const model = name.slice(slash > 0 ? slash + 1 : 0);
  return {
    id: `direct:${provider}`,
    modelName: name,
    provider,
    model,
    apiBase,
    apiKey: undefined,
    apiVersion: undefined,
    region: undefined,
    rpm: undefined,
    tpm: undefined,
    maxParallelRequests: undefined,
    weight: undefined,
    order: undefined,
    timeouts: {},
    prices: {},
    params: {},
    info: {},
  };
}

function providerOfBareName(name: string): string {
  if (name.startsWith("claude")) return "anthropic";
  if (name.startsWith("gemini")) return "gemini";
  return DEFAULT_PROVIDER;
}

/**
 * The model's name at its provider, where no request says it any more: the deployment's, or where that is a wildcard
 * the one that the object or the answer names.
 */
export function modelAtProvider(deployment: Deployment | undefined, named: string): string {
  return deployment === undefined || deployment.model.includes("*") ? named : deployment.model;
}

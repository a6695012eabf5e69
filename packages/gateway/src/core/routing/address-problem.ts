import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { isUpstreamName, upstreamPath } from "../../contract/upstream-path.ts";
import { findProvider } from "../../providers/registry.ts";

/**
 * Why a deployment's provider cannot tell where to send a call; `undefined` where it can. A missing key may come with
 * the environment, and a bad `api_base` is reported where the entry is read.
 */
export function addressProblem(deployment: Deployment): string | undefined {
  const provider = findProvider(deployment.provider);
  if (provider === undefined) return undefined;
  const withKey = { ...deployment, apiKey: deployment.apiKey ?? "unset" };
  const { model } = deployment;
  // Vertex AI has Google's operations alone, and Bedrock none by this way: it addresses each call itself.
  const paths = [() => upstreamPath`/chat/completions`, () => upstreamPath`/models/${model}:generateContent`];
  for (const path of paths) {
    try {
      provider.address(withKey, { method: "POST", path: path(), model });
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.message.includes("not an http(s) address"))
        return undefined;
      if (error.status === 404) continue;
      return isUpstreamName(model) ? error.message : noName(deployment);
    }
  }
  return undefined;
}

/** Some providers have the model's name in their addresses, where it must be one. */
function noName({ provider, model }: Deployment): string {
  const name = JSON.stringify(model.slice(0, 100));
  return `${name} cannot stand in an address of ${provider} as a model's name; write model: ${provider}/<the model's name>`;
}

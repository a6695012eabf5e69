import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { findProvider } from "../../providers/registry.ts";

/**
 * Why a deployment's provider cannot tell where to send a call; `undefined` where it can. A missing key may come with
 * the environment, and a bad `api_base` is reported where the entry is read.
 */
export function addressProblem(deployment: Deployment): string | undefined {
  const provider = findProvider(deployment.provider);
  if (provider === undefined) return undefined;
  const withKey = { ...deployment, apiKey: deployment.apiKey ?? "unset" };
  try {
    provider.address(withKey, {
      method: "POST",
      path: upstreamPath`/chat/completions`,
      model: deployment.model,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.message.includes("not an http(s) address"))
      return undefined;
    return error.message;
  }
}

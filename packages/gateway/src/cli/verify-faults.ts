import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Deployment } from "../contract/deployment.ts";
import { GatewayError } from "../contract/errors.ts";
import { upstreamPath } from "../contract/upstream-path.ts";
import type { GatewayConfig } from "../platform/config/gateway-config.ts";
import { isModulePath } from "../platform/config/options/callbacks.ts";
import { findProvider } from "../providers/registry.ts";

/** What a readable configuration cannot do all the same, a sentence each; nobody is called and nothing is run. */
export function faultsOfConfig(file: string, config: GatewayConfig): string[] {
  return [
    ...missingModels(config),
    ...otherDatabase(config),
    ...missingModules(file, config),
    ...unreachable(config),
  ];
}

function missingModels({ deployments }: GatewayConfig): string[] {
  return deployments.length > 0 ? [] : ["there are no models: model_list is empty or missing"];
}

function otherDatabase({ generalSettings, environment }: GatewayConfig): string[] {
  const url = generalSettings.databaseUrl ?? environment.DATABASE_URL ?? "";
  if (url === "" || url === "none" || /^postgres(ql)?:\/\//.test(url)) return [];
  return ["DATABASE_URL (or general_settings.database_url) must begin with postgres:// or be none"];
}

function missingModules(file: string, { gatewaySettings }: GatewayConfig): string[] {
  return gatewaySettings.callbacks
    .filter(isModulePath)
    .map((path) => ({ path, at: resolve(dirname(file), path) }))
    .filter(({ at }) => !existsSync(at))
    .map(({ path, at }) => `callbacks: the hook module ${path} is missing (there is no file ${at})`);
}

/** Deployments whose provider cannot tell where to send a call; a missing key may come with the environment. */
function unreachable({ deployments }: GatewayConfig): string[] {
  return deployments.flatMap((deployment) => {
    const reason = addressProblem(deployment);
    return reason === undefined ? [] : [`${deployment.modelName} (deployment ${deployment.id}): ${reason}`];
  });
}

function addressProblem(deployment: Deployment): string | undefined {
  const provider = findProvider(deployment.provider);
  if (provider === undefined) return undefined;
  // Any key will do: whether there is one is not asked here.
  const withKey = { ...deployment, apiKey: deployment.apiKey ?? "unset" };
  try {
    provider.address(withKey, {
      method: "POST",
      path: upstreamPath`/chat/completions`,
      model: deployment.model,
    });
    return undefined;
  } catch (error) {
    // A bad api_base has been reported with its line already.
    if (!(error instanceof GatewayError) || error.message.includes("not an http(s) address"))
      return undefined;
    return error.message;
  }
}

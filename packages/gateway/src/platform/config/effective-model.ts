import type { WireFormat } from "../../contract/wire-format.ts";
import type { GatewayConfig } from "./gateway-config.ts";

/**
 * The model that a call means: the server's completion model, else the caller's; the command line's model overrides
 * both; then the alias map. Embeddings keep the caller's name, because completion models cannot serve them.
 * Source: the spec's messages rules 1 and 3.
 */
export function effectiveModel(
  requested: string | undefined,
  format: WireFormat,
  config: GatewayConfig,
): string | undefined {
  const { commandLine, generalSettings, gatewaySettings } = config;
  const completion = format !== "embeddings";
  const model =
    (completion ? (commandLine.model ?? generalSettings.completionModel) : undefined) ?? requested;
  if (model === undefined) return undefined;
  const aliases = gatewaySettings.modelAliasMap;
  return Object.hasOwn(aliases, model) ? aliases[model] : model;
}

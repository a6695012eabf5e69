import type { Deployment, Target } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { callDefaults } from "../../platform/config/options/deployment-options.ts";
import { requestChanges } from "./request-changes.ts";

/**
 * A request that a provider runs as a row of a batch, as the deployment's own calls go out: with its `extra_body` and
 * defaults, without what its operator drops and what is meant for the gateway.
 * @param isNative the row goes out in its own format
 */
export function rowAt(
  data: JsonObject,
  format: WireFormat,
  target: Target,
  config: GatewayConfig,
  isNative: boolean,
): JsonObject {
  const changes = requestChanges({ prepared: { call: { format }, config, data }, target }, isNative);
  return { ...data, ...Object.fromEntries(changes), model: target.model };
}

const CHANGING: readonly string[] = [
  ...callDefaults,
  "extra_body",
  "additional_drop_params",
  "cache_control_injection_points",
];

/** The parameters of a deployment that change its requests, as a text; undefined where it has none. */
export function changesOf({ params }: Deployment): string | undefined {
  const changing = CHANGING.filter((name) => params[name] !== undefined);
  return changing.length === 0 ? undefined : JSON.stringify(changing.map((name) => [name, params[name]]));
}

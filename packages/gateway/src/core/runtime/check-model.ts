import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Credentials } from "../../platform/config/gateway-config.ts";
import { type ReadModel, readModel } from "../../platform/config/runtime/merge.ts";
import type { RuntimeConfig } from "../../platform/config/runtime/runtime-config.ts";
import { providerNames } from "../../providers/registry.ts";
import { addressProblem } from "../routing/address-problem.ts";

/**
 * A model made at run time, checked for what `portico verify` finds wrong in a file.
 * @param credentials those that count, where they are not the ones in force
 * @throws GatewayError 400 naming the field at fault
 */
export function checkModel(
  runtime: RuntimeConfig,
  body: JsonObject,
  credentials: Credentials = runtime.surroundings.credentials,
): ReadModel {
  const surroundings = { ...runtime.surroundings, credentials, providers: providerNames };
  const read = readModel(body, surroundings, runtime.base.environment);
  const [fault] = read.faults;
  if (fault !== undefined) throw invalidRequest(`${fault.path}: ${fault.message}`, fault.path);
  const problem = read.deployment && addressProblem(read.deployment);
  if (problem !== undefined) throw invalidRequest(problem, "litellm_params");
  return read;
}

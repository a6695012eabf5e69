import type { JsonObject } from "../../../contract/json.ts";
import { changesOf, rowAt } from "../../../core/call/batch-row.ts";
import type { Origin } from "../../../core/objects/ownership.ts";
import type { GatewayConfig } from "../../../platform/config/gateway-config.ts";
import type { RowsAtPlace } from "../../files/file-service.ts";
import { runnableEndpoints } from "../create-request.ts";

/**
 * The rows of a batch at the deployment that a model's name leads to.
 * @param model the model's name there; rows of a batch without one go out as they are
 */
export function rowsAt(
  { deployment }: Origin,
  model: string | undefined,
  config: GatewayConfig,
): RowsAtPlace | undefined {
  if (model === undefined) return undefined;
  const changes = deployment && changesOf(deployment);
  return {
    model,
    changes,
    bodyOf: (url, body) => bodyOf({ deployment }, model, config, url, body),
  };
}

function bodyOf(
  { deployment }: Pick<Origin, "deployment">,
  model: string,
  config: GatewayConfig,
  url: unknown,
  body: JsonObject,
): JsonObject {
  const format = runnableEndpoints.get(String(url));
  if (deployment === undefined || format === undefined) return { ...body, model };
  return rowAt(body, format, { deployment, model }, config, true);
}

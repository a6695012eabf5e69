import { type JsonObject, objectOf } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { changerOf } from "../../core/auth/records/change.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { runtimeRoutes } from "../../core/runtime/runtime-routes.ts";
import { type ModelChanges, ModelService, namedId } from "./model-service.ts";
import {
  modelManagementDescription,
  namedModel,
  newModelBody,
  patchModelBody,
  updateModelBody,
} from "./schema.ts";

/** LiteLLM's `/model/new`, `/model/update`, `/model/{id}/update` and `/model/delete`. */
export function openModelManagement({ writer }: Core): Feature {
  const route = runtimeRoutes(writer, "model_management");
  const routes = [
    route("POST", "/model/new", async (exchange, entries) => {
      const body = await parseJsonBody(exchange, newModelBody);
      return new ModelService(entries).create(changerOf(exchange), body as JsonObject);
    }),
    route("POST", "/model/update", async (exchange, entries) => {
      const body = (await parseJsonBody(exchange, updateModelBody)) as JsonObject;
      return new ModelService(entries).update(changerOf(exchange), namedId(body), changesOf(body));
    }),
    route("PATCH", "/model/:model_id/update", async (exchange, entries) => {
      const body = (await parseJsonBody(exchange, patchModelBody)) as JsonObject;
      const id = exchange.params.model_id!;
      return new ModelService(entries).update(changerOf(exchange), id, changesOf(body));
    }),
    route("POST", "/model/delete", async (exchange, entries) => {
      const { id } = await parseJsonBody(exchange, namedModel);
      return new ModelService(entries).remove(changerOf(exchange), id);
    }),
  ];
  return { routes, descriptions: [modelManagementDescription] };
}

function changesOf(body: JsonObject): ModelChanges {
  const { model_name: name, litellm_params_to_remove: removed } = body;
  const taken = (Array.isArray(removed) ? removed : []).map((param) => [String(param), null] as const);
  return {
    modelName: typeof name === "string" ? name : undefined,
    params: { ...objectOf(body.litellm_params), ...Object.fromEntries(taken) },
    info: objectOf(body.model_info),
  };
}

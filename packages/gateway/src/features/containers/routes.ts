import type { Route } from "../../contract/exchange.ts";
import { openaiRoute } from "../../core/objects/openai-route.ts";
import type { ContainerDeps } from "./container-deps.ts";
import { containerFileRoutes } from "./container-file-routes.ts";
import { ContainerOperations } from "./container-operations.ts";

/** Containers and the files in them (spec: Containers; OpenAI API reference: Containers), with and without `/v1`. */
export function containerRoutes(deps: ContainerDeps): Route[] {
  const operations = new ContainerOperations(deps);
  return ["/v1/containers", "/containers"].flatMap((base) => [
    openaiRoute("POST", base, "acreate_container", (exchange) => operations.create(exchange)),
    openaiRoute("GET", base, "alist_containers", (exchange) => operations.list(exchange)),
    openaiRoute("GET", `${base}/:containerId`, "aretrieve_container", (exchange) =>
      operations.retrieve(exchange),
    ),
    openaiRoute("DELETE", `${base}/:containerId`, "adelete_container", (exchange) =>
      operations.delete(exchange),
    ),
    ...containerFileRoutes(deps, `${base}/:containerId/files`),
  ]);
}

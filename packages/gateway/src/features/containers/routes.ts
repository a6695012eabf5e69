import { keyRoute } from "../../contract/exchange.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { Files } from "../files/open.ts";
import { containerFileRoutes } from "./container-file-routes.ts";
import { ContainerOperations } from "./container-operations.ts";
import { containerDescription } from "./schema.ts";

/** Containers and the files in them (spec: Containers; OpenAI API reference: Containers), with and without `/v1`. */
export function openContainers({ resources }: Core, files: Files): Feature {
  const deps = { ...resources, files: files.service };
  const operations = new ContainerOperations(deps);
  const routes = ["/v1/containers", "/containers", "/openai/v1/containers"].flatMap((base) => [
    keyRoute("POST", base, "acreate_container", (exchange) => operations.create(exchange)),
    keyRoute("GET", base, "alist_containers", (exchange) => operations.list(exchange)),
    keyRoute("GET", `${base}/:containerId`, "aretrieve_container", (exchange) =>
      operations.retrieve(exchange),
    ),
    keyRoute("DELETE", `${base}/:containerId`, "adelete_container", (exchange) =>
      operations.delete(exchange),
    ),
    ...containerFileRoutes(deps, `${base}/:containerId/files`),
  ]);
  return { routes, descriptions: [containerDescription] };
}

import { keyRoute, type Route } from "../../contract/exchange.ts";
import { findProvider } from "../../providers/registry.ts";
import { FileOperations } from "./file-operations.ts";
import type { FileDeps, FileService } from "./file-service.ts";

const bases = ["/v1/files", "/files", "/:provider/v1/files"];

/** Files (OpenAI API reference: Files), with and without `/v1` and with a leading provider. */
export function fileRoutes(deps: FileDeps, files: FileService): Route[] {
  const operations = new FileOperations(deps, files);
  return bases.flatMap((base) => [
    route("POST", base, "acreate_file", (exchange) => operations.create(exchange)),
    route("GET", base, "afile_list", (exchange) => operations.list(exchange)),
    route("GET", `${base}/:fileId`, "afile_retrieve", (exchange) => operations.retrieve(exchange)),
    route("DELETE", `${base}/:fileId`, "afile_delete", (exchange) => operations.delete(exchange)),
    route("GET", `${base}/:fileId/content`, "afile_content", (exchange) => operations.content(exchange)),
  ]);
}

function route(method: Route["method"], path: string, callType: string, handler: Route["handler"]): Route {
  return { ...keyRoute(method, path, callType, handler), givesWay: isForeign };
}

/** Providers whose files are not OpenAI's resource have another one at the same path. */
function isForeign({ provider }: Readonly<Record<string, string>>): boolean {
  return provider !== undefined && findProvider(provider)?.resources.has("files") === false;
}

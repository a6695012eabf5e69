import type { FileService } from "../../files/file-service.ts";
import type { ResourceDeps } from "../../resources/resource-deps.ts";

/** Containers may be filled with uploaded files. */
export interface ContainerDeps extends ResourceDeps {
  readonly files: FileService;
}

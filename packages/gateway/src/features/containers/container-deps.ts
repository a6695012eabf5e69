import type { ResourceDeps } from "../../core/objects/resource-deps.ts";
import type { FileService } from "../files/file-service.ts";

/** Containers may be filled with uploaded files. */
export interface ContainerDeps extends ResourceDeps {
  readonly files: FileService;
}

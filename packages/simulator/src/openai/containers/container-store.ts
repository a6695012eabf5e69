import type { Blob } from "../../state/blob-store.ts";
import type { JsonObject } from "../../util/json.ts";
import { notFound } from "../failures.ts";

/** A file inside a container. */
export interface ContainerFile {
  readonly id: string;
  readonly created: number;
  readonly path: string;
  readonly source: "user" | "assistant";
  readonly blob: Blob;
}

/** A container and its files. */
export interface Container {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  lastActive: number;
  readonly expiresAfter: JsonObject;
  readonly memoryLimit: string;
  readonly networkPolicy: JsonObject;
  readonly files: Map<string, ContainerFile>;
}

/** The containers of one account. */
export class ContainerStore {
  #containers = new Map<string, Container>();

  add(container: Container): void {
    this.#containers.set(container.id, container);
  }

  /** Throws 404 for one that does not exist. */
  get(id: string): Container {
    const container = this.#containers.get(id);
    if (container === undefined) throw notFound(`Container with id '${id}' not found.`, null);
    return container;
  }

  /** All containers, oldest first. */
  list(): Container[] {
    return [...this.#containers.values()];
  }

  delete(id: string): void {
    this.get(id);
    this.#containers.delete(id);
  }

  clear(): void {
    this.#containers.clear();
  }
}

/** The `container` object. */
export function containerObject(container: Container) {
  return {
    id: container.id,
    object: "container",
    created_at: container.created,
    status: "running",
    expires_after: container.expiresAfter,
    last_active_at: container.lastActive,
    memory_limit: container.memoryLimit,
    network_policy: container.networkPolicy,
    name: container.name,
  };
}

/** The `container.file` object. */
export function containerFileObject(container: Container, file: ContainerFile) {
  return {
    id: file.id,
    object: "container.file",
    bytes: file.blob.bytes,
    container_id: container.id,
    created_at: file.created,
    path: file.path,
    source: file.source,
  };
}

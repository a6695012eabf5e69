import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { MemoryKeeper } from "../../util/memory-keeper.ts";
import { claimedStorage } from "./claimed-storage.ts";
import { fileDescription } from "./description.ts";
import { FileReaders } from "./file-readers.ts";
import { type FileDeps, FileService } from "./file-service.ts";
import type { FileStorage } from "./file-storage.ts";
import { flatStorage } from "./flat-storage.ts";
import { openStorage } from "./open-storage.ts";
import { RequestReferences } from "./reference-resolver.ts";
import { fileRoutes } from "./routes.ts";
import { UnclaimedFileStore } from "./unclaimed-file-store.ts";

/** Files, for callers and for the features that work with them. */
export interface Files extends Feature {
  readonly service: FileService;
  readonly storage: FileStorage;
  /** Features that read stored files join here. */
  readonly readers: FileReaders;
}

/** Opens the storage that the configuration names; with a store, it is cleared of what killed writers left. */
export function openFiles({ resources, objects, references }: Core, platform: Platform): Files {
  const readers = new FileReaders();
  const storage = openFileStorage(platform, readers);
  const deps: FileDeps = { ...resources, storage, objects, readers };
  const service = new FileService(deps);
  references.leaveTo(new RequestReferences(service, resources.ownership));
  return {
    service,
    storage,
    readers,
    routes: fileRoutes(deps, service),
    descriptions: [fileDescription],
    chores: { "expired-files": (signal) => service.removeExpired(signal) },
  };
}

function openFileStorage({ config, dataDirectory, store }: Platform, readers: FileReaders): FileStorage {
  const storage = flatStorage(openStorage(config.current(), dataDirectory, store), new MemoryKeeper());
  return store === undefined ? storage : claimedStorage(storage, new UnclaimedFileStore(store), readers);
}

import { join } from "node:path";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { bucketOfFiles } from "../../platform/config/object-storage.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { makeWritable } from "../../platform/store/writable-folder.ts";
import { claimedStorage } from "./claimed-storage.ts";
import { DatabaseStorage } from "./database-storage.ts";
import { FileReaders } from "./file-readers.ts";
import { type FileDeps, FileService } from "./file-service.ts";
import type { FileStorage } from "./file-storage.ts";
import { LocalStorage } from "./local-storage.ts";
import { openBucket } from "./open-bucket.ts";
import { RequestReferences } from "./reference-resolver.ts";
import { fileRoutes } from "./routes.ts";
import { fileDescription } from "./schema.ts";

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

function openFileStorage(platform: Platform, readers: FileReaders): FileStorage {
  const { store } = platform;
  const storage = openStorage(platform);
  return store === undefined ? storage : claimedStorage(storage, store, readers);
}

/**
 * The storage that the configuration names: object storage where a bucket is given, else what every replica reaches:
 * a folder of the data directory beside SQLite, the database itself with PostgreSQL.
 * @throws SetupError naming what is missing
 */
function openStorage({ config, dataDirectory, store, logger }: Platform): FileStorage {
  const bucket = bucketOfFiles(config.current);
  if (bucket !== undefined) return openBucket(bucket, "general_settings.file_bucket", logger);
  const wanted = config.current.generalSettings.fileStorage;
  if (store !== undefined && (wanted === "database" || (wanted === undefined && store?.kind === "postgres")))
    return new DatabaseStorage(store);
  const folder = join(dataDirectory, "files");
  try {
    makeWritable(folder, wanted === "local" ? "file_storage: local (in --data-dir)" : "--data-dir");
  } catch (error) {
    // Without a store a gateway may run on a file system that nobody writes to, and never be sent a file.
    if (wanted === "local" || store !== undefined) throw error;
    logger.warn({ reason: (error as Error).message }, "files that callers upload cannot be kept");
  }
  return new LocalStorage(folder);
}

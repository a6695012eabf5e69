import { resolve } from "node:path";
import type { Feature } from "../../core/feature.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { bucketOfExport } from "../../platform/config/object-storage.ts";
import type { Platform } from "../../platform/open-platform.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { LocalStorage } from "../files/local-storage.ts";
import { S3Storage } from "../files/s3-storage.ts";
import { exportNextDay } from "./export-day.ts";

/**
 * Writes the spend log away, a file for each day that is over, where `general_settings.spend_export` says so when the
 * gateway starts.
 * @throws Error where the place cannot be used
 */
export function openSpendExport({ config, store }: Pick<Platform, "config" | "store">): Feature {
  const { spendExport } = config.current.generalSettings;
  const nothing = { routes: [], descriptions: [] };
  if (spendExport === undefined || store === undefined) return nothing;
  const storage = storageAt(spendExport, config.current);
  return {
    ...nothing,
    chores: { "spend-export": (signal) => exportNextDay(store, storage, signal) },
  };
}

function storageAt(place: string, config: GatewayConfig): FileStorage {
  const bucket = bucketOfExport(place, config);
  return bucket === undefined ? new LocalStorage(resolve(place), false) : new S3Storage(bucket);
}

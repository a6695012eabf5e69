import { resolve } from "node:path";
import type { Feature } from "../../core/feature.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import { bucketOfExport, EXPORT_SETTING } from "../../platform/config/object-storage.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { makeWritable } from "../../platform/store/writable-folder.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { LocalStorage } from "../files/local-storage.ts";
import { openBucket } from "../files/open-bucket.ts";
import { exportNextDay } from "./export-day.ts";

/**
 * Writes the spend log away, a file for each day that is over, where `general_settings.spend_export` says so when the
 * gateway starts.
 * @throws Error where the place cannot be used
 */
export function openSpendExport({
  config,
  store,
  logger,
}: Pick<Platform, "config" | "store" | "logger">): Feature {
  const { spendExport } = config.current.generalSettings;
  const nothing = { routes: [], descriptions: [] };
  if (spendExport === undefined || store === undefined) return nothing;
  const storage = storageAt(spendExport, config.current, logger);
  return {
    ...nothing,
    chores: { "spend-export": (signal) => exportNextDay(store, storage, signal) },
  };
}

function storageAt(place: string, config: GatewayConfig, logger: Logger): FileStorage {
  const bucket = bucketOfExport(place, config);
  if (bucket !== undefined) return openBucket(bucket, EXPORT_SETTING, logger);
  makeWritable(place, EXPORT_SETTING);
  return new LocalStorage(resolve(place), false);
}

import { resolve } from "node:path";
import type { Feature } from "../../core/feature.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";
import type { Platform } from "../../platform/open-platform.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { LocalStorage } from "../files/local-storage.ts";
import { objectStorage } from "../files/open.ts";
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

/** The folder or bucket of `spend_export`; nothing is made or asked for yet. @throws Error naming what is missing */
export function storageAt(place: string, config: GatewayConfig): FileStorage {
  if (!/^[a-z0-9]+:\/\//i.test(place)) return new LocalStorage(resolve(place), false);
  const [, bucket, folder] = /^s3:\/\/([^/]+)(?:\/(.*?)\/*)?$/.exec(place) ?? [];
  if (bucket === undefined)
    throw new Error(`general_settings.spend_export: expected a folder or s3://BUCKET/PREFIX, not ${place}`);
  const prefix = folder === undefined || folder === "" ? "" : `${folder}/`;
  return objectStorage(config, { bucket, prefix, setting: "general_settings.spend_export" });
}

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../src/platform/store/open-store.ts";

const DATABASE = "portico.sqlite";

/**
 * Puts an empty embedded store into a new data directory. Making its tables is half of what a gateway's start takes, so
 * all tests of a run copy what the first one made.
 */
export async function copyMigratedStore(dataDirectory: string): Promise<void> {
  const shared = process.env.TEST_RUN_FOLDER;
  if (shared === undefined) return;
  const template = join(shared, "migrated.sqlite");
  if (!existsSync(template)) {
    const folder = mkdtempSync(join(shared, "store-"));
    await (await openSqliteStore(folder)).close();
    // Another test that did the same meanwhile made the same.
    renameSync(join(folder, DATABASE), template);
    rmSync(folder, { recursive: true });
  }
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  copyFileSync(template, join(dataDirectory, DATABASE));
}

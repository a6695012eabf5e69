import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import { openPostgresStore, openSqliteStore } from "../../src/platform/store/open-store.ts";
import type { Store } from "../../src/platform/store/schema.ts";
import { hasPostgres } from "./services.ts";
import { openDatabases, type TestDatabases } from "./shared-postgres.ts";

/** The stores that a test may open; each call opens another connection to the same database. */
export interface StoreOpener {
  /** The database's address, where it has one. */
  readonly url?: string;
  /** The data directory that it is in, where it is in one. */
  readonly folder?: string;
  open(): Promise<Store>;
}

const quiet = pino({ level: "silent" });

/** As `describeOnEachStore`, with databases in which the first store that is opened makes the tables. */
export function describeOnEachEmptyStore(name: string, suite: (opener: StoreOpener) => void): void {
  describeOnEachStore(name, suite, "each test", "empty");
}

/**
 * Runs a suite on both databases.
 * @param emptyFor every attempt at a test, or the suite, whose tests then only read what was there before the first
 * @param like whether PostgreSQL's databases have their tables at the start
 */
export function describeOnEachStore(
  name: string,
  suite: (opener: StoreOpener) => void,
  emptyFor: "each test" | "the suite" = "each test",
  like: "migrated" | "empty" = "migrated",
): void {
  const [before, after] = emptyFor === "each test" ? [beforeEach, afterEach] : [beforeAll, afterAll];
  describe(`${name} on SQLite`, () => {
    let folder = "";
    before(() => {
      folder = mkdtempSync(join(tmpdir(), "portico-store-"));
    });
    after(() => rmSync(folder, { recursive: true, force: true }));
    suite({
      get folder() {
        return folder;
      },
      open: () => openSqliteStore(folder),
    });
  });
  describe.skipIf(!hasPostgres)(`${name} on PostgreSQL`, () => {
    let postgres: TestDatabases;
    let url = "";
    beforeAll(async () => {
      postgres = await openDatabases();
    });
    before(async () => {
      url = await postgres.createDatabase(like);
    });
    afterAll(() => postgres?.stop());
    suite({
      get url() {
        return url;
      },
      open: () => openPostgresStore(url, quiet),
    });
  });
}

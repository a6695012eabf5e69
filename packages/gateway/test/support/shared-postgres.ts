import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { openQueue } from "../../src/platform/queue/open-queue.ts";
import { openPostgresStore } from "../../src/platform/store/open-store.ts";
import { startPostgres } from "./postgres.ts";
import { until } from "./until.ts";

/** Databases of a test file's own, in the cluster that the files of a run share. */
export interface TestDatabases {
  /**
   * Makes a database; an attempt at a test that has its own cannot spoil the next.
   * @param like the database that it is a copy of: one with the gateway's tables, or an empty one
   * @returns its address
   */
  createDatabase(like?: "migrated" | "empty"): Promise<string>;
  /** Removes them. */
  stop(): Promise<void>;
}

const TEMPLATES = { migrated: "migrated", empty: "template1" } as const;
/** Some test files run at the same time, with three gateways each that have sixteen connections. */
const SETTINGS = ["shared_buffers=64MB", "max_connections=400"];

/** Starts the cluster where no file of this run has done so. `tools/test-run-folder.ts` ends it. */
export async function openDatabases(): Promise<TestDatabases> {
  const cluster = await clusterAddress();
  const made: string[] = [];
  return {
    createDatabase: async (like = "migrated") => {
      const name = `test_${randomUUID().replaceAll("-", "")}`;
      await execute(cluster, `create database ${name} template ${TEMPLATES[like]}`);
      made.push(name);
      return databaseOf(cluster, name);
    },
    stop: async () => {
      await execute(cluster, ...made.splice(0).map((name) => `drop database ${name} with (force)`));
    },
  };
}

/** The address of the cluster's own database. */
async function clusterAddress(): Promise<string> {
  const folder = join(process.env.TEST_RUN_FOLDER!, "shared-postgres");
  const place = join(folder, "address");
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) {
    const address = await startShared(folder).catch((error: unknown) => `${error}`);
    writeFileSync(`${place}.new`, address);
    renameSync(`${place}.new`, place);
  }
  await until(() => existsSync(place));
  const address = readFileSync(place, "utf8");
  if (!address.startsWith("postgres://")) throw new Error(address);
  return address;
}

async function startShared(folder: string): Promise<string> {
  const postgres = await startPostgres(SETTINGS, folder, false);
  const migrated = await postgres.createDatabase(TEMPLATES.migrated);
  const logger = pino({ level: "silent" });
  const store = await openPostgresStore(migrated, logger);
  await (await openQueue(store, logger)).close();
  await store.close();
  return databaseOf(migrated, "postgres");
}

function databaseOf(address: string, name: string): string {
  return address.replace(/[^/]+$/, name);
}

async function execute(address: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

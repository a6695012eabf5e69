import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { makeLogger } from "../../packages/gateway/src/platform/log/logger.ts";
import { openPostgresStore, openSqliteStore } from "../../packages/gateway/src/platform/store/open-store.ts";
import type { Store } from "../../packages/gateway/src/platform/store/schema.ts";
import { optionalFeatures } from "../../packages/gateway/test/rules/everything.ts";
import {
  type ChildGateway,
  MASTER_KEY,
  spawnTestGateway,
} from "../../packages/gateway/test/support/gateway.ts";
import { startPostgres } from "../../packages/gateway/test/support/postgres.ts";
import { processes, statOf } from "../process-stat.ts";
import { type Fill, fillPostgres, fillSqlite } from "./fill.ts";
import type { SizesOptions } from "./options.ts";

/** A store that can be filled, with gateways on it. */
export interface SizedStore {
  readonly url: string | undefined;
  readonly fill: Fill;
  /** The store as the gateway opens it. */
  open(): Promise<Store>;
  startGateway(): Promise<ChildGateway>;
  /** Microseconds of CPU that the database's own processes have used; absent where it has none here. */
  readonly databaseCpu: (() => number) | undefined;
  /** What PostgreSQL does by itself some time after many rows have come. */
  vacuum(table: string): Promise<void>;
  /** A gateway on an empty store of the same kind. */
  startEmptyGateway(): Promise<{ readonly gateway: ChildGateway; readonly remove: () => Promise<void> }>;
  /** Removes what was made for this run. */
  remove(): void;
}

/** More memory than the tests' clusters have, as a server for ten million rows would. */
const MEMORY = [
  "shared_buffers=1GB",
  "maintenance_work_mem=1GB",
  "max_wal_size=8GB",
  "effective_cache_size=8GB",
];

export async function openSizedStore({ store, at, keep }: SizesOptions): Promise<SizedStore> {
  const config = `model_list: [{model_name: model-0, litellm_params: {model: openai/gpt-4o, mock_response: hello}}]
general_settings: {master_key: ${MASTER_KEY}, ${optionalFeatures("https://id.invalid")}}
`;
  const folder = mkdtempSync(join(tmpdir(), "portico-sizes-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (store === "sqlite") {
    const dataDirectory = at ?? keep ?? folder;
    return {
      url: undefined,
      fill: fillSqlite(join(dataDirectory, "portico.sqlite")),
      open: () => openSqliteStore(dataDirectory),
      startGateway: () => spawnTestGateway({ config, dataDirectory }),
      databaseCpu: undefined,
      vacuum: async () => undefined,
      startEmptyGateway: async () => ({
        gateway: await spawnTestGateway({ config, dataDirectory: join(folder, "empty") }),
        remove: async () => undefined,
      }),
      remove: removeFolder,
    };
  }
  const cluster = at === undefined ? await startPostgres(MEMORY, keep && resolve(keep)) : undefined;
  const url = at ?? (await cluster!.createDatabase("portico_sizes"));
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  return {
    url,
    fill: fillPostgres(url),
    open: () => openPostgresStore(url, makeLogger("error", process.stderr)),
    startGateway: () =>
      spawnTestGateway({ config, dataDirectory: folder, environment: { DATABASE_URL: url } }),
    databaseCpu: await cpuOfServer(url),
    vacuum: (table) => run(`vacuum (analyze) ${table}`),
    startEmptyGateway: async () => {
      const name = "portico_sizes_empty";
      await run(`drop database if exists ${name}`);
      await run(`create database ${name}`);
      const empty = new URL(url);
      empty.pathname = `/${name}`;
      return {
        gateway: await spawnTestGateway({
          config,
          dataDirectory: join(folder, "empty"),
          environment: { DATABASE_URL: empty.href },
        }),
        remove: () => run(`drop database ${name}`),
      };
    },
    remove: () => {
      cluster?.stop();
      removeFolder();
    },
  };
}

/** Of the server and of all its processes, those that have ended included (proc(5)); absent where it runs elsewhere. */
async function cpuOfServer(url: string): Promise<(() => number) | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const server = statOf(rows[0]!.pid)?.parent;
  await client.end();
  if (server === undefined) return undefined;
  return () => {
    let seconds = statOf(server)!.childrenCpu;
    for (const { parent, cpu } of processes().values()) if (parent === server) seconds += cpu;
    return seconds * 1e6;
  };
}

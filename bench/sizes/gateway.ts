import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { optionalFeatures } from "../../packages/gateway/test/rules/everything.ts";
import {
  type ChildGateway,
  MASTER_KEY,
  spawnTestGateway,
} from "../../packages/gateway/test/support/gateway.ts";
import { startPostgres } from "../../packages/gateway/test/support/postgres.ts";
import { type Fill, fillPostgres, fillSqlite } from "./fill.ts";
import type { SizesOptions } from "./options.ts";

/** A store that can be filled, with gateways on it. */
export interface SizedStore {
  readonly url: string | undefined;
  readonly fill: Fill;
  startGateway(): Promise<ChildGateway>;
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

export async function openSizedStore({ store, at }: SizesOptions): Promise<SizedStore> {
  const config = `model_list: [{model_name: model-0, litellm_params: {model: openai/gpt-4o, mock_response: hello}}]
general_settings: {master_key: ${MASTER_KEY}, ${optionalFeatures("https://id.invalid")}}
`;
  const folder = mkdtempSync(join(tmpdir(), "portico-sizes-"));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (store === "sqlite") {
    const dataDirectory = at ?? folder;
    return {
      url: undefined,
      fill: fillSqlite(join(dataDirectory, "portico.sqlite")),
      startGateway: () => spawnTestGateway({ config, dataDirectory }),
      remove: removeFolder,
    };
  }
  const cluster = at === undefined ? await startPostgres(MEMORY) : undefined;
  const url = at ?? (await cluster!.createDatabase());
  return {
    url,
    fill: fillPostgres(url),
    startGateway: () =>
      spawnTestGateway({ config, dataDirectory: folder, environment: { DATABASE_URL: url } }),
    remove: () => {
      cluster?.stop();
      removeFolder();
    },
  };
}

import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimedStorage } from "../src/features/files/claimed-storage.ts";
import { DatabaseStorage } from "../src/features/files/database-storage.ts";
import { FileReaders } from "../src/features/files/file-readers.ts";
import { openPostgresStore, openSqliteStore } from "../src/platform/store/open-store.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { type ChildGateway, MASTER_KEY, spawnTestGateway } from "./support/gateway.ts";
import { startS3, type TestS3 } from "./support/s3.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { until } from "./support/until.ts";

let folder = "";
let s3: TestS3;
let postgres: TestDatabases;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "portico-killed-"));
  s3 = await startS3(join(folder, "s3"));
  if (hasPostgres) postgres = await openDatabases();
});
afterAll(async () => {
  await s3?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

let dataDirectory = "";
beforeEach(() => {
  dataDirectory = mkdtempSync(join(folder, "data-"));
});

function start(general: string, environment: Record<string, string>): Promise<ChildGateway> {
  return spawnTestGateway({
    dataDirectory,
    environment,
    config: `
model_list:
  - {model_name: local, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "http://127.0.0.1:9/v1"}}
general_settings: {master_key: ${MASTER_KEY}, ${general}}
`,
  });
}

/** A file that is kept, of so many bytes. */
async function upload(gateway: ChildGateway, bytes: number): Promise<string> {
  const body = new FormData();
  body.append("purpose", "user_data");
  body.append("model", "local");
  body.append("file", new File([Buffer.alloc(bytes, "y")], "whole.txt"));
  const headers = { authorization: `Bearer ${MASTER_KEY}` };
  const response = await fetch(`${gateway.url}/v1/files`, { method: "POST", body, headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

/** Has the gateway killed in the middle of an upload, when some of it is in the storage. */
async function killWhileUploading(gateway: ChildGateway, isThere: () => Promise<boolean>): Promise<void> {
  const headers = {
    authorization: `Bearer ${MASTER_KEY}`,
    "content-type": "multipart/form-data; boundary=between",
  };
  const sent = request(`${gateway.url}/v1/files`, { method: "POST", headers });
  sent.on("error", () => undefined);
  sent.write('--between\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
  sent.write(Buffer.alloc(12 * 2 ** 20, "x"));
  await until(isThere);
  gateway.process.kill("SIGKILL");
  await gateway.close();
  sent.destroy();
}

/** Puts the beginning of every write long before. */
async function letTimePass({ db }: Store): Promise<void> {
  await db.updateTable("leases").set({ alive_until: 1 }).where("kind", "=", "file").execute();
}

it("What a killed upload left in object storage is removed, and nothing else", async () => {
  const settings = `file_bucket: ${s3.bucket}, file_endpoint: "${s3.endpoint}"`;
  const gateway = await start(settings, s3.credentials);
  const kept = await upload(gateway, 11 * 2 ** 20);
  expect(s3.parts()).toEqual([]);
  await killWhileUploading(gateway, async () => s3.parts().length >= 2);
  expect(s3.parts().length).toBeGreaterThanOrEqual(2);
  const store = await openSqliteStore(dataDirectory);
  await letTimePass(store);
  // Of a file whose writer was killed after its object was made.
  const row = await store.db
    .selectFrom("objects")
    .select("data")
    .where("id", "=", kept)
    .executeTakeFirstOrThrow();
  const { key } = JSON.parse(row.data) as { key: string };
  await store.db
    .insertInto("leases")
    .values({ kind: "file", name: key, owner: "killed", alive_until: 1, checkpoint: null })
    .execute();
  await store.db.updateTable("jobs").set({ run_at: 1 }).where("key", "=", "expired-files").execute();
  await store.close();
  const again = await start(settings, s3.credentials);
  await until(() => s3.parts().length === 0);
  expect(s3.objects()).toHaveLength(1);
  const content = await again.call(`/v1/files/${kept}/content`);
  expect((await content.arrayBuffer()).byteLength).toBe(11 * 2 ** 20);
  await again.close();
});

it.skipIf(!hasPostgres)("What a killed upload left in PostgreSQL is removed, and nothing else", async () => {
  const url = await postgres.createDatabase();
  const gateway = await start(`database_url: "${url}"`, {});
  const kept = await upload(gateway, 600_000);
  const store = await openPostgresStore(url, pino({ level: "silent" }));
  const keys = async (): Promise<Set<string>> =>
    new Set((await store.db.selectFrom("file_pieces").select("key").execute()).map(({ key }) => key));
  await killWhileUploading(gateway, async () => (await keys()).size === 2);
  const storage = claimedStorage(new DatabaseStorage(store), store, new FileReaders());
  const killedAt = Date.now();
  await storage.removeLeftovers!(killedAt - 60_000);
  expect((await keys()).size).toBe(2);
  await letTimePass(store);
  // Two replicas at once.
  await Promise.all([storage.removeLeftovers!(killedAt), storage.removeLeftovers!(killedAt)]);
  expect((await keys()).size).toBe(1);
  expect(await store.db.selectFrom("leases").selectAll().where("kind", "=", "file").execute()).toEqual([]);
  await store.close();
  const again = await start(`database_url: "${url}"`, {});
  const content = await again.call(`/v1/files/${kept}/content`);
  expect((await content.arrayBuffer()).byteLength).toBe(600_000);
  await again.close();
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { addBlocks } from "../src/core/ledger/spend-blocks.ts";
import { exportedUntil } from "../src/core/ledger/spend-export-mark.ts";
import { removeOldRows } from "../src/core/ledger/spend-retention.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import type { FileStorage, FileWriter } from "../src/features/files/file-storage.ts";
import { LocalStorage } from "../src/features/files/local-storage.ts";
import { exportNextDay } from "../src/features/spend-export/export-day.ts";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { spawnTestGateway, startTestGateway } from "./support/gateway.ts";
import { startS3 } from "./support/s3.ts";
import { describeOnEachStore } from "./support/stores.ts";
import { FIRST, randomRow } from "./support/summed-rows.ts";
import { until } from "./support/until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 4;
const NOW = FIRST + DAYS * DAY + 4 * HOUR;
const never = new AbortController().signal;

const nameOf = (day: number): string => `spend-${new Date(FIRST + day * DAY).toISOString().slice(0, 10)}.csv`;

/** Request ids by file, in order, of files whose rows are whole and of their day. */
function exported(folder: string): Record<string, string[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".csv"));
  const files = names.sort().map((name): [string, string[]] => {
    const [head, ...lines] = readFileSync(join(folder, name), "utf8").trimEnd().split("\r\n");
    expect(head).toMatch(/^request_id,api_key,.*,startTime,endTime$/);
    expect(lines.every((line) => line.includes(name.slice("spend-".length, -4)))).toBe(true);
    return [name, lines.map((line) => line.slice(0, line.indexOf(",")))];
  });
  return Object.fromEntries(files);
}

function expectedOf(rows: readonly SpendRow[]): Record<string, string[]> {
  const sorted = rows.toSorted(
    (one, other) => one.started_at - other.started_at || (one.id < other.id ? -1 : 1),
  );
  const days = Array.from({ length: DAYS }, (_, day): [string, string[]] => [
    nameOf(day),
    sorted.filter((row) => Math.floor((row.started_at - FIRST) / DAY) === day).map((row) => row.request_id),
  ]);
  return Object.fromEntries(days);
}

async function write(store: Store, rows: readonly SpendRow[]): Promise<void> {
  const sink = await openSpendSink(store.location);
  await sink.write(rows.map((row) => textOfRow({ row, windowStart: undefined, scopes: [] })));
  await sink.close();
}

/** More than are read at a time; with the first at the same moment. */
function many(count: number): SpendRow[] {
  const rows = Array.from({ length: count }, () => ({ ...randomRow(DAYS), tags: null }));
  return rows.map((row, at) => (at < 20 ? { ...row, started_at: FIRST + 5 } : row));
}

describeOnEachStore("The export of the spend log", (opener) => {
  let store: Store;
  let folder: string;
  let storage: FileStorage;
  const unfinished: FileWriter[] = [];

  beforeEach(async () => {
    store = await opener.open();
    folder = mkdtempSync(join(tmpdir(), "portico-export-"));
    storage = new LocalStorage(folder, false);
  });
  afterEach(async () => {
    for (const file of unfinished.splice(0)) await file.abort();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const addUp = async (now = NOW): Promise<void> => {
    while (await addBlocks(store, now));
  };
  const exportAll = async (now = NOW): Promise<void> => {
    await addUp(now);
    while (await exportNextDay(store, storage, never));
  };

  it("has a file of each day that is over, with every row once", async () => {
    await exportAll();
    expect(readdirSync(folder)).toEqual([]);
    const rows = many(store.kind === "sqlite" ? 5000 : 500);
    await write(store, rows);
    await exportAll(NOW - 4 * HOUR);
    expect(Object.keys(exported(folder))).toHaveLength(DAYS - 1);
    await exportAll();
    expect(exported(folder)).toEqual(expectedOf(rows));
    expect(await exportedUntil(store.db)).toBe(FIRST / DAY + DAYS);
    // A day without a call has a file without a row.
    await exportAll(NOW + DAY);
    expect(exported(folder)[nameOf(DAYS)]).toEqual([]);
  });

  /** A storage that fails as a process does that is killed: nothing is tidied up. */
  const killedAt = (moment: "write" | "commit" | "committed"): FileStorage => ({
    ...{ read: storage.read.bind(storage), delete: storage.delete.bind(storage) },
    create: async (key): Promise<FileWriter> => {
      const file = await storage.create(key);
      unfinished.push(file);
      const killed = async (): Promise<never> => {
        throw new Error("killed");
      };
      return {
        write: moment === "write" ? killed : (chunk) => file.write(chunk),
        commit: moment === "commit" ? killed : () => file.commit().then(killed),
        abort: async () => undefined,
      };
    },
  });

  it.each(["write", "commit", "committed"] as const)("is made again after a crash at %s", async (moment) => {
    const rows = many(100);
    await write(store, rows);
    await addUp();
    const crashed = exportNextDay(store, killedAt(moment), never);
    await expect(crashed).rejects.toThrow("killed");
    expect(await exportedUntil(store.db)).toBeUndefined();
    expect(Object.keys(exported(folder))).toHaveLength(moment === "committed" ? 1 : 0);
    await exportAll();
    expect(exported(folder)).toEqual(expectedOf(rows));
  });

  it("is the same by two replicas at once, and does not jump a day", async () => {
    const rows = many(300);
    await write(store, rows);
    const replica = store.kind === "postgres" ? await opener.open() : store;
    await addUp();
    for (let round = 0; round < DAYS + 1; round += 1)
      await Promise.all([store, replica].map((each) => exportNextDay(each, storage, never)));
    expect(exported(folder)).toEqual(expectedOf(rows));
    expect(readdirSync(folder)).toHaveLength(DAYS);
    if (replica !== store) await replica.close();
  });

  it("has rows that came late, but not in place of rows that are gone", async () => {
    const rows = many(100);
    await write(store, rows);
    await exportAll();
    const late = { ...randomRow(1), started_at: FIRST + 2 * DAY + 1 };
    await write(store, [late]);
    await addUp();
    expect(await exportedUntil(store.db)).toBe(FIRST / DAY + 2);
    await exportAll();
    expect(exported(folder)).toEqual(expectedOf([...rows, late]));
    while (await removeOldRows(store, { keep: 2 * DAY, every: 0, awaitsExport: true }, never, NOW));
    await write(store, [{ ...randomRow(1), started_at: FIRST + 1 }]);
    await exportAll();
    expect(exported(folder)).toEqual(expectedOf([...rows, late]));
  });

  it("ends where its lease does", async () => {
    await write(store, many(50));
    await addUp();
    const lost = exportNextDay(store, storage, AbortSignal.abort(new Error("lost")));
    await expect(lost).rejects.toThrow("lost");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("A gateway with `spend_export`", () => {
  const folder = mkdtempSync(join(tmpdir(), "portico-export-"));
  const config = (place: string, more = "") => `
model_list: [{model_name: m, litellm_params: {model: openai/gpt-4o, mock_response: hello}}]
general_settings: {master_key: sk-test-master-key-0123456789, spend_export: "${place}"${more}}
`;
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("writes days to object storage", async () => {
    const dataDirectory = join(folder, "data");
    const s3 = await startS3(join(folder, "s3"));
    const store = await openSqliteStore(dataDirectory);
    await write(store, many(100));
    while (await addBlocks(store));
    await store.close();
    const gateway = await spawnTestGateway({
      config: config(`s3://${s3.bucket}/a/b/`, `, file_endpoint: "${s3.endpoint}"`),
      dataDirectory,
      environment: s3.credentials,
    });
    await until(() => s3.objects().filter((key) => key.includes("spend-")).length >= DAYS);
    expect(s3.objects().join()).toContain(`a/b/${nameOf(0)}`);
    await gateway.close();
    await s3.close();
  });

  it.each([
    [
      "exports to",
      "a bucket that is not there",
      (endpoint: string) => config("s3://nope/a", `, file_endpoint: "${endpoint}"`),
      "NoSuchBucket",
    ],
    [
      "keeps files in",
      "a bucket that is not there",
      (endpoint: string) =>
        config("", `, file_bucket: nope, file_endpoint: "${endpoint}"`).replace(/spend_export: "", /, ""),
      "NoSuchBucket",
    ],
    [
      "exports to",
      "a service that is not there",
      () => config("s3://nope/a", ', file_endpoint: "http://127.0.0.1:1"'),
      "fetch failed",
    ],
  ])("that %s %s tells so when it starts", async (_verb, _place, configOf, reason) => {
    const s3 = await startS3(join(folder, "s3"));
    const gateway = await startTestGateway({ config: configOf(s3.endpoint), environment: s3.credentials });
    await until(() => gateway.log().includes(reason));
    expect(gateway.log()).toMatch(
      /general_settings\.(spend_export|file_bucket): the object storage cannot be used; check/,
    );
    await gateway.close();
    await s3.close();
  });

  it("does not start where the place is none", async () => {
    const started = spawnTestGateway({
      config: config("ftp://somewhere"),
      dataDirectory: join(folder, "none"),
    });
    await expect(started).rejects.toThrow();
  });
});

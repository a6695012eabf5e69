import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOfRow } from "../../core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../../core/ledger/journal/spend-sink.ts";
import { addBlocks } from "../../core/ledger/spend-blocks.ts";
import type { SpendRow } from "../../core/ledger/spend-tables.ts";
import { fixedConfig, type GatewayConfig } from "../../platform/config/gateway-config.ts";
import { makeLogger } from "../../platform/log/logger.ts";
import { openSqliteStore } from "../../platform/store/open-store.ts";
import type { Store } from "../../platform/store/schema.ts";
import { openSpendExport } from "./open.ts";

const NOON = Date.parse("2026-03-01T12:00Z");
const DAY = 86_400_000;

const row = (request: string, startedAt: number, more: Partial<SpendRow> = {}): SpendRow => ({
  ...{ id: request, request_id: request, key_hash: "key", user_id: null, team_id: null, model: "m" },
  ...{ model_id: null, provider: "openai", call_type: "acompletion", status: "success" },
  ...{ prompt_tokens: 3, completion_tokens: 4, cache_read_tokens: 0, cache_write_tokens: 0, spend: 0.5 },
  ...{ organization_id: null, end_user: null, tags: null, session_id: null },
  ...{ started_at: startedAt, ended_at: startedAt + 1000 },
  ...more,
});

describe("openSpendExport", () => {
  let folder: string;
  let store: Store;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "portico-export-"));
    store = await openSqliteStore(folder);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const opened = (spendExport: string | undefined) =>
    openSpendExport({
      config: fixedConfig({ generalSettings: { spendExport }, environment: {} } as unknown as GatewayConfig),
      store,
      logger: makeLogger("silent", { write: () => undefined }),
    });

  it("writes a file of each day that is over, in which no cell is a formula", async () => {
    const rows = [
      row("b", NOON, { end_user: '=cmd "x"', tags: '["a, b"]', session_id: "session" }),
      row("a", NOON - 1000, { user_id: "ann" }),
      row("c", NOON + DAY),
    ];
    const sink = await openSpendSink(store.location);
    await sink.write(rows.map((each) => textOfRow({ row: each, windowStart: undefined, scopes: [] })));
    await sink.close();
    while (await addBlocks(store, NOON + 3 * DAY));
    const place = join(folder, "export");
    const { "spend-export": chore } = opened(place).chores!;
    while (await chore!(new AbortController().signal));
    const files = readdirSync(place).sort();
    expect(files.slice(0, 2)).toEqual(["spend-2026-03-01.csv", "spend-2026-03-02.csv"]);
    const [head, ...lines] = readFileSync(join(place, files[0]!), "utf8").split("\r\n");
    expect(head!.split(",").slice(0, 3)).toEqual(["request_id", "api_key", "user"]);
    expect(lines.map((line) => line.split(",")[0])).toEqual(["a", "b", ""]);
    expect(lines[1]).toContain(`"'=cmd ""x""",session,"[""a, b""]"`);
  });

  it("does nothing without the setting, and refuses what is no place", () => {
    expect(opened(undefined).chores).toBeUndefined();
    expect(() => opened("ftp://files/a")).toThrow("expected a folder or s3://BUCKET/PREFIX");
    const taken = join(folder, "portico.sqlite");
    expect(() => opened(`${taken}/a`)).toThrow(`spend_export: nothing can be written in ${taken}/a`);
    expect(() => opened("s3://bucket/a")).toThrow("AWS_ACCESS_KEY_ID");
  });
});

import { afterEach, expect, it } from "vitest";
import { KeyStore } from "../src/core/auth/key-store.ts";
import type { KeyRow } from "../src/core/auth/keys-table.ts";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { SettingsStore } from "../src/platform/store/settings-store.ts";
import type { Store } from "../src/platform/store/store.ts";
import { describeOnEachStore } from "./support/stores.ts";

function keyRow(key_hash: string, more: Partial<KeyRow> = {}): KeyRow {
  return {
    key_hash,
    key_name: "sk-...test",
    key_alias: null,
    user_id: "user",
    user_role: "internal_user",
    team_id: null,
    metadata: "{}",
    team_metadata: "{}",
    allowed_model_region: null,
    models: "[]",
    rpm_limit: null,
    tpm_limit: null,
    max_parallel_requests: null,
    max_budget: null,
    budget_duration: null,
    blocked: 0,
    expires_at: null,
    created_at: 1_800_000_000_000,
    created_by: "test",
    updated_at: 1_800_000_000_000,
    updated_by: "test",
    ...more,
  };
}

function spendRow(id: string, key_hash: string, spend: number, started_at: number): SpendRow {
  return {
    id,
    request_id: `request-${id}`,
    key_hash,
    user_id: null,
    team_id: null,
    model: "m",
    model_id: "d",
    provider: "openai",
    call_type: "acompletion",
    status: "success",
    prompt_tokens: 3,
    completion_tokens: 4,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    spend,
    started_at,
    ended_at: started_at + 10,
  };
}

describeOnEachStore("the store", (opener) => {
  const open: Store[] = [];

  async function store(): Promise<Store> {
    const opened = await opener.open();
    open.push(opened);
    return opened;
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map((opened) => opened.close()));
  });

  it("is brought up to date once when several replicas start at the same moment", async () => {
    const stores = await Promise.all([store(), store(), store()]);
    expect(await Promise.all(stores.map((each) => each.isAlive()))).toEqual([true, true, true]);
  });

  it("keeps keys, finds them by hash and alias, and counts every change", async () => {
    const keys = new KeyStore(await store());
    const before = await keys.version();
    const row = keyRow("hash-1", { key_alias: "first", max_budget: 1.5, expires_at: 1_900_000_000_000 });
    await keys.insert(row);
    expect({ ...(await keys.find("hash-1")) }).toEqual(row);
    expect((await keys.findByAlias("first"))?.key_hash).toBe("hash-1");
    expect(await keys.update("hash-1", { blocked: 1 })).toBe(true);
    expect((await keys.find("hash-1"))?.blocked).toBe(1);
    expect(await keys.update("nobody", { blocked: 1 })).toBe(false);
    expect(await keys.version()).toBe(before + 2);
    expect(await keys.delete(["hash-1", "nobody"])).toEqual(["hash-1"]);
    expect(await keys.find("hash-1")).toBeUndefined();
    expect(await keys.version()).toBe(before + 3);
  });

  it("refuses a second key with the same alias", async () => {
    const keys = new KeyStore(await store());
    await keys.insert(keyRow("hash-2", { key_alias: "taken" }));
    await expect(keys.insert(keyRow("hash-3", { key_alias: "taken" }))).rejects.toThrow();
    expect(await keys.find("hash-3")).toBeUndefined();
  });

  it("lists keys newest first, page by page", async () => {
    const keys = new KeyStore(await store());
    for (const index of [1, 2, 3])
      await keys.insert(keyRow(`list-${index}`, { user_id: "lister", created_at: index }));
    const page = await keys.list({ userId: "lister" }, 1, 1);
    expect(page.total).toBe(3);
    expect(page.rows.map((row) => row.key_hash)).toEqual(["list-2"]);
  });

  it("keeps a key's spend equal to the sum of its rows, also when replicas write at once", async () => {
    const replicas = [new SpendStore(await store()), new SpendStore(await store())];
    await Promise.all(
      replicas.flatMap((spend, replica) =>
        Array.from({ length: 5 }, (_, batch) =>
          spend.append(
            Array.from({ length: 4 }, (_, row) =>
              spendRow(`sum-${replica}-${batch}-${row}`, row % 2 === 0 ? "a" : "b", 0.25, 1000 + row),
            ),
            [{ key_hash: "a", window_start: 0, spend: 0.5 }],
          ),
        ),
      ),
    );
    const spend = replicas[0]!;
    expect(await spend.spendOf("a")).toBe(5);
    expect(await spend.spendOfAll(["a", "b", "c"])).toEqual(
      new Map([
        ["a", 5],
        ["b", 5],
      ]),
    );
    expect(await spend.spendInWindow("a", 0)).toBe(5);
    expect(await spend.spendInWindow("a", 60)).toBe(0);
  });

  it("pages and filters the log, newest first", async () => {
    const spend = new SpendStore(await store());
    await spend.append(
      [1, 2, 3, 4].map((index) => spendRow(`page-${index}`, "pager", 0, 5000 + index)),
      [],
    );
    const page = await spend.page({ keyHash: "pager", start: 5002, end: 5004 }, 0, 10);
    expect(page.map((row) => row.id)).toEqual(["page-3", "page-2"]);
    expect(page[0]?.prompt_tokens).toBe(3);
    expect((await spend.page({ keyHash: "pager" }, 1, 1)).map((row) => row.id)).toEqual(["page-3"]);
  });

  it("hands every replica the same secret", async () => {
    const replicas = [new SettingsStore(await store()), new SettingsStore(await store())];
    const [first, second] = await Promise.all(replicas.map((settings) => settings.secret("ids")));
    expect(first).toBe(second);
    expect(first).toMatch(/^[\w-]{43}$/);
  });
});

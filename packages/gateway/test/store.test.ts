import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { KeyIssuer } from "../src/core/auth/issue/key-issuer.ts";
import { KeyStore } from "../src/core/auth/records/key-store.ts";
import type { KeyRow } from "../src/core/auth/records/keys-table.ts";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { SpendStore } from "../src/core/ledger/spend-store.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { Leases } from "../src/platform/lease/leases.ts";
import { fileLeases } from "../src/platform/store/migrations/0027-file-leases.ts";
import { scimNames } from "../src/platform/store/migrations/0083-scim-names.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { SettingsStore } from "../src/platform/store/settings-store.ts";
import { describeOnEachEmptyStore } from "./support/stores.ts";

const changer = { by: "test", keyHash: "", address: "127.0.0.1" };

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
    organization_id: null,
    end_user: null,
    tags: null,
    session_id: null,
  };
}

/** Rows that differ in what is searched for. */
function searchedRows(): SpendRow[] {
  const details = JSON.stringify({ tools: ["Bash"], metadata: { job: "Nightly 100%_run" } });
  return [
    { ...spendRow("one", "k", 1, 1000), details, first_ms: 12, user_id: "Ann", tags: '["red"]' },
    { ...spendRow("two", "k", 1, 2000), user_id: "ann", model: "a\\b" },
    { ...spendRow("three", "other", 1, 3000), user_id: "ann" },
  ];
}

describeOnEachEmptyStore("the store", (opener) => {
  const open: Store[] = [];

  async function store(): Promise<Store> {
    const opened = await opener.open();
    open.push(opened);
    return opened;
  }

  afterEach(async () => {
    await Promise.all(open.splice(0).map((opened) => opened.close()));
  });

  it("finds rows by words that stand in them, in any order and case, within what the other filters leave", async () => {
    const opened = await store();
    const sink = await openSpendSink(opened.location);
    await sink.write(searchedRows().map((row) => textOfRow({ row, windowStart: undefined, scopes: [] })));
    await sink.close();
    const found = async (search: string, keyHash?: string) => {
      const filter = { search, ...(keyHash === undefined ? {} : { keyHash }) };
      return (await new SpendStore(opened).page(filter, 0, 10)).map(({ id }) => id);
    };
    expect(await found("ann")).toEqual(["three", "two", "one"]);
    expect(await found("ANN", "k")).toEqual(["two", "one"]);
    expect(await found("nightly bash")).toEqual(["one"]);
    expect(await found("100%_")).toEqual(["one"]);
    expect(await found("a\\b")).toEqual(["two"]);
    expect(await found("a_b")).toEqual([]);
    expect(await found("%")).toEqual(["one"]);
    expect(await found("' or 1=1 --")).toEqual([]);
    expect(await found("")).toHaveLength(3);
    const [row] = await new SpendStore(opened).page({ requestId: "request-one" }, 0, 1);
    expect({ ...row, first_ms: Number(row!.first_ms) }).toMatchObject(searchedRows()[0]!);
  });

  it("is brought up to date once when several replicas start at the same moment", async () => {
    const stores = await Promise.all([store(), store(), store()]);
    expect(await Promise.all(stores.map((each) => each.isAlive()))).toEqual([true, true, true]);
  });

  it("keeps keys, finds them by hash and alias, and counts and records every change", async () => {
    const opened = await store();
    const keys = new KeyStore(opened);
    const issuer = new KeyIssuer(keys);
    const before = await keys.version();
    const wanted = { key_alias: "first", max_budget: 1.5, expires_at: 1_900_000_000_000 };
    const { row } = await issuer.issue(wanted, changer);
    const { key_hash: hash } = row;
    expect({ ...(await keys.find(hash)) }).toEqual(row);
    expect((await keys.findByAlias("first"))?.key_hash).toBe(hash);
    await issuer.update(hash, () => ({ blocked: 1 }), changer);
    expect((await keys.find(hash))?.blocked).toBe(1);
    await expect(issuer.update("nobody", () => ({ blocked: 1 }), changer)).rejects.toThrow("no such key");
    expect(await keys.version()).toBe(before + 2);
    expect(await issuer.delete([hash, "nobody"], changer)).toEqual([hash]);
    expect(await keys.find(hash)).toBeUndefined();
    expect(await keys.version()).toBe(before + 3);
    const log = await opened.db
      .selectFrom("audit_log")
      .selectAll()
      .where("object_id", "=", hash)
      .orderBy("id")
      .execute();
    expect(log.map(({ action, changed_by, address }) => [action, changed_by, address])).toEqual(
      ["created", "updated", "deleted"].map((action) => [action, "test", "127.0.0.1"]),
    );
  });

  it("changes a key for one after the other who change it at the same moment", async () => {
    const replicas = await Promise.all([store(), store()]);
    const issuers = replicas.map((each) => new KeyIssuer(new KeyStore(each)));
    const { row } = await issuers[0]!.issue({ rpm_limit: 0 }, changer);
    const more = (before: KeyRow) => ({ rpm_limit: before.rpm_limit! + 1 });
    await Promise.all([0, 1, 2, 3, 4, 5].map((at) => issuers[at % 2]!.update(row.key_hash, more, changer)));
    expect((await new KeyStore(replicas[0]!).find(row.key_hash))?.rpm_limit).toBe(6);
  });

  it("refuses a second key with the same alias", async () => {
    const issuer = new KeyIssuer(new KeyStore(await store()));
    await issuer.issue({ key_alias: "taken" }, changer);
    await expect(issuer.issue({ key_alias: "taken" }, changer)).rejects.toThrow("exists already");
  });

  it("lists keys newest first, page by page", async () => {
    const opened = await store();
    const keys = new KeyStore(opened);
    const issuer = new KeyIssuer(keys);
    for (const index of [1, 2, 3]) {
      const { row } = await issuer.issue({ user_id: "lister", key_alias: `list-${index}` }, changer);
      const at = { created_at: index };
      await opened.db.updateTable("gateway_keys").set(at).where("key_hash", "=", row.key_hash).execute();
    }
    const page = await keys.list({ userId: "lister" }, 1, 1);
    expect(page.total).toBe(3);
    expect(page.rows.map((row) => row.key_alias)).toEqual(["list-2"]);
  });

  it("keeps a key's spend equal to the sum of its rows, also when replicas write at once", async () => {
    const { location } = await store();
    const replicas = await Promise.all([openSpendSink(location), openSpendSink(location)]);
    const textOf = (id: string, row: number): string => {
      const isA = row % 2 === 0;
      const values = spendRow(id, isA ? "a" : "b", 0.25, 1000 + row);
      return textOfRow({ row: values, windowStart: isA ? 0 : undefined, scopes: [] });
    };
    await Promise.all(
      replicas.map(async (sink, replica) => {
        for (let batch = 0; batch < 5; batch += 1) {
          const texts = [0, 1, 2, 3].map((row) => textOf(`sum-${replica}-${batch}-${row}`, row));
          await sink.write(texts);
          // Some of them again, as after a crash, also twice in one write, and one that both replicas write.
          await sink.write([...texts.slice(1), ...texts.slice(2), textOf(`late-${batch}`, 1)]);
        }
      }),
    );
    await Promise.all(replicas.map((sink) => sink.close()));
    const spend = new SpendStore(await store());
    expect(await spend.spendOf("a")).toBe(5);
    expect(await spend.spendOfAll(["a", "b", "c"])).toEqual(
      new Map([
        ["a", 5],
        ["b", 6.25],
      ]),
    );
    expect(await spend.page({}, 0, 100)).toHaveLength(45);
    expect(await spend.spentIn({ owner: "a", windowStart: 0 })).toBe(5);
    expect(await spend.spentIn({ owner: "a", windowStart: 60 })).toBe(0);
  });

  it("takes spend rows of earlier versions, which say less", async () => {
    const opened = await store();
    const sink = await openSpendSink(opened.location);
    const whole: SpendRow = {
      ...spendRow("whole", "k", 1, 30),
      organization_id: "o",
      end_user: 'c \u00fc "',
      tags: '["a","b\\"c"]',
    };
    const inScope = { ...spendRow("scope", "k", 1, 20), end_user: "c" };
    await sink.write([
      textOfRow({ row: spendRow("plain", "k", 1, 10), windowStart: undefined, scopes: [] }),
      textOfRow({ row: inScope, windowStart: 0, scopes: [{ owner: "team t", start: 0 }] }),
      textOfRow({ row: whole, windowStart: undefined, scopes: [] }),
    ]);
    await sink.close();
    const spend = new SpendStore(opened);
    const rows = await spend.page({}, 0, 10);
    const unsaid = { first_ms: null, details: null };
    expect(rows.map((each) => ({ ...each }))).toEqual(
      [whole, inScope, spendRow("plain", "k", 1, 10)].map((row) => ({ ...row, ...unsaid })),
    );
    expect(await spend.spendOf("k")).toBe(3);
    expect((await spend.spendOfScopes(["team t"])).get("team t")).toBe(1);
  });

  it("pages and filters the log, newest first", async () => {
    const { location } = await store();
    const sink = await openSpendSink(location);
    const row = (index: number) => spendRow(`page-${index}`, "pager", 0, 5000 + index);
    await sink.write(
      [1, 2, 3, 4].map((index) => textOfRow({ row: row(index), windowStart: undefined, scopes: [] })),
    );
    await sink.close();
    const spend = new SpendStore(await store());
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

  it("opens a database of before files were leases, and takes over what was being written", async () => {
    const before = await store();
    const table = sql.table("unclaimed_files");
    await sql`insert into ${table} (key, upload_id, touched_at, swept_at) values ('a', 'u-1', 7, 0)`.execute(
      before.db,
    );
    await sql`insert into ${table} (key, upload_id, touched_at, swept_at) values ('b', null, 7, 0)`.execute(
      before.db,
    );
    const { db } = await store();
    await fileLeases.up(db);
    const leases = new Leases("file");
    const lost = await leases.lost(db, Date.now());
    expect(lost.map(({ name, checkpoint }) => [name, checkpoint]).toSorted()).toEqual([
      ["a", '{"uploadId":"u-1"}'],
      ["b", null],
    ]);
    // A replica that is not replaced yet still has its table.
    await sql`insert into ${table} (key, upload_id, touched_at, swept_at) values ('c', null, 7, 0)`.execute(
      db,
    );
  });

  it("gives a lease to one of several who take it over, and none while its holder keeps it", async () => {
    const { db } = await store();
    const leases = new Leases("thing");
    const now = Date.now();
    const first = (await leases.take(db, ["x"], now + 60_000)).get("x")!;
    expect(await leases.lost(db, now)).toEqual([]);
    const second = (await leases.take(db, ["x"], now + 60_000, "keeper")).get("x")!;
    expect(second.owner).not.toBe(first.owner);
    expect(await leases.change(db, first, { checkpoint: "{}" })).toBe(false);
    await leases.change(db, second, { alive_until: now - 1 });
    const [lost] = await leases.lost(db, now, 1);
    const taken = await Promise.all([1, 2, 3].map(() => leases.takeOver(db, lost!, "keeper", now + 60_000)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await leases.change(db, second, { checkpoint: "{}" })).toBe(false);
    expect(await leases.take(db, ["x"], now + 60_000, "keeper")).toEqual(new Map());
    await leases.change(db, { name: "x", owner: "keeper" }, { alive_until: now - 1 });
    expect((await leases.take(db, ["x"], now + 60_000, "keeper")).size).toBe(1);
  });

  // SQLite has no connection that anybody could end.
  if (!("url" in opener)) return;
  it("outlives a server that ends a connection between two statements", async () => {
    const [{ db }, { db: other }] = [await store(), await store()];
    const cut = db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      const { pid } = rows[0]!;
      await sql`select pg_terminate_backend(${pid})`.execute(other);
      const left = sql<object>`select pid from pg_stat_activity where pid = ${pid}`;
      await expect.poll(async () => (await left.execute(other)).rows).toEqual([]);
      await sql`select 1`.execute(transaction);
    });
    await expect(cut).rejects.toThrow();
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });

  it("keeps the names by which an identity provider made users before these were kept apart", async () => {
    const { db } = await store();
    const row = {
      version: 1,
      organization_id: null,
      email: null,
      created_at: 1,
      created_by: "",
      updated_at: 1,
      updated_by: "",
    };
    const rows = [
      ["user", "made", "Ann@Example.com", { scim: { external_id: "x" }, user_role: "internal_user" }],
      ["team", "group", "Blue", { scim: { external_id: "g" } }],
      ["user", "known", "Bob", { scim: { name: "bob", name_key: "bob" } }],
      ["user", "own", "Cleo", { user_role: "internal_user" }],
      ["user", "nameless", null, { scim: { external_id: "n" } }],
    ] as const;
    for (const [kind, id, alias, settings] of rows)
      await db
        .insertInto("entities")
        .values({ ...row, kind, id, alias, settings: JSON.stringify(settings), generation: 0 })
        .execute();
    await scimNames.up(db as never);
    const kept = await db.selectFrom("entities").select(["id", "settings"]).execute();
    expect(Object.fromEntries(kept.map(({ id, settings }) => [id, JSON.parse(settings)]))).toEqual({
      made: {
        scim: { external_id: "x", name: "Ann@Example.com", name_key: "ann@example.com" },
        user_role: "internal_user",
      },
      group: { scim: { external_id: "g", name: "Blue", name_key: "blue" } },
      known: { scim: { name: "bob", name_key: "bob" } },
      own: { user_role: "internal_user" },
      nameless: { scim: { external_id: "n" } },
    });
  });
});

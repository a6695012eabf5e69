import { expect, it } from "vitest";
import type { Store } from "../src/platform/store/schema.ts";
import { SharedCommit } from "../src/platform/store/shared-commit.ts";
import { describeOnEachStore } from "./support/stores.ts";

async function write(db: Store["db"], name: string): Promise<string> {
  await db.insertInto("settings").values({ name, value: name }).execute();
  return name;
}

describeOnEachStore("Writes that share a commit", (opener) => {
  it("are each all or nothing, in the caller's hands only when they are there", async () => {
    const store = await opener.open();
    const other = await opener.open();
    const commits = new SharedCommit(store);
    const names = Array.from({ length: 200 }, (_, index) => `n${String(index).padStart(3, "0")}`);
    const results = await Promise.allSettled(
      names.map((name, index) =>
        commits.run(async (db) => {
          await write(db, `${name}a`);
          if (index % 3 === 0) throw new Error(`no ${name}`);
          return write(db, `${name}b`);
        }),
      ),
    );
    const rows = await other.db.selectFrom("settings").select("name").where("name", "like", "n%").execute();
    const there = new Set(rows.map((row) => row.name));
    for (const [index, name] of names.entries()) {
      const result = results[index]!;
      if (index % 3 === 0) expect(result).toMatchObject({ reason: { message: `no ${name}` } });
      else expect(result).toMatchObject({ value: `${name}b` });
      expect([there.has(`${name}a`), there.has(`${name}b`)]).toEqual(Array(2).fill(index % 3 !== 0));
    }
    await other.close();
    await store.close();
  });

  it("go on after a commit that failed", async () => {
    const store = await opener.open();
    const commits = new SharedCommit(store);
    await expect(commits.run((db) => write(db, null as never))).rejects.toThrow();
    expect(await commits.run((db) => write(db, "after"))).toBe("after");
    await store.close();
    await expect(commits.run((db) => write(db, "closed"))).rejects.toThrow();
  });
});

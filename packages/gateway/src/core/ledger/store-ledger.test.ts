import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { newCallRecord } from "../../contract/call-record.ts";
import { anonymous, type Principal } from "../../contract/principal.ts";
import type { SpendStore, WindowSpend } from "./spend-store.ts";
import type { SpendRow } from "./spend-tables.ts";
import { StoreLedger } from "./store-ledger.ts";

const principal: Principal = {
  ...anonymous,
  keyHash: "hash",
  limits: { maxBudget: 1, budgetDuration: "1d" },
};

describe("StoreLedger", () => {
  let rows: SpendRow[];
  let windows: WindowSpend[];
  let failures: number;
  let ledger: StoreLedger;

  beforeEach(() => {
    rows = [];
    windows = [];
    failures = 0;
    const store = {
      append: async (more: readonly SpendRow[], sums: readonly WindowSpend[]) => {
        if (failures-- > 0) throw new Error("database away");
        rows.push(...more);
        windows.push(...sums);
      },
    };
    ledger = new StoreLedger(store as unknown as SpendStore, pino({ level: "silent" }));
  });

  function call(cost: number | undefined) {
    const record = newCallRecord("acompletion");
    record.cost = cost;
    record.status = "success";
    record.usage = { input: 3, output: 4, cacheRead: 1, cacheWrite: 2, reasoning: 0 };
    return record;
  }

  it("writes each call once, however often it is settled, and equal call ids as two calls", async () => {
    const record = call(0.5);
    ledger.settle({ callId: "same-id", principal, call: record });
    ledger.settle({ callId: "same-id", principal, call: record });
    ledger.settle({ callId: "same-id", principal, call: call(0.25) });
    await ledger.flush();
    expect(rows.map((row) => [row.request_id, row.spend])).toEqual([
      ["same-id", 0.5],
      ["same-id", 0.25],
    ]);
    expect(windows.map((window) => window.spend)).toEqual([0.75]);
  });

  it("writes tokens and cost of the call; a refused one has none", async () => {
    ledger.settle({ callId: "a", principal, call: call(0.5) });
    ledger.settle({ callId: "b", principal, call: newCallRecord("acompletion") });
    await ledger.flush();
    expect(rows[0]).toMatchObject({
      prompt_tokens: 3,
      completion_tokens: 4,
      cache_read_tokens: 1,
      cache_write_tokens: 2,
      status: "success",
    });
    expect(rows[1]).toMatchObject({ prompt_tokens: 0, spend: 0, status: "failure" });
  });

  it("keeps rows that the database did not take and writes them later", async () => {
    failures = 1;
    ledger.settle({ callId: "a", principal, call: call(0.5) });
    await ledger.flush();
    expect(rows).toEqual([]);
    await ledger.close();
    expect(rows).toHaveLength(1);
  });
});

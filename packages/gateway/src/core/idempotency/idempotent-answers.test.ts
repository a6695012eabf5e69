import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { expect, it } from "vitest";
import { newCallRecord } from "../../contract/call-record.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import { anonymous } from "../../contract/principal.ts";
import type { IdempotencyRow } from "../../platform/journal/journals-tables.ts";
import { type IdempotencyDeps, IdempotentAnswers } from "./idempotent-answers.ts";

function makeExchange(): Exchange {
  return {
    headers: { "idempotency-key": "key-1" },
    method: "POST",
    path: "/v1/chat/completions",
    query: new URLSearchParams(),
    params: {},
    principal: anonymous,
    call: newCallRecord("acompletion"),
    signal: new AbortController().signal,
    caller: new AbortController().signal,
    readBody: async () => Buffer.from("{}"),
  } as unknown as Exchange;
}

it("A stream of which the store cannot be told is closed, with what it reads from", async () => {
  const closed: string[] = [];
  async function* stream(name: string) {
    try {
      yield Buffer.from("x");
    } finally {
      closed.push(name);
    }
  }
  async function* view(source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) yield chunk;
  }
  const deps = {
    store: {
      claim: async () => true,
      keepAlive: () => () => undefined,
      update: () => Promise.reject(new Error("the database is away")),
      delete: async () => undefined,
    },
    tenantOf: () => "tenant",
    count: async () => ({}),
    logger: pino({ level: "silent" }),
  } as unknown as IdempotencyDeps;
  const handler = new IdempotentAnswers(deps).wrap(async () => ({
    status: 200,
    headers: {},
    stream: view(stream("provider's")),
  }));
  await expect(handler(makeExchange())).rejects.toThrow("the database is away");
  expect(closed).toEqual(["provider's"]);
});

it("Work of this process is not taken over while it can give no sign of life", async () => {
  let row: IdempotencyRow | undefined;
  const deps = {
    store: {
      claim: async (wanted: IdempotencyRow) => {
        if (row !== undefined) return false;
        row = { ...wanted, alive_until: 0 };
        return true;
      },
      find: async () => row,
      takeOver: async () => true,
      keepAlive: () => () => undefined,
      update: async (_: unknown, change: Partial<IdempotencyRow>) => {
        row = { ...row!, ...change };
        return true;
      },
      delete: async () => undefined,
    },
    journal: { delete: async () => undefined, lastEntry: async () => undefined },
    tenantOf: () => "tenant",
    count: async () => ({}),
    logger: pino({ level: "silent" }),
  } as unknown as IdempotencyDeps;
  const calls: ((reply: Reply) => void)[] = [];
  const handler = new IdempotentAnswers(deps).wrap(() => new Promise((done) => calls.push(done)));
  const first = handler(makeExchange());
  await expect.poll(() => calls.length).toBe(1);
  const second = handler(makeExchange());
  // Some turns of the event loop, in which it finds the first one's row.
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  for (const done of calls) done({ status: 200, body: "answer" });
  expect(await first).toMatchObject({ status: 200 });
  expect(await second).toMatchObject({ headers: { "x-portico-idempotent-replay": "true" } });
  expect(calls).toHaveLength(1);
});

import { pino } from "pino";
import { expect, it } from "vitest";
import { newCallRecord } from "../../contract/call-record.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { anonymous } from "../../contract/principal.ts";
import { type IdempotencyDeps, IdempotentAnswers } from "./idempotent-answers.ts";

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
    logger: pino({ level: "silent" }),
  } as unknown as IdempotencyDeps;
  const exchange = {
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
  const handler = new IdempotentAnswers(deps).wrap(async () => ({
    status: 200,
    headers: {},
    stream: view(stream("provider's")),
  }));
  await expect(handler(exchange)).rejects.toThrow("the database is away");
  expect(closed).toEqual(["provider's"]);
});

import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { GatewayError } from "../../../contract/errors.ts";
import { anonymous } from "../../../contract/principal.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import { type BatchDeps, BatchSignals } from "../batch-deps.ts";
import type { RowResult } from "../store.ts";
import { RowGate } from "./row-gate.ts";
import { runSlice, type SliceTools } from "./run-slice.ts";

it("A slice in which a row cannot be written down goes on until its other rows have ended", async () => {
  const batch = {
    id: "batch_1",
    status: "in_progress",
    input_key: "input",
    principal: JSON.stringify(anonymous),
    expires_at: Number.MAX_SAFE_INTEGER,
    total: 2,
    completed: 0,
    failed: 0,
  };
  const rows = [1, 2].map((line) => ({ line, custom_id: `row-${line}`, line_length: 10, not_before: 0 }));
  const deps = {
    batches: { find: async () => batch, rows: async () => rows },
    signals: new BatchSignals(),
    recallPrincipal: async () => {
      throw new GatewayError(401, "authentication_error", "The key is gone");
    },
  } as unknown as BatchDeps;
  const second = Promise.withResolvers<undefined>();
  const commit = async (_batch: string, { line }: RowResult): Promise<undefined> => {
    if (line === 1) throw new Error("the disk is full");
    return second.promise;
  };
  const tools = {
    gate: new RowGate(2, () => 0),
    committer: { commit },
    restingUntil: new Map(),
  } as unknown as SliceTools;
  const lease = { payload: { batch: "batch_1", from: 1, to: 3 } } as unknown as Lease;
  let isOver = false;
  const run = runSlice(deps, tools, lease, new AbortController().signal).finally(() => {
    isOver = true;
  });
  const failure = expect(run).rejects.toThrow("the disk is full");
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(isOver).toBe(false);
  second.resolve(undefined);
  await failure;
});

it("A slice goes on while the store cannot be asked whether its batch does", async () => {
  const batch = {
    id: "batch_1",
    status: "in_progress",
    input_key: "input",
    principal: JSON.stringify(anonymous),
    expires_at: Number.MAX_SAFE_INTEGER,
    total: 2,
    completed: 0,
    failed: 0,
  };
  const looked = Promise.withResolvers<void>();
  let isDown = false;
  const find = async () => {
    if (!isDown) return batch;
    looked.resolve();
    throw new Error("timeout exceeded when trying to connect");
  };
  const warnings: string[] = [];
  const deps = {
    batches: { find, rows: async () => [{ line: 1, custom_id: "row", line_length: 10, not_before: 0 }] },
    signals: new BatchSignals(),
    logger: { warn: (_: object, text: string) => warnings.push(text) },
    recallPrincipal: async () => {
      throw new GatewayError(401, "authentication_error", "The key is gone");
    },
  } as unknown as BatchDeps;
  const commit = async (): Promise<undefined> => {
    isDown = true;
    deps.signals.changed("batch_1");
    await looked.promise;
    // A rejection that nobody takes ends the process in a turn or two.
    for (let turns = 0; turns < 20; turns++) await turn();
    isDown = false;
  };
  const tools = {
    gate: new RowGate(2, () => 0),
    committer: { commit },
    restingUntil: new Map(),
  } as unknown as SliceTools;
  const lease = { payload: { batch: "batch_1", from: 1, to: 2 } } as unknown as Lease;
  expect(await runSlice(deps, tools, lease, new AbortController().signal)).toEqual({ done: true });
  expect(warnings).toEqual(["a running batch could not be looked at"]);
});

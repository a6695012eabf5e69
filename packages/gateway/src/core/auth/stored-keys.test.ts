import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { NamedDefaults } from "./named-defaults.ts";
import type { EntityStore } from "./records/entity-store.ts";
import type { KeyStore } from "./records/key-store.ts";
import { StoredKeys } from "./stored-keys.ts";

let isAway = false;
let isSilent = false;
let failure: Error | undefined;
let version = 1;
const answer = async <T>(value: T): Promise<T> => {
  if (isSilent) return new Promise<T>(() => undefined);
  if (isAway) throw Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
  if (failure !== undefined) throw failure;
  return value;
};
const row = {
  key_hash: "known",
  key_alias: "ci",
  user_role: "internal_user",
  metadata: "{}",
  team_metadata: "{}",
  models: '["gpt"]',
  settings: "{}",
  max_budget: 5,
  blocked: 0,
  generation: 0,
};

function open(admits: boolean): StoredKeys {
  isAway = false;
  isSilent = false;
  failure = undefined;
  version += 1;
  const store = {
    version: () => answer(version),
    find: (hash: string) => answer(hash === "known" ? row : undefined),
    findRenewed: () => answer(undefined),
  } as unknown as KeyStore;
  const entities = {
    hasAny: () => answer(true),
    levelsOf: () => answer({}),
    level: () => answer(undefined),
  } as unknown as EntityStore;
  const defaults = {
    areAny: false,
    subscribe: () => undefined,
    requireUnblocked: () => undefined,
    scopeOf: () => undefined,
  } as unknown as NamedDefaults;
  return new StoredKeys(store, entities, defaults, () => admits);
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** Goes to a moment at which the keys are not believed any more. */
const later = (): void => void vi.advanceTimersByTime(450);

it("a key that cannot be looked up is an error, unless the configuration admits it", async () => {
  const keys = open(false);
  expect((await keys.find("known"))?.principal.limits).toEqual({ maxBudget: 5 });
  later();
  isAway = true;
  await expect(keys.find("known")).rejects.toThrow("connection refused");
});

it("while the database is away, keys are what they were, without budgets, and unknown ones stay so", async () => {
  const keys = open(true);
  await keys.find("known");
  expect(await keys.find("nobody")).toBeUndefined();
  later();
  isAway = true;
  const known = await keys.find("known");
  expect(known?.principal).toMatchObject({ keyAlias: "ci", models: ["gpt"], limits: {} });
  expect(await keys.find("known")).toBe(known);
  expect(await keys.find("nobody")).toBeUndefined();
  const { principal } = (await keys.find("new"))!;
  expect(principal).toMatchObject({ keyHash: "new", role: "internal_user", isMaster: false });
  expect(principal.restrictions?.routes).toEqual([["llm_api_routes"]]);
  const scoped = await keys.under(principal, { customer: "c", tags: [] });
  expect(scoped.named?.customer).toBe("c");
  isAway = false;
  later();
  await expect.poll(async () => (await keys.find("known"))?.principal.limits).toEqual({ maxBudget: 5 });
  expect(await keys.find("new")).toBeUndefined();
});

it("calls do not wait for a database that has just failed", async () => {
  const keys = open(true);
  later();
  isAway = true;
  await keys.find("new");
  isSilent = true;
  const found = await Promise.all(Array.from({ length: 20 }, (_, at) => keys.find(`other ${at}`)));
  expect(found.filter((key) => key === undefined)).toEqual([]);
});

it.each([
  ["has no free connection", new Error("timeout exceeded when trying to connect")],
  ["gave a statement up for its time", Object.assign(new Error("canceling"), { code: "57014" })],
  ["gave a statement up for a lock", Object.assign(new Error("lock timeout"), { code: "55P03" })],
  ["refuses a statement", Object.assign(new Error("no such column"), { code: "42703" })],
])("nobody is let in unchecked because a database %s", async (_, busy) => {
  const keys = open(true);
  const known = (await keys.find("known"))!.principal;
  later();
  failure = busy;
  for (const key of ["known", "new"]) await expect(keys.find(key)).rejects.toBe(busy);
  await expect(keys.under(known, { customer: "c", tags: [] })).rejects.toBe(busy);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { BLUE_KEY, type Resources, startResources, TEAM_KEYS } from "./support/resources.ts";
import { until } from "./support/until.ts";

/**
 * A provider makes what it was asked for, whoever waits for it. What its caller left stands in the caller's lists and
 * counts in the budget all the same; where a hook refuses it, it is removed.
 */
const folder = mkdtempSync(join(tmpdir(), "portico-left-"));
let resources: Resources;
let gateway: TestGateway;

beforeAll(async () => {
  resources = await startResources();
  writeFileSync(
    join(folder, "hooks.mjs"),
    `export function postCallSuccess({ callId }) {
  if (callId.startsWith("refused")) throw Object.assign(new Error("not that"), { status: 403 });
}`,
  );
  gateway = await resources.start(`
model_list:
  - model_name: sora
    litellm_params: {model: openai/sora-2, api_base: "${resources.simulator.url}/openai/v1", api_key: k, output_cost_per_second: 0.1}
gateway_settings: {callbacks: ["${join(folder, "hooks.mjs")}"]}
${TEAM_KEYS}`);
});
afterAll(async () => {
  await resources?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  resources.simulator.reset();
  // A batch that is over cannot be cancelled any more.
  const body = JSON.stringify({ batchRunningMs: 600_000 });
  await fetch(`${resources.simulator.url}/_admin/settings`, { method: "POST", body });
});

interface Thing {
  readonly id: string;
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const answer = await gateway.call(path, { key: BLUE_KEY, body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

const idsAt = async (list: string): Promise<string[]> =>
  (await ask<{ data: Thing[] }>(list)).data.map(({ id }) => id);

function form(fields: Readonly<Record<string, string>>, file?: string): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  if (file !== undefined) made.set("file", new Blob([file]), "rows.jsonl");
  return made;
}

const row = {
  custom_id: "a",
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] },
};
const upload = () => form({ purpose: "batch" }, `${JSON.stringify(row)}\n`);

/** How what a provider makes is asked for, and where it is listed then. */
interface Creation {
  readonly path: string;
  readonly list: string;
  readonly body: unknown;
  /** US dollars. */
  readonly cost: number;
}

const video = { model: "sora", prompt: "x", seconds: "4" };
const creations: Readonly<Record<string, () => Promise<Creation>>> = {
  "a video": async () => ({ path: "/v1/videos", list: "/v1/videos", body: video, cost: 0.4 }),
  "a video of a form": async () => ({ path: "/v1/videos", list: "/v1/videos", body: form(video), cost: 0.4 }),
  "a remix": async () => {
    const { id } = await ask<Thing>("/v1/videos", video);
    return { path: `/v1/videos/${id}/remix`, list: "/v1/videos", body: { prompt: "y" }, cost: 0.4 };
  },
  "a container": async () => ({
    path: "/v1/containers",
    list: "/v1/containers",
    body: { name: "c" },
    cost: 0,
  }),
  "a container's file": async () => {
    const { id } = await ask<Thing>("/v1/containers", { name: "c" });
    const path = `/v1/containers/${id}/files`;
    return { path, list: path, body: form({}, "text"), cost: 0 };
  },
  "a file": async () => ({ path: "/v1/files", list: "/v1/files", body: upload(), cost: 0 }),
  "a batch": async () => {
    const { id } = await ask<Thing>("/v1/files", upload());
    const body = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
    return { path: "/v1/batches", list: "/v1/batches", body, cost: 0 };
  },
};

/** Asks for it and leaves as soon as the provider has the request, which takes its time to answer. */
async function askAndLeave({ path, body }: Creation, callId: string): Promise<void> {
  const { simulator } = resources;
  const before = simulator.received().length;
  simulator.setFault({ method: "POST", path: "/openai", latencyMs: 1500, times: 1 });
  const leaving = new AbortController();
  const headers = { "x-portico-call-id": callId };
  const asked = gateway.call(path, { key: BLUE_KEY, body, headers, signal: leaving.signal });
  await until(
    () => simulator.received().slice(before),
    (requests) => requests.some(isPost),
  );
  leaving.abort();
  await expect(asked).rejects.toThrow();
}

const isPost = ({ method }: { method: string }): boolean => method === "POST";

async function spentOn(callId: string): Promise<number | undefined> {
  const { data } = (await (await gateway.call("/spend/logs?limit=100")).json()) as {
    data: { request_id: string; spend: number }[];
  };
  return data.find(({ request_id }) => request_id === callId)?.spend;
}

let calls = 0;
describe.each(Object.keys(creations))("A caller who leaves while %s is made", (name) => {
  it("has it and pays for it", async () => {
    const creation = await creations[name]!();
    const before = await idsAt(creation.list);
    calls += 1;
    const callId = `accepted-${calls}`;
    await askAndLeave(creation, callId);
    const after = await until(
      () => idsAt(creation.list),
      (ids) => ids.length > before.length,
    );
    expect(after).toHaveLength(before.length + 1);
    expect(
      await until(
        () => spentOn(callId),
        (spend) => spend !== undefined,
      ),
    ).toBeCloseTo(creation.cost);
  });

  it("leaves nothing where a hook refuses it", async () => {
    const creation = await creations[name]!();
    const before = await idsAt(creation.list);
    calls += 1;
    const callId = `refused-${calls}`;
    await askAndLeave(creation, callId);
    expect(
      await until(
        () => spentOn(callId),
        (spend) => spend !== undefined,
      ),
    ).toBeCloseTo(creation.cost);
    if (name === "a batch") return expectCancelled();
    expect(await idsAt(creation.list)).toEqual(before);
  });
});

/** Batches cannot be deleted. */
async function expectCancelled(): Promise<void> {
  const { data } = await ask<{ data: { status: string }[] }>("/v1/batches");
  expect(data.map(({ status }) => status)).toEqual([expect.stringContaining("cancel")]);
}

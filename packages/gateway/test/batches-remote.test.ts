import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

type Simulator = Awaited<ReturnType<typeof startSimulator>>;
type Batch = {
  id: string;
  status: string;
  output_file_id: string;
  request_counts: object;
  errors: { data: { message: string }[] } | null;
};

let simulator: Simulator;
let folder = "";
let gateway: ChildGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  folder = mkdtempSync(join(tmpdir(), "portico-remote-"));
  gateway = await start();
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => simulator.reset());

function start(): Promise<ChildGateway> {
  return spawnTestGateway({
    dataDirectory: join(folder, "data"),
    config: `
model_list:
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_key: k, api_base: "${simulator.url}/google/v1beta"}}
`,
  });
}

async function create(model: string, texts: readonly string[], role = "user"): Promise<Batch> {
  const lines = texts.map((text, index) => {
    const body = { model, max_tokens: 64, messages: [{ role, content: text }] };
    return JSON.stringify({ custom_id: `row-${index}`, method: "POST", url: "/v1/chat/completions", body });
  });
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", model);
  form.append("file", new File([lines.join("\n")], "rows.jsonl"));
  const headers = { authorization: `Bearer ${gateway.masterKey}` };
  const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
  const { id } = (await uploaded.json()) as { id: string };
  const body = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const created = await gateway.call("/v1/batches", { body: { ...body, execution: "provider" } });
  expect(created.status).toBe(200);
  return (await created.json()) as Batch;
}

function finished(id: string): Promise<Batch> {
  return until(
    async () => (await (await gateway.call(`/v1/batches/${id}?wait=20`)).json()) as Batch,
    ({ status }) => status === "completed",
  );
}

async function answered({ output_file_id: id }: Batch): Promise<string[]> {
  const text = await (await gateway.call(`/v1/files/${id}/content`)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);
}

/** Batches that the provider was asked to begin. */
function begun(path: string): number {
  return simulator.received().filter((request) => request.method === "POST" && request.path.endsWith(path))
    .length;
}

describe.each([
  ["Anthropic", "claude", "/anthropic/v1/messages/batches"],
  ["Gemini", "gemini", "/google/v1beta/models/gemini-2.5-flash:batchGenerateContent"],
])("A batch at %s", (_, model, path) => {
  it("is begun once, also when the gateway is killed before it knows the provider's id", async () => {
    simulator.setFault({ method: "POST", path, fault: "hang", times: 1 });
    const batch = await create(model, ["hello", "hello again", "and again"]);
    // With its whole body, so that the provider makes the batch.
    await until(() => simulator.received().some(({ bytes, path: at }) => at === path && bytes > 0));
    gateway.process.kill("SIGKILL");
    await gateway.close();
    gateway = await start();
    const done = await finished(batch.id);
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 3, completed: 3, failed: 0 },
    });
    expect(await answered(done)).toEqual(["row-0", "row-1", "row-2"]);
    expect(begun(path)).toBe(1);
  });
});

describe("A batch at Anthropic", () => {
  const path = "/anthropic/v1/messages/batches";

  it("is begun again when the one that looked like it turns out to be somebody else's", async () => {
    const params = { model: "claude-sonnet-4", max_tokens: 9, messages: [{ role: "user", content: "mine" }] };
    await fetch(simulator.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "k", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ requests: ["one", "two"].map((custom_id) => ({ custom_id, params })) }),
    });
    simulator.setFault({ method: "POST", path, fault: "status=500", times: 1 });
    const batch = await create("claude", ["hello", "hello again"]);
    const done = await finished(batch.id);
    expect(done).toMatchObject({ status: "completed", request_counts: { completed: 2, failed: 0 } });
    expect(await answered(done)).toEqual(["row-0", "row-1"]);
    expect(begun(path)).toBe(3);
  });

  it("is not begun when no row is fit to be sent", async () => {
    const done = await finished((await create("claude", ["hello", "hello again"], "nobody")).id);
    expect(done).toMatchObject({ status: "completed", request_counts: { completed: 0, failed: 2 } });
    expect(begun(path)).toBe(0);
  });
});

describe.each(["claude", "gemini"])("A batch of %s that is never over", (model) => {
  it("is expired a day after its window and says why", async () => {
    await fetch(`${simulator.url}/_admin/settings`, {
      method: "POST",
      body: JSON.stringify({ batchRunningMs: 600_000 }),
    });
    const { id } = await create(model, ["hello", "hello again"]);
    // The provider has it, and was asked at least once.
    await until(() =>
      simulator.received().some(({ method, path }) => method === "GET" && /batches\/./.test(path)),
    );
    const change = async (expires_at: number): Promise<void> => {
      const store = await openSqliteStore(join(folder, "data"));
      await store.db.updateTable("batches").set({ expires_at }).where("id", "=", id).execute();
      await store.close();
    };
    // The window is over, and the provider still has a while.
    await change(Date.now() - 3_600_000);
    const asked = simulator.received().length;
    await until(() => simulator.received().length > asked);
    expect(await (await gateway.call(`/v1/batches/${id}`)).json()).toMatchObject({ status: "in_progress" });
    await change(Date.now() - 25 * 3_600_000);
    const done = await until(
      async () =>
        (await (await gateway.call(`/v1/batches/${id}`)).json()) as Batch & { error_file_id: string },
      ({ status }) => status === "expired",
    );
    expect(done).toMatchObject({
      request_counts: { total: 2, completed: 0, failed: 2 },
      output_file_id: null,
    });
    expect(done.errors!.data).toMatchObject([
      { code: "batch_expired", message: expect.stringContaining("a day after its window of 24h") },
    ]);
    const lines = await (await gateway.call(`/v1/files/${done.error_file_id}/content`)).text();
    expect(lines.match(/batch_expired/g)).toHaveLength(2);
    // The provider was told, so that it does not go on with what nobody waits for.
    expect(simulator.received().some(({ path }) => /[/:]cancel$/.test(path))).toBe(true);
  });
});

describe("A host without message batches", () => {
  const path = "/anthropic/v1/messages/batches";
  const rows = ["hello", "hello again", "and again"];
  const lacking = { path, fault: "status=404", times: 1000 };

  function expectRunHere(done: Batch): void {
    expect(done).toMatchObject({ request_counts: { total: 3, completed: 3, failed: 0 }, errors: null });
    // Once each, whatever was sent before.
    expect(begun("/anthropic/v1/messages")).toBe(3);
  }

  it("has its batch run by the gateway, also when the gateway is killed while the batch starts", async () => {
    simulator.setFault({ method: "POST", path, fault: "hang", times: 1 });
    const batch = await create("claude", rows);
    await until(() => simulator.received().some(({ bytes, path: at }) => at === path && bytes > 0));
    gateway.process.kill("SIGKILL");
    await gateway.close();
    await simulator.reset();
    for (const method of ["GET", "POST"]) simulator.setFault({ method, ...lacking });
    gateway = await start();
    expectRunHere(await finished(batch.id));
  });

  it("has its batch run by the gateway when it takes the batch and then knows nothing of it", async () => {
    simulator.setFault({ method: "GET", ...lacking });
    expectRunHere(await finished((await create("claude", rows)).id));
  });

  it("is named by the batch while it fails, and no longer once it answers", async () => {
    simulator.setFault({ method: "GET", path, fault: "status=403", times: 2 });
    const { id } = await create("claude", rows);
    const failing = await until(
      async () => (await (await gateway.call(`/v1/batches/${id}`)).json()) as Batch,
      ({ errors }) => errors !== null,
    );
    expect(failing.status).toBe("in_progress");
    expect(failing.errors!.data[0]!.message).toMatch(/tried again until 20\d\d-/);
    await until(
      async () => (await (await gateway.call(`/v1/batches/${id}`)).json()) as Batch,
      ({ errors }) => errors === null,
    );
  });
});

describe("A batch at Gemini", () => {
  it("of more than a call may hold goes through a file", async () => {
    const long = "x".repeat(7 * 2 ** 20);
    const batch = await create("gemini", [`${long} one`, `${long} two`, `${long} three`]);
    const done = await finished(batch.id);
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 3, completed: 3, failed: 0 },
    });
    expect(await answered(done)).toEqual(["row-0", "row-1", "row-2"]);
    expect(begun(":batchGenerateContent")).toBe(1);
    expect(begun("/upload/v1beta/files")).toBe(2);
    expect(begun(":generateContent")).toBe(0);
  });
});

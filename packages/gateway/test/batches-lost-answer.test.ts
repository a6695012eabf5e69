import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly input_file_id: string;
  readonly output_file_id: string;
}

let simulator: Simulator;
let folder = "";
let gateway: ChildGateway;
/** Batches that were begun before the test. */
let earlier = 0;
let files = 0;

beforeAll(async () => {
  simulator = await startSimulator();
  folder = mkdtempSync(join(tmpdir(), "portico-lost-"));
  gateway = await start();
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});
// Not reset: the simulator would give its ids once more, which the gateway's store knows already.
beforeEach(() => {
  earlier = begunInAll();
});

function start(): Promise<ChildGateway> {
  return spawnTestGateway({
    dataDirectory: join(folder, "data"),
    config: `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: azure-gpt, litellm_params: {model: azure/gpt-4o, api_key: k, api_base: "${simulator.url}/azure"}}
`,
  });
}

async function upload(model: string): Promise<string> {
  const body = { model, messages: [{ role: "user", content: `hello ${files}` }] };
  files += 1;
  const line = { custom_id: "row", method: "POST", url: "/v1/chat/completions", body };
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("target_model_names", model);
  form.append("file", new File([JSON.stringify(line)], "rows.jsonl"));
  const headers = { authorization: `Bearer ${gateway.masterKey}` };
  const response = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
  return ((await response.json()) as { id: string }).id;
}

function create(input_file_id: string, key?: string, metadata = { purpose: "test" }): Promise<Response> {
  return gateway.call("/v1/batches", {
    body: { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h", metadata },
    headers: key === undefined ? {} : { "idempotency-key": key },
  });
}

async function made(response: Response): Promise<Batch> {
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Batch;
}

/** Batches that the providers were asked to begin in this test. */
function begun(): number {
  return begunInAll() - earlier;
}

function begunInAll(): number {
  return simulator.received().filter(({ method, path }) => method === "POST" && path.endsWith("/batches"))
    .length;
}

/** Ends the gateway's process after the provider has taken the batch and before it could say so. */
async function killWhileAnswered(path: string, input: string): Promise<void> {
  simulator.setFault({ method: "POST", path, fault: "hang", times: 1 });
  const lost = create(input).catch(() => undefined);
  await until(() => begun() === 1);
  gateway.process.kill("SIGKILL");
  await lost;
  await gateway.close();
  gateway = await start();
}

const paths = { gpt: "/openai/v1/batches", "azure-gpt": "/azure/openai/batches" };

describe.each(["gpt", "azure-gpt"] as const)("A batch of %s whose answer was lost", (model) => {
  it("is the one that the same request gets after the gateway was killed", async () => {
    const input = await upload(model);
    await killWhileAnswered(paths[model], input);
    const batch = await made(await create(input));
    expect(batch.input_file_id).toBe(input);
    expect(begun()).toBe(1);
    const done = await until(
      async () => (await (await gateway.call(`/v1/batches/${batch.id}?wait=20`)).json()) as Batch,
      ({ status }) => status === "completed",
    );
    const output = await gateway.call(`/v1/files/${done.output_file_id}/content`);
    expect(await output.text()).toContain('"custom_id":"row"');
    const spent = await until(
      async () => {
        const page = await gateway.call("/spend/logs?limit=500");
        const { data } = (await page.json()) as { data: { request_id: string; call_type: string }[] };
        return data.filter((row) => row.request_id === batch.id && row.call_type === "abatch_cost");
      },
      ({ length }) => length > 0,
    );
    expect(spent).toHaveLength(1);
  });

  it("is in its owner's list when nobody asks again", async () => {
    const input = await upload(model);
    await killWhileAnswered(paths[model], input);
    const mine = await until(
      async () => {
        const page = await gateway.call(`/v1/batches?target_model_names=${model}`);
        const { data } = (await page.json()) as { data: Batch[] };
        return data.filter((batch) => batch.input_file_id === input);
      },
      ({ length }) => length > 0,
    );
    expect(mine).toHaveLength(1);
    // The late repetition gets it as well.
    expect((await made(await create(input))).id).toBe(mine[0]!.id);
    expect(begun()).toBe(1);
  });

  it.each([undefined, "a name"])("is found when the connection broke (Idempotency-Key: %s)", async (key) => {
    const name = key && `${key} of ${model}`;
    const input = await upload(model);
    simulator.setFault({ method: "POST", path: paths[model], fault: "disconnect", times: 1 });
    expect((await create(input, name)).status).toBe(502);
    const batch = await made(await create(input, name));
    expect(begun()).toBe(1);
    const again = await made(await create(input, name));
    // Without a name the third request is one for another batch.
    expect(again.id === batch.id).toBe(key !== undefined);
    expect(begun()).toBe(key === undefined ? 2 : 1);
  });

  it("is not mixed up with others of the same file", async () => {
    const input = await upload(model);
    const other = await made(await create(input, undefined, { purpose: "other" }));
    const same = await made(await create(input));
    simulator.setFault({ method: "POST", path: paths[model], fault: "status=500", times: 1 });
    expect((await create(input)).status).toBe(500);
    const batch = await made(await create(input));
    expect(new Set([other.id, same.id, batch.id]).size).toBe(3);
    expect(begun()).toBe(4);
  });
});

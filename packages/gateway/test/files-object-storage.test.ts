import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../src/platform/store/open-store.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startS3, type TestS3 } from "./support/s3.ts";
import { until } from "./support/until.ts";

type Simulator = Awaited<ReturnType<typeof startSimulator>>;

const folder = mkdtempSync(join(tmpdir(), "portico-objects-"));
const dataDirectory = join(folder, "data");
let simulator: Simulator;
let s3: TestS3;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  s3 = await startS3(join(folder, "s3"));
  gateway = await start();
});
afterAll(async () => {
  await gateway?.close();
  await s3?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(): Promise<TestGateway> {
  return startTestGateway({
    dataDirectory,
    environment: s3.credentials,
    config: `
model_list:
  - {model_name: local, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1"}}
general_settings: {master_key: sk-test-master-key-0123456789, file_bucket: ${s3.bucket}, file_endpoint: "${s3.endpoint}"}
`,
  });
}

function openai(): OpenAI {
  return new OpenAI({ apiKey: gateway.masterKey, baseURL: `${gateway.url}/v1` });
}

/** Requests of ten kilobytes. */
function requests(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const messages = [{ role: "user", content: `${"x".repeat(10_000)} ${index}` }];
    return JSON.stringify({
      custom_id: `row-${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "local", messages },
    });
  }).join("\n");
}

async function upload(text: string, more: object = {}): Promise<OpenAI.FileObject> {
  const file = await toFile(Buffer.from(text), "rows.jsonl");
  return openai().files.create({
    file,
    purpose: "batch",
    model: "local",
    ...more,
  } as OpenAI.FileCreateParams);
}

describe("With object storage", () => {
  it("files are uploaded, run as a batch, downloaded and deleted", async () => {
    const text = requests(200);
    const input = await upload(text);
    expect(s3.objects()).toHaveLength(1);
    const { id } = await openai().batches.create({
      input_file_id: input.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
    });
    const batch = await until(
      () => openai().batches.retrieve(id),
      ({ status }) => status === "completed",
    );
    expect(batch.request_counts).toEqual({ total: 200, completed: 200, failed: 0 });
    expect(s3.objects()).toHaveLength(2);
    expect(existsSync(join(dataDirectory, "files"))).toBe(false);
    expect(await (await openai().files.content(input.id)).text()).toBe(text);
    const output = await (await openai().files.content(batch.output_file_id!)).text();
    const rows = output.trim().split("\n");
    expect(new Set(rows.map((row) => (JSON.parse(row) as { custom_id: string }).custom_id)).size).toBe(200);
    await openai().files.delete(input.id);
    await openai().files.delete(batch.output_file_id!);
    expect(s3.objects()).toEqual([]);
  });

  it("expired files are removed, with their bytes", async () => {
    const kept = await upload(requests(1));
    const expiring = await upload(requests(1), { expires_after: { anchor: "created_at", seconds: 3600 } });
    expect(s3.objects()).toHaveLength(2);
    await gateway.close();
    const store = await openSqliteStore(dataDirectory);
    await store.db.updateTable("objects").set({ expires_at: 1 }).where("id", "=", expiring.id).execute();
    await store.db.updateTable("jobs").set({ run_at: 1 }).where("key", "=", "expired-files").execute();
    await store.close();
    gateway = await start();
    await until(() => s3.objects().length === 1);
    await expect(openai().files.retrieve(expiring.id)).rejects.toThrow();
    expect((await openai().files.retrieve(kept.id)).id).toBe(kept.id);
  });
});

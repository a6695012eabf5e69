import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";

/** `npm run memory:batches -w portico` runs 20,000 rows of 50 KB each, a gigabyte, through the built gateway. */
const rows = Number(process.env.MEMORY_ROWS ?? 800);
const isFull = process.env.MEMORY_ROWS !== undefined;
const built = resolve(import.meta.dirname, "../bin/portico.js");
const rowBytes = 52_000;
/**
 * Growth over a gateway that has not worked yet, which from sources has about 125 MB. It is 75 to 95 MB, by the moments
 * at which garbage is collected; the file held in memory once would add its 42 MB.
 */
const most = 110e6;
/** Resident memory of the built gateway. */
const mostInAll = 200e6;

type Simulator = Awaited<ReturnType<typeof startSimulator>>;

let simulator: Simulator;
let gateway: ChildGateway;
beforeAll(async () => {
  simulator = await startSimulator();
  await fetch(`${simulator.url}/_admin/settings`, {
    method: "POST",
    body: JSON.stringify({ journal: false }),
  });
  gateway = await spawnTestGateway({
    ...(isFull ? { program: [built] } : {}),
    config: `
model_list:
  - {model_name: local, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1"}}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});

/** Resident memory of the gateway at its highest so far, in bytes. */
function highest(): number {
  const status = readFileSync(`/proc/${gateway.process.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024;
}

async function* form(boundary: string): AsyncGenerator<Uint8Array> {
  const field = (name: string, value: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  yield Buffer.from(field("purpose", "batch") + field("model", "local"));
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n`,
  );
  const filling = "x".repeat(rowBytes - 250);
  for (let index = 0; index < rows; index += 1) {
    const messages = [
      { role: "system", content: filling },
      { role: "user", content: `hello ${index}` },
    ];
    const body = { model: "local", messages };
    const row = { custom_id: `row-${index}`, method: "POST", url: "/v1/chat/completions", body };
    yield Buffer.from(`${JSON.stringify(row)}\n`);
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

it(
  "memory stays flat while a large file is uploaded, checked, run and downloaded",
  async () => {
    const idle = highest();
    const boundary = "portico-memory-test";
    const response = await fetch(`${gateway.url}/v1/files`, {
      method: "POST",
      body: ReadableStream.from(form(boundary)) as ReadableStream<Uint8Array<ArrayBuffer>>,
      duplex: "half",
      headers: {
        authorization: `Bearer ${gateway.masterKey}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
    } as RequestInit);
    expect(response.status).toBe(200);
    const { id, bytes } = (await response.json()) as { id: string; bytes: number };
    expect(bytes).toBeGreaterThan(rows * (rowBytes - 250));
    const afterUpload = highest();
    const created = await gateway.call("/v1/batches", {
      body: { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" },
    });
    let batch = (await created.json()) as { id: string; status: string; output_file_id: string };
    while (!["completed", "failed", "expired"].includes(batch.status))
      batch = (await (await gateway.call(`/v1/batches/${batch.id}?wait=30`)).json()) as typeof batch;
    expect(batch.status).toBe("completed");
    const afterRun = highest();
    for (const file of [id, batch.output_file_id]) {
      const content = await gateway.call(`/v1/files/${file}/content`);
      let size = 0;
      for await (const chunk of content.body!) size += chunk.length;
      expect(size).toBeGreaterThan(rows * 100);
    }
    const megabytes = [idle, afterUpload, afterRun, highest()].map((value) => Math.round(value / 1e6));
    if (isFull)
      process.stderr.write(
        `${Math.round(bytes / 1e6)} MB: ${megabytes.join(", ")} MB at first and after upload, run, download\n`,
      );
    if (isFull) expect(highest()).toBeLessThan(mostInAll);
    else expect(highest() - idle).toBeLessThan(most);
  },
  300_000 + rows * 60,
);

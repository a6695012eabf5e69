import { readFileSync } from "node:fs";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";

/** `npm run memory:batches -w portico` runs 20,000 rows of 50 KB each, a gigabyte. */
const rows = Number(process.env.MEMORY_ROWS ?? 1600);
/** Rows of the batch that comes first: whatever it takes is there before the large one begins. */
const firstRows = 400;
const rowBytes = 52_000;
/** How much further the large batch may go than the small one, in bytes. It goes 20 to 40 MB; its file has 83 MB. */
const most = 60e6;

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
    // New objects have as much room as V8 thinks fit for the machine, however long they are used; with little room for
    // them, what grows is what the gateway holds.
    environment: { NODE_OPTIONS: "--max-semi-space-size=2" },
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

async function* form(boundary: string, count: number): AsyncGenerator<Uint8Array> {
  const field = (name: string, value: string): string =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  yield Buffer.from(field("purpose", "batch") + field("model", "local"));
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n`,
  );
  const filling = "x".repeat(rowBytes - 250);
  for (let index = 0; index < count; index += 1) {
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

/** Uploads a file of `count` rows, runs it and downloads both files: the highest memory after each of the three, in bytes. */
async function runBatch(count: number): Promise<number[]> {
  const boundary = "portico-memory-test";
  const response = await fetch(`${gateway.url}/v1/files`, {
    method: "POST",
    body: ReadableStream.from(form(boundary, count)) as ReadableStream<Uint8Array<ArrayBuffer>>,
    duplex: "half",
    headers: {
      authorization: `Bearer ${gateway.masterKey}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
  } as RequestInit);
  expect(response.status).toBe(200);
  const { id, bytes } = (await response.json()) as { id: string; bytes: number };
  expect(bytes).toBeGreaterThan(count * (rowBytes - 250));
  const highs = [highest()];
  const created = await gateway.call("/v1/batches", {
    body: { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" },
  });
  let batch = (await created.json()) as { id: string; status: string; output_file_id: string };
  while (!["completed", "failed", "expired"].includes(batch.status))
    batch = (await (await gateway.call(`/v1/batches/${batch.id}?wait=30`)).json()) as typeof batch;
  expect(batch.status).toBe("completed");
  highs.push(highest());
  for (const file of [id, batch.output_file_id]) {
    const content = await gateway.call(`/v1/files/${file}/content`);
    let size = 0;
    for await (const chunk of content.body!) size += chunk.length;
    expect(size).toBeGreaterThan(count * 100);
  }
  return [...highs, highest()];
}

it(
  "memory stays flat while a large file is uploaded, checked, run and downloaded",
  async () => {
    const idle = highest();
    const small = await runBatch(firstRows);
    const large = await runBatch(rows);
    const megabytes = [idle, ...small, ...large].map((value) => Math.round(value / 1e6)).join(", ");
    process.stderr.write(`${megabytes} MB when idle and after upload, run, download of both batches\n`);
    expect(large.at(-1)! - small.at(-1)!).toBeLessThan(most);
  },
  300_000 + rows * 60,
);

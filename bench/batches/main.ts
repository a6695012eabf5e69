import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { cpuSeconds, freePort, startProcess } from "../gateway/processes.ts";

/**
 * `node bench/batches/main.ts [rows] [rows per minute]`: the gateway's CPU for a batch's row beside that for an
 * interactive call, and the time of a batch whose deployment has a rate limit.
 */
const rows = Number(process.argv[2] ?? 3000);
const limit = Number(process.argv[3] ?? 600);
const KEY = "sk-bench-0123456789-0123456789";
const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "portico-bench-"));
const [simulatorPort, gatewayPort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${gatewayPort}`;

writeFileSync(
  join(folder, "config.yaml"),
  `
model_list:
  - {model_name: free, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "http://127.0.0.1:${simulatorPort}/compat/v1"}}
  - {model_name: limited, litellm_params: {model: hosted_vllm/llama, api_key: k, rpm: ${limit}, api_base: "http://127.0.0.1:${simulatorPort}/compat/v1"}}
router_settings: {num_retries: 0, disable_cooldowns: true}
general_settings: {master_key: ${KEY}}
`,
);

const portico = join(root, "packages/gateway/bin/portico.js");
const simulator = await startProcess(
  {
    command: process.execPath,
    args: [portico, "simulate", "--port", String(simulatorPort)],
    logFile: join(folder, "simulator.log"),
  },
  simulatorPort,
);
const gateway = await startProcess(
  {
    command: process.execPath,
    args: [
      portico,
      ...["--config", join(folder, "config.yaml"), "--port", String(gatewayPort)],
      ...["--data-dir", join(folder, "data")],
    ],
    logFile: join(folder, "gateway.log"),
  },
  gatewayPort,
);

try {
  await interactive(500);
  const perCall = await measured(() => interactive(rows));
  const perRow = await measured(() => batch("free", rows));
  process.stdout.write(`CPU per interactive call: ${(perCall * 1000).toFixed(3)} ms\n`);
  process.stdout.write(`CPU per row of a batch: ${(perRow * 1000).toFixed(3)} ms\n`);
  process.stdout.write(`A row costs ${(perRow / perCall).toFixed(2)} times a call\n`);
  const limitedRows = Math.round(limit * 2.5);
  const startedAt = performance.now();
  await batch("limited", limitedRows);
  const minutes = (performance.now() - startedAt) / 60_000;
  const ideal = limitedRows / limit;
  process.stdout.write(
    `${limitedRows} rows at ${limit} a minute: ${minutes.toFixed(2)} minutes, rows/R is ${ideal.toFixed(2)}\n`,
  );
} finally {
  await gateway.stop();
  await simulator.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measured(work: () => Promise<void>): Promise<number> {
  const before = cpuSeconds(gateway.pid);
  await work();
  return (cpuSeconds(gateway.pid) - before) / rows;
}

function body(model: string, index: number): object {
  return { model, messages: [{ role: "user", content: `hello ${index}` }] };
}

async function interactive(count: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const response = await post("/v1/chat/completions", body("free", next));
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function batch(model: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      custom_id: `row-${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: body(model, index),
    }),
  );
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", model);
  form.append("file", new File([lines.join("\n")], "rows.jsonl"));
  const headers = { authorization: `Bearer ${KEY}` };
  const uploaded = await fetch(`${url}/v1/files`, { method: "POST", body: form, headers });
  const { id } = (await uploaded.json()) as { id: string };
  const create = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  let state = (await (await post("/v1/batches", create)).json()) as { id: string; status: string };
  while (!["completed", "failed", "expired"].includes(state.status)) {
    const response = await fetch(`${url}/v1/batches/${state.id}?wait=60`, { headers });
    state = (await response.json()) as typeof state;
  }
  if (state.status !== "completed") throw new Error(`the batch is ${state.status}`);
}

function post(path: string, content: object): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: JSON.stringify(content),
  });
}

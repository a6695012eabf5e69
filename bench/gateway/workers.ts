// How many calls one, two and more workers of the built gateway serve, and what a call costs them together:
//   npm run bench:workers [-- --workers 1,2,4 --seconds 3 --rounds 3 --connections 32]
// The load and the provider run on the same machine: the rate grows with workers only while cores are left for them. The CPU of a
// call over all processes of the gateway says what workers cost each other wherever they run.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { median } from "../statistics.ts";
import { builtPortico } from "./built-portico.ts";
import { applyLoad, CHAT_REQUEST } from "./load.ts";
import { cpuSeconds, freePort, residentMegabytes, startProcess } from "./processes.ts";
import { startNginx } from "./upstream.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    workers: { ...text, default: "1,2,4" },
    seconds: { ...text, default: "3" },
    rounds: { ...text, default: "3" },
    warmup: { ...text, default: "5" },
    connections: { ...text, default: "32" },
  },
});

const MASTER_KEY = "sk-bench-0123456789abcdef0123456789";
/** Milliseconds in which the gateway brings the spend rows of a run into the store. */
const AFTERWARDS = 800;

/** What one number of workers did; one figure for each round. */
interface Measured {
  readonly workers: number;
  readonly rates: number[];
  readonly microseconds: number[];
  readonly megabytes: number;
}

const folder = mkdtempSync(join(tmpdir(), "portico-bench-workers-"));
const nginx = await startNginx(folder, "short");

async function measure(workers: number): Promise<Measured> {
  const own = join(folder, String(workers));
  mkdirSync(own);
  const port = await freePort();
  const config = `model_list:
  - model_name: gpt-4o-mini
    litellm_params: {model: openai/gpt-4o-mini, api_base: "${nginx.upstreamUrl}/v1", api_key: provider-key}
general_settings: {master_key: ${MASTER_KEY}}
`;
  const built = builtPortico(own, config, port, join(own, "log"));
  const running = await startProcess({ ...built, args: [...built.args, "--workers", String(workers)] }, port);
  const url = `http://127.0.0.1:${port}/v1/chat/completions`;
  const headers = { authorization: `Bearer ${MASTER_KEY}` };
  const load = (seconds: string) =>
    applyLoad(own, url, headers, Number(values.connections), Number(seconds), CHAT_REQUEST);
  try {
    // The first worker listens before the others.
    const serving = () => readFileSync(join(own, "log"), "utf8").split("a worker serves").length - 1;
    while (workers > 1 && serving() < workers) await setTimeout(50);
    await load(values.warmup);
    const rates: number[] = [];
    const microseconds: number[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      const before = cpuSeconds(running.pid);
      const { requests, failures } = await load(values.seconds);
      if (failures > 0) throw new Error(`${failures} requests failed`);
      await setTimeout(AFTERWARDS);
      rates.push(requests / Number(values.seconds));
      microseconds.push(((cpuSeconds(running.pid) - before) / requests) * 1e6);
    }
    return { workers, rates, microseconds, megabytes: residentMegabytes(running.pid) };
  } finally {
    await running.stop();
  }
}

try {
  process.stdout.write(
    "| Workers | calls/s | of those of one | CPU µs a call, all processes | of one's | MiB, all processes |\n|---:|---:|---:|---:|---:|---:|\n",
  );
  let one: Measured | undefined;
  for (const workers of values.workers.split(",").map(Number)) {
    const measured = await measure(workers);
    one ??= measured;
    const [rate, cpu] = [median(measured.rates), median(measured.microseconds)];
    process.stdout.write(
      `| ${workers} | ${rate.toFixed(0)} | ${(rate / median(one.rates)).toFixed(2)} | ${cpu.toFixed(1)} | ` +
        `${(cpu / median(one.microseconds)).toFixed(2)} | ${measured.megabytes.toFixed(0)} |\n`,
    );
  }
} finally {
  await nginx.stop();
  rmSync(folder, { recursive: true, force: true });
}

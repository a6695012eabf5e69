import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { writeCharts } from "../../charts/main.ts";
import { type DelayWatch, watchLoopDelay } from "../ask-loop-delay.ts";
import { builtPortico } from "../built-portico.ts";
import { freePort, residentMegabytes, startProcess } from "../processes.ts";
import { call, kinds } from "./calls.ts";
import { type SoakSample, soakPart, withSoakPart } from "./page.ts";
import { startSoakUpstream } from "./upstream.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "200000" },
    baseline: { type: "string", default: "100000" },
    every: { type: "string", default: "50000" },
    concurrency: { type: "string", default: "24" },
    growth: { type: "string", default: "5" },
    delay: { type: "string", default: "10" },
    output: { type: "string" },
  },
});
const total = Number(values.requests);
const baselineAfter = Number(values.baseline);
const every = Number(values.every);
const KEY = "sk-soak-0123456789abcdef0123456789";

/** What the soak sees of the gateway. */
interface Subject {
  readonly port: number;
  readonly pid: number;
  readonly watch: DelayWatch;
}

/**
 * Sends whole answers, streams, errors and early leavers through the built gateway and watches its memory and how late
 * timers come there. Ends with 1 where memory grows by more than `--growth` per cent, or the 99.9th percentile of the delay is
 * above `--delay` milliseconds.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "portico-soak-"));
  const upstream = await startSoakUpstream();
  const port = await freePort();
  const watch = watchLoopDelay(folder);
  const built = builtPortico(folder, configuration(upstream.port), port, "/dev/null");
  const environment = { ...built.environment, ...watch.environment };
  const gateway = await startProcess({ ...built, environment }, port);
  try {
    report(await soak({ port, pid: gateway.pid, watch }));
  } finally {
    await gateway.stop();
    upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function soak(subject: Subject): Promise<SoakSample[]> {
  const samples: SoakSample[] = [];
  for (let done = 0; done < total; ) {
    const until = Math.min(done + every, total);
    await makeCalls(subject.port, until - done);
    done = until;
    // What is only garbage may go before the last look.
    if (done === total) await setTimeout(3000);
    const sample = {
      requests: done,
      residentMegabytes: residentMegabytes(subject.pid),
      delay: await subject.watch.ask(subject.pid),
    };
    samples.push(sample);
    process.stdout.write(
      `${done} requests, ${sample.residentMegabytes.toFixed(1)} MiB, delay p99.9 ${sample.delay.since.p999.toFixed(1)} ms\n`,
    );
  }
  return samples;
}

async function makeCalls(port: number, count: number): Promise<void> {
  let sent = 0;
  const caller = async (): Promise<void> => {
    while (sent < count) await call(port, KEY, kinds[sent++ % kinds.length]!);
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, caller));
}

function report(samples: readonly SoakSample[]): void {
  const baseline = samples.find(({ requests }) => requests >= baselineAfter) ?? samples[0]!;
  const later = samples.slice(samples.indexOf(baseline));
  const beside = ({ residentMegabytes: own }: SoakSample): number =>
    (own / baseline.residentMegabytes - 1) * 100;
  const growth = {
    after: baseline.requests,
    atEnd: beside(later.at(-1)!),
    highest: Math.max(...later.map(beside)),
  };
  const part = soakPart(samples, growth, new Date());
  process.stdout.write(part);
  if (values.output !== undefined) {
    writeFileSync(values.output, withSoakPart(readFileSync(values.output, "utf8"), part));
    writeCharts();
  }
  const late = samples.at(-1)!.delay.all.p999;
  if (growth.highest > Number(values.growth) || late > Number(values.delay)) process.exitCode = 1;
}

function configuration(upstreamPort: number): string {
  return `model_list:
  - model_name: m
    litellm_params: {model: openai/gpt-4o-mini, api_base: "http://127.0.0.1:${upstreamPort}", api_key: k}
general_settings: {master_key: ${KEY}}
router_settings: {num_retries: 0}
`;
}

await main();

// Compares the CPU of two built gateways, or of one with two environments, in alternating runs:
//   node bench/gateway/compare.ts --b-env PORTICO_TRANSPORT=undici [--answer long] [--pairs 5] [--seconds 2]
//   node bench/gateway/compare.ts --b-root ../checkout-before [--path /v1/messages]
// It prints the CPU time per request of each run, the memory at the end, and the medians beside the spread of A against itself: a difference
// below that spread is none.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { builtPortico } from "./built-portico.ts";
import { applyLoad, CHAT_REQUEST } from "./load.ts";
import { cpuSeconds, freePort, type RunningProcess, residentMegabytes, startProcess } from "./processes.ts";
import { ANSWERS, type AnswerKind, startNginx } from "./upstream.ts";

const text = { type: "string" } as const;
const list = { type: "string", multiple: true } as const;
const { values } = parseArgs({
  options: {
    "a-root": text,
    "b-root": text,
    "a-env": list,
    "b-env": list,
    answer: { ...text, default: "short" },
    pairs: { ...text, default: "5" },
    seconds: { ...text, default: "2" },
    warmup: { ...text, default: "4" },
    connections: { ...text, default: "32" },
  },
});

const GATEWAY_KEY = "sk-bench-0123456789abcdef0123456789";

const answer = values.answer as AnswerKind;
if (!(answer in ANSWERS)) throw new Error(`--answer is one of ${Object.keys(ANSWERS).join(", ")}`);
const path = answer === "embeddings" ? "/v1/embeddings" : "/v1/chat/completions";
const request =
  answer === "embeddings"
    ? { model: CHAT_REQUEST.model, input: Array.from({ length: 16 }, (_, index) => `text ${index}`) }
    : { ...CHAT_REQUEST, ...(answer === "stream" ? { stream: true } : {}) };

interface Side {
  readonly url: string;
  readonly running: RunningProcess;
  readonly microseconds: number[];
}

async function startSide(
  folder: string,
  upstream: string,
  root: string | undefined,
  environment: readonly string[] = [],
): Promise<Side> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const config = `model_list:
  - model_name: gpt-4o-mini
    litellm_params: {model: openai/gpt-4o-mini, api_base: "${upstream}/v1", api_key: provider-key}
general_settings: {master_key: ${GATEWAY_KEY}}
`;
  const built = builtPortico(folder, config, port, join(folder, "log"), root && resolve(root));
  const added = Object.fromEntries(environment.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
  const running = await startProcess({ ...built, environment: { ...built.environment, ...added } }, port);
  return { url: `http://127.0.0.1:${port}${path}`, running, microseconds: [] };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)]!;
}

function summary(name: string, { microseconds, running }: Side): string {
  const [least, most] = [Math.min(...microseconds), Math.max(...microseconds)];
  const middle = median(microseconds);
  const spread = ((most - least) / middle) * 100;
  return (
    `${name}: median ${middle.toFixed(1)} µs, least ${least.toFixed(1)}, spread ${spread.toFixed(0)} %, ` +
    `${residentMegabytes(running.pid).toFixed(0)} MiB resident\n`
  );
}

const folder = mkdtempSync(join(tmpdir(), "portico-compare-"));
const nginx = await startNginx(folder, answer);
const sides: Side[] = [];
try {
  const load = (side: Side, seconds: string) =>
    applyLoad(
      folder,
      side.url,
      { authorization: `Bearer ${GATEWAY_KEY}` },
      Number(values.connections),
      Number(seconds),
      request,
    );
  for (const [name, root, environment] of [
    ["a", values["a-root"], values["a-env"]],
    ["b", values["b-root"], values["b-env"]],
  ] as const)
    sides.push(await startSide(join(folder, name), nginx.upstreamUrl, root, environment));
  for (const side of sides) await load(side, values.warmup);
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    for (const side of sides) {
      const before = cpuSeconds(side.running.pid);
      const { requests, failures } = await load(side, values.seconds);
      if (failures > 0) throw new Error(`${failures} requests failed`);
      side.microseconds.push(((cpuSeconds(side.running.pid) - before) / requests) * 1e6);
    }
    const [a, b] = sides.map(({ microseconds }) => microseconds.at(-1)!) as [number, number];
    process.stdout.write(`${a.toFixed(1)} ${b.toFixed(1)} ${((b / a - 1) * 100).toFixed(1)} %\n`);
  }
  const [a, b] = sides as [Side, Side];
  const ratios = a.microseconds.map((own, pair) => (b.microseconds[pair]! / own - 1) * 100);
  process.stdout.write(summary("A", a) + summary("B", b));
  process.stdout.write(
    `B against A: ${((median(b.microseconds) / median(a.microseconds) - 1) * 100).toFixed(1)} % by medians, ` +
      `${median(ratios).toFixed(1)} % by pairs, ` +
      `${((Math.min(...b.microseconds) / Math.min(...a.microseconds) - 1) * 100).toFixed(1)} % by the least\n`,
  );
} finally {
  for (const { running } of sides) await running.stop();
  await nginx.stop();
  rmSync(folder, { recursive: true, force: true });
}

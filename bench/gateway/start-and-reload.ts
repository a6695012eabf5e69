// How long the built gateway takes to start with 1,000 deployments and to answer its first call, and the longest turn of its
// event loop while it reads a changed configuration with 10,000 deployments and 100,000 keys:
//   npm run bench:reload -- [--root ../checkout-before] [--starts 5] [--deployments 10000] [--keys 100000]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { median } from "../statistics.ts";
import { watchLoopDelay } from "./ask-loop-delay.ts";
import { builtPortico } from "./built-portico.ts";
import { CHAT_REQUEST } from "./load.ts";
import { freePort, startProcess } from "./processes.ts";
import { startNginx } from "./upstream.ts";

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    root: text,
    starts: { ...text, default: "5" },
    deployments: { ...text, default: "10000" },
    keys: { ...text, default: "100000" },
  },
});
const MASTER_KEY = "sk-bench-0123456789abcdef0123456789";
const AT_START = 1000;

const folder = mkdtempSync(join(tmpdir(), "portico-start-"));
const nginx = await startNginx(folder);

function configOf(deployments: number, keys: number, rpm: number): string {
  const entry = (index: number): string => `  - model_name: model-${index}
    litellm_params: {model: openai/gpt-4o-mini, api_base: "${nginx.upstreamUrl}/v1", api_key: key-${index}, rpm: ${rpm}}
`;
  const key = (index: number): string =>
    `  - {key: sk-key-${index}-0123456789, models: [model-${index % deployments}], max_budget: 10}\n`;
  const all = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  const ofKeys = keys === 0 ? "" : `keys:\n${all(keys, key).join("")}`;
  return `general_settings: {master_key: ${MASTER_KEY}}\nmodel_list:\n${all(deployments, entry).join("")}${ofKeys}`;
}

async function call(port: number, model: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${MASTER_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ ...CHAT_REQUEST, model }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`The gateway answered ${answer.status}`);
  return performance.now() - began;
}

async function begin(name: string, config: string, environment: Readonly<Record<string, string>> = {}) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const port = await freePort();
  const built = builtPortico(own, config, port, join(own, "log"), values.root && resolve(values.root));
  const began = performance.now();
  const running = await startProcess(
    { ...built, environment: { ...built.environment, ...environment } },
    port,
    120,
    5,
  );
  return { own, port, running, ms: performance.now() - began };
}

async function reloads(): Promise<number[]> {
  const [deployments, keys] = [Number(values.deployments), Number(values.keys)];
  const watch = watchLoopDelay(folder);
  const { own, running } = await begin("reload", configOf(deployments, keys, 1000), watch.environment);
  const log = join(own, "log");
  const loaded = (): number => readFileSync(log, "utf8").split("configuration loaded").length - 1;
  const turns: number[] = [];
  try {
    await setTimeout(3000);
    for (const rpm of [1001, 1002, 1003]) {
      const before = loaded();
      await watch.ask(running.pid);
      writeFileSync(join(own, "config.yaml"), configOf(deployments, keys, rpm));
      while (loaded() === before) await setTimeout(100);
      await setTimeout(1000);
      turns.push((await watch.ask(running.pid)).since.max);
    }
  } finally {
    await running.stop();
  }
  return turns;
}

try {
  const times: { start: number; first: number; second: number }[] = [];
  for (let turn = 0; turn <= Number(values.starts); turn += 1) {
    const { port, running, ms } = await begin("start", configOf(AT_START, 0, 1000));
    await setTimeout(300);
    times.push({ start: ms, first: await call(port, "model-7"), second: await call(port, "model-8") });
    await running.stop();
  }
  // The first start makes the store and fills Node's cache of compiled code.
  times.shift();
  const shown = (name: keyof (typeof times)[number]): string => {
    const all = times.map((each) => each[name]);
    return `${name} ${median(all).toFixed(0)} ms (least ${Math.min(...all).toFixed(0)})`;
  };
  process.stdout.write(`${AT_START} deployments: ${shown("start")}, ${shown("first")}, ${shown("second")}\n`);
  const turns = await reloads();
  process.stdout.write(
    `Reload with ${values.deployments} deployments and ${values.keys} keys: longest turn ${turns.map((ms) => ms.toFixed(0)).join(", ")} ms\n`,
  );
} finally {
  await nginx.stop();
  rmSync(folder, { recursive: true, force: true });
}

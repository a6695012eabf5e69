// Compares the CPU of two built gateways, or of one with two environments, in alternating runs:
//   node bench/gateway/compare.ts --b-env PORTICO_TRANSPORT=undici [--answer long] [--pairs 5] [--seconds 2]
//   node bench/gateway/compare.ts --b-root ../checkout-before [--call messages] [--answer stream]
//   node bench/gateway/compare.ts --a-root bare --together    the least that a proxy on Node.js can do, which looks at nothing
//   node bench/gateway/compare.ts --b-root ../checkout-before --case responses/messages/300000    whole answers of a case of the matrix (/burst behind it: streams):
//                                               what the caller speaks, what the provider speaks, bytes of the request
// With --together both get their load at the same time, so that whatever else the machine does meets both alike.
// A call of messages is translated, because the upstream speaks chat completions. A run is counted until the gateway's other threads have
// done what the run left them. It prints the CPU time per request of each run, that of each thread, the memory at the end, and the medians
// beside the spread of A against itself: a difference below that spread is none.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { median } from "../statistics.ts";
import { builtPortico } from "./built-portico.ts";
import { applyLoad, CHAT_REQUEST, type LoadResult } from "./load.ts";
import {
  ANSWER_MODES,
  type AnswerMode,
  type Case,
  type Format,
  PATHS,
  requestOf as requestOfCase,
} from "./matrix/cases.ts";
import { configOf, KEY as GATEWAY_KEY, modelOf } from "./matrix/matrix-subjects.ts";
import { startMatrixUpstream } from "./matrix/matrix-upstream.ts";
import {
  cpuSeconds,
  freePort,
  type RunningProcess,
  residentMegabytes,
  startProcess,
  threadSeconds,
} from "./processes.ts";
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
    call: { ...text, default: "chat" },
    case: text,
    pairs: { ...text, default: "5" },
    seconds: { ...text, default: "2" },
    warmup: { ...text, default: "4" },
    connections: { ...text, default: "32" },
    together: { type: "boolean", default: false },
  },
});

const answer = values.answer as AnswerKind;
if (!(answer in ANSWERS)) throw new Error(`--answer is one of ${Object.keys(ANSWERS).join(", ")}`);
if (!["chat", "messages"].includes(values.call)) throw new Error("--call is chat or messages");
const matrixCase = values.case === undefined ? undefined : caseOf(values.case);
const path = matrixCase === undefined ? pathOf(values.call) : PATHS[matrixCase.format];
const request = matrixCase === undefined ? requestOf(answer) : requestOfCase(matrixCase, modelOf(matrixCase));

function caseOf(words: string): Case {
  const [format, wire, bytes, mode = "whole"] = words.split("/") as [Format, Format, string, AnswerMode?];
  if (!(format in PATHS && wire in PATHS && Number(bytes) > 0 && ANSWER_MODES.includes(mode)))
    throw new Error(`--case is FORMAT/FORMAT/BYTES, with /${ANSWER_MODES.join(" or /")} behind it`);
  return { format, wire, mode, bytes: Number(bytes), connections: [] };
}

function pathOf(call: string): string {
  if (answer === "embeddings") return "/v1/embeddings";
  return call === "messages" ? "/v1/messages" : "/v1/chat/completions";
}

/** Both formats take the chat request: in Messages a system prompt may stand among the messages. */
function requestOf(kind: AnswerKind): object {
  if (kind === "embeddings")
    return { model: CHAT_REQUEST.model, input: Array.from({ length: 16 }, (_, index) => `text ${index}`) };
  return { ...CHAT_REQUEST, ...(kind === "stream" ? { stream: true } : {}) };
}

/** Milliseconds after a run in which the gateway brings its spend rows into the store: it does so twice a second. */
const AFTERWARDS = 800;

interface Side {
  readonly folder: string;
  readonly url: string;
  readonly running: RunningProcess;
  readonly microseconds: number[];
  /** Of each thread, by its name. */
  readonly threads: Map<string, number[]>;
}

async function startSide(
  folder: string,
  upstream: string,
  root: string | undefined,
  environment: readonly string[] = [],
): Promise<Side> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${path}`;
  if (root === "bare" || root === "bare-parse") {
    const script = resolve(import.meta.dirname, "bare-pass-through.ts");
    const args = [script, String(port), upstream, ...(root === "bare" ? [] : ["parse"])];
    const running = await startProcess(
      { command: process.execPath, args, logFile: join(folder, "log") },
      port,
    );
    const copied = matrixCase && `http://127.0.0.1:${port}/${matrixCase.mode}${PATHS[matrixCase.wire]}`;
    return { folder, url: copied ?? url, running, microseconds: [], threads: new Map() };
  }
  const plain = `model_list:
  - model_name: gpt-4o-mini
    litellm_params: {model: openai/gpt-4o-mini, api_base: "${upstream}/v1", api_key: provider-key}
general_settings: {master_key: ${GATEWAY_KEY}}
`;
  const config = matrixCase === undefined ? plain : configOf(upstream);
  const built = builtPortico(folder, config, port, join(folder, "log"), root && resolve(root));
  const added = Object.fromEntries(environment.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
  const running = await startProcess({ ...built, environment: { ...built.environment, ...added } }, port);
  return { folder, url, running, microseconds: [], threads: new Map() };
}

async function measure(side: Side, load: () => Promise<LoadResult>): Promise<number> {
  const { pid } = side.running;
  const before = cpuSeconds(pid);
  const threadsBefore = threadSeconds(pid);
  const { requests, failures } = await load();
  if (failures > 0) throw new Error(`${failures} requests failed`);
  await setTimeout(AFTERWARDS);
  for (const [name, seconds] of threadSeconds(pid)) {
    const own = ((seconds - (threadsBefore.get(name) ?? 0)) / requests) * 1e6;
    side.threads.set(name, [...(side.threads.get(name) ?? []), own]);
  }
  const microseconds = ((cpuSeconds(pid) - before) / requests) * 1e6;
  side.microseconds.push(microseconds);
  return microseconds;
}

function threadsOf({ threads }: Side): string {
  const parts = [...threads].map(([name, all]) => [name, median(all)] as const);
  const shown = parts.filter(([, own]) => own >= 0.5).sort(([, one], [, other]) => other - one);
  return shown.map(([name, own]) => `${name} ${own.toFixed(1)}`).join(", ");
}

function summary(name: string, side: Side): string {
  const { microseconds, running } = side;
  const [least, most] = [Math.min(...microseconds), Math.max(...microseconds)];
  const middle = median(microseconds);
  const spread = ((most - least) / middle) * 100;
  return (
    `${name}: median ${middle.toFixed(1)} µs, least ${least.toFixed(1)}, spread ${spread.toFixed(0)} %, ` +
    `${residentMegabytes(running.pid).toFixed(0)} MiB resident; by thread: ${threadsOf(side)}\n`
  );
}

const folder = mkdtempSync(join(tmpdir(), "portico-compare-"));
const provider =
  matrixCase === undefined ? await startNginx(folder, answer) : await startMatrixUpstream(folder);
const upstreamUrl = "upstreamUrl" in provider ? provider.upstreamUrl : provider.url;
const sides: Side[] = [];
try {
  const load = (side: Side, seconds: string) =>
    applyLoad(
      side.folder,
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
    sides.push(await startSide(join(folder, name), upstreamUrl, root, environment));
  if (values.together) await Promise.all(sides.map((side) => load(side, values.warmup)));
  else for (const side of sides) await load(side, values.warmup);
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    const measuring = (side: Side): Promise<number> => measure(side, () => load(side, values.seconds));
    if (values.together) await Promise.all(sides.map(measuring));
    else for (const side of sides) await measuring(side);
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
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
}

import { Session } from "node:inspector/promises";
import { dirname } from "node:path";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startSimulator } from "portico-simulator";
import { MASTER_KEY, startTestGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { type Entry, listen, sources } from "./instrument.ts";

/** The functions by which a way enters a room from outside, other than the one by which HTTP begins. */
export interface Doors {
  /** A folder of `core/`. */
  readonly room: string;
  /** Until the first upstream request, or from there on. */
  readonly way: "in" | "back";
  /** `file:line, called from file function`. */
  readonly names: readonly string[];
}

/** What one warm request goes through. */
export interface Way {
  readonly name: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly functions: number;
  readonly doors: readonly Doors[];
}

/** Runs of each request: what only some of them do belongs to something else that ran at the same time. */
const RUNS = 6;
/** Looks at the gateway without a request, each as long as the longest run: what goes on then belongs to no request. */
const IDLE_LOOKS = 3;
const WARM_RUNS = 3;
/** Calls are accounted a moment after their answer. */
const LEDGER_TIMEOUT_MS = 2000;

/** Measures each request against a gateway in this process and a simulated provider. */
export async function measureWays(): Promise<Way[]> {
  const simulator = await startSimulator();
  const gateway = await startTestGateway({ config: configuration(simulator.url) });
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  try {
    await gateway.call("/v1/agents", { body: { agent_name: "echo", gateway_params: { model: "gpt" } } });
    const ways: Way[] = [];
    for (const [name, request] of requests) ways.push(await measure(session, gateway, name, request));
    return ways;
  } finally {
    await gateway.close();
    await simulator.close();
  }
}

type Request = (gateway: TestGateway) => Promise<unknown>;

const requests: readonly [string, Request][] = [
  [
    "a message, streamed, from a provider of another format",
    (gateway) =>
      text(gateway, "/v1/messages", {
        model: "gpt",
        max_tokens: 100,
        stream: true,
        messages: [{ role: "user", content: "hello" }],
      }),
  ],
  [
    "a chat completion, whole, from a provider of the same format",
    (gateway) =>
      text(gateway, "/v1/chat/completions", { model: "gpt", messages: [{ role: "user", content: "hello" }] }),
  ],
  [
    "a response that continues another (`previous_response_id`)",
    (gateway) =>
      text(gateway, "/v1/responses", { model: "gpt", input: "two", previous_response_id: firstResponse }),
  ],
  ["an agent's task", (gateway) => text(gateway, "/a2a/echo", rpc("hello"))],
  ["a batch: upload, run here, poll", runBatch],
];

async function measure(session: Session, gateway: TestGateway, name: string, request: Request): Promise<Way> {
  firstResponse = (
    JSON.parse(await text(gateway, "/v1/responses", { model: "gpt", input: "one" })) as { id: string }
  ).id;
  for (let run = 0; run < WARM_RUNS; run += 1) await request(gateway);
  let ran: Calls | undefined;
  let longest = 0;
  let doors: ReadonlyMap<string, Doors> | undefined;
  for (let run = 0; run < RUNS; run += 1) {
    const seen = new DoorList();
    const startedAt = performance.now();
    const calls = await callsDuring(session, async () => {
      listen(seen.add);
      await request(gateway);
      await Promise.race([seen.accounted, sleep(LEDGER_TIMEOUT_MS)]);
      for (let turns = 0; turns < 20; turns += 1) await turn();
      listen(undefined);
    });
    longest = Math.max(longest, performance.now() - startedAt);
    ran = ran === undefined ? calls : least(ran, calls);
    doors = new Map([...seen.doors].filter(([key]) => doors === undefined || doors.has(key)));
  }
  for (let look = 0; look < IDLE_LOOKS; look += 1)
    ran = beyond(ran!, await callsDuring(session, () => sleep(longest)));
  const files = new Set([...ran!.keys()].map(fileOf));
  const paths = [...files].sort();
  return {
    name,
    files: paths,
    folders: [...new Set(paths.map(dirname))],
    functions: ran!.size,
    doors: [...doors!.values()],
  };
}

type Coverage = {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
};

/** How often functions of the sources ran, by `file:offset`. */
type Calls = ReadonlyMap<string, number>;

async function callsDuring(session: Session, work: () => Promise<unknown>): Promise<Calls> {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result }: Coverage = await session.post("Profiler.takePreciseCoverage");
  const prefix = `${pathToFileURL(sources).href}/`;
  const calls = new Map<string, number>();
  for (const { url, functions } of result) {
    if (!url.startsWith(prefix)) continue;
    for (const { ranges } of functions) {
      const { startOffset, count } = ranges[0]!;
      if (count > 0) calls.set(`${url.slice(prefix.length)}:${startOffset}`, count);
    }
  }
  return calls;
}

function fileOf(place: string): string {
  return place.slice(0, place.lastIndexOf(":"));
}

/** The functions that both have, as often as the one that has them less often. */
function least(one: Calls, other: Calls): Calls {
  const both = [...one].filter(([place]) => other.has(place));
  return new Map(both.map(([place, count]) => [place, Math.min(count, other.get(place)!)]));
}

/** The functions that ran more often than in an idle gateway. */
function beyond(calls: Calls, idle: Calls): Calls {
  return new Map([...calls].filter(([place, count]) => count > (idle.get(place) ?? 0)));
}

/** Whoever calls a function of these asks for something upstream. */
const UPSTREAM_FILES: ReadonlySet<string> = new Set([
  "platform/transport/upstream.ts",
  "platform/transport/upstream-fetch.ts",
]);

/** Collects by which functions the rooms of `core/` are entered. */
class DoorList {
  readonly doors = new Map<string, Doors & { names: string[] }>();
  /** Resolves when spend is written down. */
  readonly accounted: Promise<void>;
  #way: Doors["way"] = "in";
  #onAccounted: () => void = () => {};

  constructor() {
    this.accounted = new Promise((resolve) => {
      this.#onAccounted = resolve;
    });
  }

  readonly add = ({ file, place, caller }: Entry): void => {
    if (file === "core/ledger/spend-store.ts") this.#onAccounted();
    // What Node calls (timers, sockets, streams) goes on with something that a room has begun.
    if (caller === undefined) return;
    if (UPSTREAM_FILES.has(file)) this.#way = "back";
    const room = roomOf(file);
    if (room === undefined || roomOf(caller.file) === room) return;
    const key = `${room} ${this.#way}`;
    const doors = this.doors.get(key) ?? { room, way: this.#way, names: [] };
    this.doors.set(key, doors);
    const door = `${file}:${place.split(":")[0]}`;
    if (doors.names.some((name) => name.startsWith(`${door},`))) return;
    doors.names.push(`${door}, called from ${caller.file} ${caller.name}`);
  };
}

function roomOf(file: string): string | undefined {
  return /^core\/[^/]+(?=\/)/.exec(file)?.[0];
}

let firstResponse = "";

async function text(gateway: TestGateway, path: string, body: object): Promise<string> {
  const response = await gateway.call(path, { body, key: CALLER_KEY });
  const answer = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${answer}`);
  return answer;
}

function rpc(said: string): object {
  const message = {
    kind: "message",
    messageId: crypto.randomUUID(),
    role: "user",
    parts: [{ kind: "text", text: said }],
  };
  return { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
}

async function runBatch(gateway: TestGateway): Promise<void> {
  const form = new FormData();
  const body = { model: "local", messages: [{ role: "user", content: "hello" }] };
  const row = { custom_id: "1", method: "POST", url: "/v1/chat/completions", body };
  form.set("purpose", "batch");
  form.set("target_model_names", "local");
  form.set("file", new Blob([JSON.stringify(row)]), "rows.jsonl");
  const headers = { authorization: `Bearer ${CALLER_KEY}` };
  const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body: form });
  const { id } = (await uploaded.json()) as { id: string };
  const wanted = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const batch = JSON.parse(await text(gateway, "/v1/batches", wanted)) as { id: string };
  await until(
    async () =>
      (await (await gateway.call(`/v1/batches/${batch.id}`, { key: CALLER_KEY })).json()) as {
        status: string;
      },
    ({ status }) => status === "completed",
  );
}

const CALLER_KEY = "sk-caller-0123456789";

function configuration(simulator: string): string {
  return `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator}/openai/v1"}}
  - {model_name: local, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator}/compat/v1"}}
keys:
  - {key: ${CALLER_KEY}, team_id: blue, metadata: {agents: [echo]}}
gateway_settings: {allow_private_networks: true}
general_settings: {master_key: "${MASTER_KEY}"}
`;
}

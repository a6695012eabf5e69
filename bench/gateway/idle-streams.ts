// What streams cost that are open and say nothing, and whether other calls notice them:
//   npm run bench:idle-streams [-- --streams 10000 --prompt 120000 --format messages --wire responses]
// Each stream has had its first event. Memory is the gateway's resident set; its garbage is collected when V8 wants to, so that the
// figure is an upper bound. It takes three file descriptors a stream in all, one in this process, one upstream and two in the gateway.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { builtPortico } from "./built-portico.ts";
import { type Format, PATHS } from "./matrix/cases.ts";
import { freePort, residentMegabytes, startProcess } from "./processes.ts";

const { values } = parseArgs({
  options: {
    streams: { type: "string", default: "1000" },
    /** Streams that are being opened at the same moment. */
    opening: { type: "string", default: "50" },
    calls: { type: "string", default: "100" },
    /** Bytes of the prompt. */
    prompt: { type: "string", default: "2" },
    /** What the callers speak: chat, messages or responses. */
    format: { type: "string", default: "chat" },
    /** What the provider speaks; the callers' format where it is left out. */
    wire: { type: "string" },
    root: { type: "string" },
  },
});
const MASTER_KEY = "sk-bench-0123456789abcdef0123456789";
const streams = Number(values.streams);
const prompt = "hi ".repeat(Math.ceil(Number(values.prompt) / 3)).slice(0, Number(values.prompt));

const format = values.format as Format;
const wire = (values.wire ?? format) as Format;
if (!(format in PATHS && wire in PATHS))
  throw new Error(`--format and --wire are one of ${Object.keys(PATHS).join(", ")}`);
const content = { chat: "messages", messages: "messages", responses: "input" }[format];
const body = JSON.stringify({
  ...{ model: wire, stream: true, [content]: [{ role: "user", content: prompt }] },
  ...(format === "messages" && { max_tokens: 100 }),
  ...(format === "responses" && { store: false }),
});

function configOf(upstream: number): string {
  const address = `http://127.0.0.1:${upstream}`;
  return `model_list:
  - {model_name: chat, litellm_params: {model: hosted_vllm/m, api_base: "${address}/v1", api_key: k}}
  - {model_name: messages, litellm_params: {model: anthropic/m, api_base: "${address}", api_key: k}}
  - {model_name: responses, litellm_params: {model: openai/m, api_base: "${address}/v1", api_key: k}}
general_settings: {master_key: ${MASTER_KEY}}
`;
}

/** Opens a stream and resolves with its connection and the milliseconds to its first event. */
function open(port: number): Promise<{ socket: Socket; ms: number }> {
  return new Promise((done, failed) => {
    const since = performance.now();
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.includes("data:")) return;
      socket.removeAllListeners("data").resume();
      done({ socket, ms: performance.now() - since });
    });
    socket.once("close", () => failed(new Error(`a stream ended: ${text.slice(0, 300)}`)));
    socket.once("error", failed);
    socket.write(
      `POST ${PATHS[format]} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${MASTER_KEY}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  });
}

/** Opens so many streams, some at a time. */
async function openAll(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  let started = 0;
  const opener = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      sockets.push((await open(port)).socket);
    }
  };
  await Promise.all(Array.from({ length: Number(values.opening) }, opener));
  return sockets;
}

/** Milliseconds to the first event of streams that come one after the other: the median and the 99th percentile. */
async function firstEvents(port: number): Promise<readonly [median: number, p99: number]> {
  const times: number[] = [];
  for (let call = 0; call < Number(values.calls); call += 1) {
    const { socket, ms } = await open(port);
    times.push(ms);
    socket.removeAllListeners("close").destroy();
  }
  times.sort((one, other) => one - other);
  return [times[Math.floor(times.length / 2)]!, times[Math.floor(times.length * 0.99)]!];
}

const folder = mkdtempSync(join(tmpdir(), "portico-idle-streams-"));
const upstream = fork(resolve(import.meta.dirname, "silent-upstream.ts"));
const upstreamPort = await new Promise<number>((ready) =>
  upstream.once("message", (port) => ready(port as number)),
);
const port = await freePort();
const gateway = await startProcess(
  builtPortico(
    folder,
    configOf(upstreamPort),
    port,
    join(folder, "log"),
    values.root && resolve(values.root),
  ),
  port,
);
try {
  // Code is compiled and the heap has its usual size before anything is measured.
  for (const socket of await openAll(port, 500)) socket.removeAllListeners("close").destroy();
  await setTimeout(2000);
  const alone = await firstEvents(port);
  const before = residentMegabytes(gateway.pid);
  const sockets = await openAll(port, streams);
  await setTimeout(2000);
  const during = residentMegabytes(gateway.pid);
  const beside = await firstEvents(port);
  process.stdout.write(
    `${streams} streams: ${before.toFixed(0)} MiB before, ${during.toFixed(0)} MiB with them, ` +
      `${(((during - before) * 1024) / streams).toFixed(1)} KiB a stream\n` +
      `first event of others: ${alone.map((ms) => ms.toFixed(1)).join(" / ")} ms alone, ` +
      `${beside.map((ms) => ms.toFixed(1)).join(" / ")} ms beside them (median / 99th percentile)\n`,
  );
  for (const socket of sockets) socket.removeAllListeners("close").destroy();
} finally {
  await gateway.stop();
  upstream.kill();
  rmSync(folder, { recursive: true, force: true });
}

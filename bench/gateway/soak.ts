import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { builtPortico } from "./built-portico.ts";
import { freePort, residentMegabytes, startProcess } from "./processes.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "200000" },
    baseline: { type: "string", default: "20000" },
    concurrency: { type: "string", default: "24" },
    growth: { type: "string", default: "0.1" },
  },
});
const total = Number(values.requests);
const baselineAfter = Number(values.baseline);
const concurrency = Number(values.concurrency);
const allowedGrowth = Number(values.growth);
const KEY = "sk-soak-0123456789abcdef0123456789";

/** What one call of the soak does; they take turns. */
const kinds = ["whole", "stream", "leave in the stream", "leave before the answer", "error"] as const;
type Kind = (typeof kinds)[number];

/** Sends whole answers, streams, errors and early leavers through the built gateway and watches its memory. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "portico-soak-"));
  const upstream = createServer((incoming, outgoing) => {
    let text = "";
    incoming.on("data", (chunk: Buffer) => (text += chunk.toString()));
    incoming.on("end", () => answer(text, outgoing));
  });
  await new Promise<void>((ready) => upstream.listen(0, "127.0.0.1", ready));
  const port = await freePort();
  const gateway = await startProcess(
    builtPortico(folder, configuration((upstream.address() as AddressInfo).port), port, "/dev/null"),
    port,
  );
  try {
    await soak(port, gateway.pid);
  } finally {
    await gateway.stop();
    upstream.closeAllConnections();
    upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function soak(port: number, pid: number): Promise<void> {
  let sent = 0;
  let done = 0;
  let baseline = 0;
  const worker = async (): Promise<void> => {
    while (sent < total) {
      const kind = kinds[sent++ % kinds.length]!;
      await call(port, kind);
      done += 1;
      if (done === baselineAfter) baseline = residentMegabytes(pid);
      if (done % 20_000 === 0)
        process.stdout.write(`${done} requests, ${residentMegabytes(pid).toFixed(1)} MiB\n`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  // Idle for a moment, so that what is only garbage may go.
  await new Promise((wait) => setTimeout(wait, 3000));
  const end = residentMegabytes(pid);
  const growth = end / baseline - 1;
  process.stdout.write(
    `After ${baselineAfter} requests ${baseline.toFixed(1)} MiB, after ${total} ${end.toFixed(1)} MiB: ${(growth * 100).toFixed(1)} %\n`,
  );
  if (growth > allowedGrowth) process.exitCode = 1;
}

function call(port: number, kind: Kind): Promise<void> {
  return new Promise((resolve) => {
    const body = JSON.stringify({
      model: "m",
      stream: kind.includes("stream"),
      messages: [{ role: "user", content: kind }],
    });
    const outgoing = request(
      {
        port,
        host: "127.0.0.1",
        path: "/v1/chat/completions",
        method: "POST",
        headers: {
          authorization: `Bearer ${KEY}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        },
      },
      (incoming) => {
        if (kind === "leave in the stream") incoming.once("data", () => outgoing.destroy());
        else incoming.resume();
        incoming.on("close", resolve);
      },
    );
    outgoing.on("error", () => resolve());
    outgoing.end(body);
    if (kind === "leave before the answer") setTimeout(() => outgoing.destroy(), 2);
  });
}

const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };

function answer(text: string, outgoing: import("node:http").ServerResponse): void {
  if (text.includes("leave before")) {
    setTimeout(() => outgoing.end(JSON.stringify({ id: "c", choices: [], usage })), 20);
  } else if (text.includes('"error"')) {
    outgoing.writeHead(400, { "content-type": "application/json" });
    outgoing.end('{"error":{"message":"wrong","type":"invalid_request_error","param":null,"code":null}}');
  } else if (!text.includes('"stream":true')) {
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ id: "c", object: "chat.completion", choices: [], usage }));
  } else {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (choices: object[], more = {}): string =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices, ...more })}\n\n`;
    outgoing.write(
      chunk([{ index: 0, delta: { role: "assistant", content: "Hello" }, finish_reason: null }]),
    );
    const rest = (): void => {
      outgoing.write(chunk([{ index: 0, delta: { content: " there" }, finish_reason: null }]));
      outgoing.write(chunk([{ index: 0, delta: {}, finish_reason: "stop" }]));
      outgoing.write(chunk([], { usage }));
      outgoing.end("data: [DONE]\n\n");
    };
    if (text.includes("leave")) setTimeout(rest, 20);
    else rest();
  }
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

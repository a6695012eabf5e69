import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What wrk measured. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, and connections that failed. */
  readonly failures: number;
}

/** A chat completion of about 700 bytes. */
export const CHAT_REQUEST = {
  model: "gpt-4o-mini",
  messages: [
    { role: "system", content: "You are a careful assistant who answers in one paragraph." },
    { role: "user", content: "Explain what a gateway in front of language models is good for. ".repeat(8) },
  ],
  temperature: 0.2,
  max_tokens: 200,
};

/** Posts the same request over and over with wrk. */
export async function applyLoad(
  folder: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  connections: number,
  seconds: number,
  request: object = CHAT_REQUEST,
): Promise<LoadResult> {
  const body = JSON.stringify(request);
  const script = join(folder, "load.lua");
  const lines = Object.entries({ "content-type": "application/json", ...headers }).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  writeFileSync(script, `wrk.method = "POST"\nwrk.body = [==[${body}]==]\n${lines.join("\n")}\n${SUMMARY}`);
  const args = [
    "-t",
    "1",
    "-c",
    String(connections),
    "-d",
    `${seconds}s`,
    "--timeout",
    "30s",
    "-s",
    script,
    url,
  ];
  const { stdout } = await run("wrk", args);
  const result = /RESULT (.*)/.exec(stdout)?.[1];
  if (result === undefined) throw new Error(`wrk said:\n${stdout}`);
  const [requests, microseconds, p50, p99, failures] = result.split(" ").map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    requests,
    perSecond: requests / (microseconds / 1e6),
    p50: p50 / 1000,
    p99: p99 / 1000,
    failures,
  };
}

const SUMMARY = `done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %f %f %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`;

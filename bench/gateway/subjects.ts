import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { builtPortico } from "./built-portico.ts";
import { installLitellm, installPortkey } from "./peers.ts";
import { freePort, startProcess } from "./processes.ts";
import type { NginxServers } from "./upstream.ts";

/** A gateway under test. */
export interface Subject {
  readonly name: string;
  /** What it is in words, for the report. */
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  stop(): Promise<void>;
}

/** What a subject is started with. */
export interface Stage {
  readonly folder: string;
  readonly cache: string;
  readonly nginx: NginxServers;
}

export const GATEWAY_KEY = "sk-bench-0123456789abcdef0123456789";
const PATH = "/v1/chat/completions";

/** Starts a subject by its name; while one is measured the others are idle. */
export async function startSubject(name: string, stage: Stage): Promise<Subject> {
  const start = starters[name];
  if (start === undefined) throw new Error(`There is no subject ${name}.`);
  mkdirSync(stage.folder, { recursive: true });
  return start(stage);
}

const starters: Readonly<Record<string, (stage: Stage) => Promise<Subject>>> = {
  nginx: async ({ nginx }) => ({
    name: "nginx",
    title: "nginx `proxy_pass`, access log on",
    url: `http://127.0.0.1:${nginx.proxyPort}${PATH}`,
    headers: {},
    pid: nginx.proxyPid,
    stop: () => Promise.resolve(),
  }),
  bare: (stage) => startBare(stage, "bare", "node:http + undici, nothing else"),
  "bare-parse": (stage) =>
    startBare(stage, "bare-parse", "node:http + undici, parses and serialises the request", "parse"),
  portico: startPortico,
  portkey: async ({ folder, cache, nginx }) => {
    const script = installPortkey(cache);
    const port = await freePort();
    const args = [script, `--port=${port}`, "--headless"];
    const running = await startProcess(
      { command: process.execPath, args, logFile: join(folder, "log"), environment: production },
      port,
    );
    const headers = {
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `${nginx.upstreamUrl}/v1`,
      authorization: "Bearer provider-key",
    };
    const url = `http://127.0.0.1:${port}${PATH}`;
    return { name: "portkey", title: "Portkey gateway, routing by headers", url, headers, ...running };
  },
  litellm: async ({ folder, cache, nginx }) => {
    const command = installLitellm(cache);
    const port = await freePort();
    const config = join(folder, "config.yaml");
    writeFileSync(config, litellmConfig(nginx.upstreamUrl));
    const args = ["--config", config, "--port", String(port), "--host", "127.0.0.1", "--num_workers", "1"];
    const environment = { LITELLM_MODE: "PRODUCTION", LITELLM_LOCAL_MODEL_COST_MAP: "True" };
    const running = await startProcess(
      { command, args, environment, logFile: join(folder, "log") },
      port,
      180,
    );
    const headers = { authorization: `Bearer ${GATEWAY_KEY}` };
    const url = `http://127.0.0.1:${port}${PATH}`;
    return { name: "litellm", title: "LiteLLM proxy, one worker, master key", url, headers, ...running };
  },
};

const production = { NODE_ENV: "production" };

async function startBare(
  { folder, nginx }: Stage,
  name: string,
  title: string,
  ...flags: string[]
): Promise<Subject> {
  const port = await freePort();
  const script = resolve(import.meta.dirname, "bare-pass-through.ts");
  const args = [script, String(port), nginx.upstreamUrl, ...flags];
  const running = await startProcess(
    { command: process.execPath, args, logFile: join(folder, "log"), environment: production },
    port,
  );
  return { name, title, url: `http://127.0.0.1:${port}${PATH}`, headers: {}, ...running };
}

async function startPortico({ folder, nginx }: Stage): Promise<Subject> {
  const port = await freePort();
  const options = builtPortico(folder, litellmConfig(nginx.upstreamUrl), port, join(folder, "log"));
  const running = await startProcess(options, port);
  return {
    name: "portico",
    title: "Portico: key, routing, cost, spend log, request log",
    url: `http://127.0.0.1:${port}${PATH}`,
    headers: { authorization: `Bearer ${GATEWAY_KEY}` },
    ...running,
  };
}

/** The same file for LiteLLM and for Portico. */
export function litellmConfig(upstream: string): string {
  return `model_list:
  - model_name: gpt-4o-mini
    litellm_params:
      model: openai/gpt-4o-mini
      api_base: ${upstream}/v1
      api_key: provider-key
general_settings:
  master_key: ${GATEWAY_KEY}
`;
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startPostgres } from "../../../packages/gateway/test/support/postgres.ts";
import { builtPortico } from "../built-portico.ts";
import { installLitellm, installPortkey } from "../peers.ts";
import { freePort, startProcess } from "../processes.ts";
import { ANSWER_MODES, type Case, type Format, PATHS } from "./cases.ts";
import type { MatrixUpstream } from "./matrix-upstream.ts";

/** Where a case's call goes at a subject, and what it is sent with. */
export interface Target {
  readonly url: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A server under test. */
export interface MatrixSubject {
  readonly name: string;
  readonly pid: number;
  /** Milliseconds after a turn in which it goes on working for it. */
  readonly afterwards: number;
  targetOf(each: Case): Target;
  stop(): Promise<void>;
}

/** The master key of the gateways. */
export const KEY = "sk-bench-0123456789abcdef0123456789";
const production = { NODE_ENV: "production" };
/** Spend rows are brought into the database twice a second. */
const AFTERWARDS = 700;

type Starter = (upstream: MatrixUpstream, folder: string, cache: string) => Promise<MatrixSubject>;

/** All of them by their names. */
export const matrixStarters = {
  nginx: async (upstream) => ({
    ...relay("nginx", upstream.proxyPort),
    pid: upstream.proxyPid,
    stop: () => Promise.resolve(),
  }),
  bare: (upstream, folder) => startBare(upstream, folder, "bare"),
  "bare-parse": (upstream, folder) => startBare(upstream, folder, "bare-parse", "parse"),
  sqlite: (upstream, folder) => startPortico(upstream, folder, "sqlite"),
  postgres: async (upstream, folder) => {
    const server = await startPostgres(["shared_buffers=128MB", "fsync=on"]);
    try {
      const url = await server.createDatabase();
      const subject = await startPortico(upstream, folder, "postgres", { DATABASE_URL: url });
      return { ...subject, stop: () => subject.stop().finally(() => server.stop()) };
    } catch (error) {
      server.stop();
      throw error;
    }
  },
  portkey: startPortkey,
  litellm: startLitellm,
} satisfies Readonly<Record<string, Starter>>;

/** A proxy that copies what it gets: the path says what the provider answers. */
function relay(name: string, port: number): Pick<MatrixSubject, "name" | "afterwards" | "targetOf"> {
  const targetOf = ({ mode, wire }: Case): Target => ({
    url: `http://127.0.0.1:${port}/${mode}${PATHS[wire]}`,
    model: "gpt-4o-mini",
    headers: {},
  });
  return { name, afterwards: 0, targetOf };
}

/** The provider itself, for the latency that each subject adds. */
export function directTarget(upstream: MatrixUpstream, { mode, wire }: Case): Target {
  return { url: `${upstream.url}/${mode}${PATHS[wire]}`, model: "gpt-4o-mini", headers: {} };
}

async function startBare(
  { url }: MatrixUpstream,
  folder: string,
  name: string,
  ...flags: string[]
): Promise<MatrixSubject> {
  const port = await freePort();
  const script = resolve(import.meta.dirname, "../bare-pass-through.ts");
  const args = [script, String(port), url, ...flags];
  const logFile = join(folder, `${name}.log`);
  const running = await startProcess(
    { command: process.execPath, args, logFile, environment: production },
    port,
  );
  return { ...relay(name, port), ...running };
}

async function startPortico(
  upstream: MatrixUpstream,
  folder: string,
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<MatrixSubject> {
  const own = join(folder, name);
  mkdirSync(own);
  const port = await freePort();
  const built = builtPortico(own, configOf(upstream.url), port, join(own, "log"));
  const running = await startProcess(
    { ...built, environment: { ...built.environment, ...environment } },
    port,
  );
  return { name, afterwards: AFTERWARDS, targetOf: byModel(port), ...running };
}

const byModel =
  (port: number) =>
  (each: Case): Target => ({
    url: `http://127.0.0.1:${port}${PATHS[each.format]}`,
    model: modelOf(each),
    headers: { authorization: `Bearer ${KEY}` },
  });

/** The model of the configuration that a case's provider answers for. */
export function modelOf({ wire, mode }: Case): string {
  return `${providerOf(wire)}-${mode}`;
}

function providerOf(wire: Format): "openai" | "anthropic" {
  return wire === "messages" ? "anthropic" : "openai";
}

async function startPortkey(upstream: MatrixUpstream, folder: string, cache: string): Promise<MatrixSubject> {
  const port = await freePort();
  const args = [installPortkey(cache), `--port=${port}`, "--headless"];
  const logFile = join(folder, "portkey.log");
  const running = await startProcess(
    { command: process.execPath, args, logFile, environment: production },
    port,
  );
  const targetOf = ({ format, wire, mode }: Case): Target => ({
    url: `http://127.0.0.1:${port}${PATHS[format]}`,
    model: wire === "messages" ? "claude-sonnet-4-5" : "gpt-4o-mini",
    headers: {
      "x-portkey-provider": providerOf(wire),
      "x-portkey-custom-host": `${upstream.url}/${mode}/v1`,
      authorization: "Bearer provider-key",
    },
  });
  return { name: "portkey", afterwards: 0, targetOf, ...running };
}

async function startLitellm(upstream: MatrixUpstream, folder: string, cache: string): Promise<MatrixSubject> {
  const command = installLitellm(cache);
  const port = await freePort();
  const config = join(folder, "litellm.yaml");
  writeFileSync(config, configOf(upstream.url));
  const args = ["--config", config, "--port", String(port), "--host", "127.0.0.1", "--num_workers", "1"];
  const environment = { LITELLM_MODE: "PRODUCTION", LITELLM_LOCAL_MODEL_COST_MAP: "True" };
  const logFile = join(folder, "litellm.log");
  const running = await startProcess({ command, args, environment, logFile }, port, 180);
  return { name: "litellm", afterwards: 0, targetOf: byModel(port), ...running };
}

/** The same file for LiteLLM and for Portico. */
export function configOf(upstream: string): string {
  const entries = ANSWER_MODES.flatMap((mode) => [
    `{model_name: openai-${mode}, litellm_params: {model: openai/gpt-4o-mini, api_base: "${upstream}/${mode}/v1", api_key: k}}`,
    `{model_name: anthropic-${mode}, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${upstream}/${mode}", api_key: k}}`,
  ]);
  return `model_list:\n${entries.map((entry) => `  - ${entry}\n`).join("")}general_settings: {master_key: ${KEY}}\n`;
}

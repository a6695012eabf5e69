import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { bundledForTests, compileCache } from "../../../../tools/bundles.ts";
import { createGateway } from "../../src/app.ts";
import { startGateway } from "../../src/cli/start-gateway.ts";
import { makeLogger } from "../../src/platform/log/logger.ts";
import { copyMigratedStore } from "./migrated-store.ts";
import { until } from "./until.ts";
import { workerPids } from "./workers.ts";

/** The master key of every gateway that these helpers start with a configuration of their own. */
export const MASTER_KEY = "sk-test-master-key-0123456789";

/** Arguments of node that run `portico`: in a run of the tests as users get it, else from its sources. */
export async function porticoProgram(): Promise<readonly string[]> {
  if (process.env.TEST_RUN_FOLDER !== undefined)
    return [join(await bundledForTests("gateway"), "bin/portico.js")];
  return [
    `--import=${resolve(import.meta.dirname, "from-source.ts")}`,
    resolve(import.meta.dirname, "../../src/main.ts"),
  ];
}

const endWithParent = `--import=${resolve(import.meta.dirname, "end-with-parent.ts")}`;

/** How a test wants its gateway. */
export interface TestGatewayOptions {
  /** YAML; absent starts the simulated providers. `general_settings` is added when it has none. */
  readonly config?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Kept by the test when given; otherwise a temporary one is removed at the end. */
  readonly dataDirectory?: string;
  /** Further command line flags, for gateways in a process of their own. */
  readonly flags?: readonly string[];
  /** Arguments of node that run another build of the gateway than its sources. */
  readonly program?: readonly string[];
}

/** A gateway that a test talks to. */
export interface TestGateway {
  readonly url: string;
  readonly masterKey: string;
  readonly dataDirectory: string;
  /** Address of the simulated providers when the gateway started them. */
  readonly simulatorUrl: string | undefined;
  /** Everything logged so far. */
  log(): string;
  /** Puts another configuration in the file's place. */
  writeConfig(text: string): void;
  /** A call with the master key (or another one) and a JSON body. */
  call(path: string, init?: CallInit): Promise<Response>;
  /** The JSON that such a call answers. @throws Error where it fails */
  must(path: string, body?: unknown, init?: CallInit): Promise<Record<string, unknown>>;
  /** Makes a key with these fields. @returns its text */
  newKey(fields?: object): Promise<string>;
  close(): Promise<void>;
}

export interface CallInit {
  readonly method?: string;
  /** A form, or what is sent as JSON. */
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A gateway in a process of its own, for tests that send signals or kill it. */
export interface ChildGateway extends TestGateway {
  readonly process: ChildProcess;
  /** Resolves with the exit code, or the signal's name, when everything that it wrote is in `log`. */
  readonly exited: Promise<number | string>;
}

interface Workspace {
  readonly folder: string;
  readonly dataDirectory: string;
  readonly configFile: string | undefined;
  write(text: string): void;
  remove(): void;
}

/** Starts a gateway inside the test's process. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const workspace = makeWorkspace(options);
  if (options.dataDirectory === undefined) await copyMigratedStore(workspace.dataDirectory);
  let log = "";
  const write = (line: string): void => {
    log += line;
  };
  const logger = makeLogger("debug", { write });
  const gateway = await startGateway(
    createGateway,
    {
      configFile: workspace.configFile,
      port: 0,
      host: "127.0.0.1",
      dataDirectory: workspace.dataDirectory,
      overrides: {},
    },
    { ...options.environment },
    logger,
  ).catch((error: unknown) => {
    workspace.remove();
    throw error;
  });
  return {
    url: gateway.url,
    masterKey: gateway.masterKey,
    dataDirectory: workspace.dataDirectory,
    simulatorUrl: gateway.simulatorUrl,
    log: () => log,
    writeConfig: workspace.write,
    ...callsOf(gateway.url, gateway.masterKey),
    close: async () => {
      await gateway.close();
      workspace.remove();
    },
  };
}

/** Starts `portico` and waits until it is ready, and with `--workers` until its log has told of each of them. */
export async function spawnTestGateway(options: TestGatewayOptions = {}): Promise<ChildGateway> {
  const workspace = makeWorkspace(options);
  const flags = ["--port", "0", "--host", "127.0.0.1", "--data-dir", workspace.dataDirectory];
  if (workspace.configFile !== undefined) flags.push("--config", workspace.configFile);
  const child = spawn(
    process.execPath,
    [endWithParent, ...(options.program ?? (await porticoProgram())), ...flags, ...(options.flags ?? [])],
    {
      env: { PATH: process.env.PATH, ...compileCache(), ...options.environment },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  // What it wrote last may still be in its pipes when it has ended; all of it is here when these are closed.
  const exited = new Promise<number | string>((done) =>
    child.once("close", (code, signal) => done(code ?? signal ?? "unknown")),
  );
  let log = "";
  let terminal = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const url = await new Promise<string>((ready, failed) => {
    child.stderr.setEncoding("utf8").on("data", (text) => {
      terminal += text;
      const address = /ready on (\S+)/.exec(terminal)?.[1];
      if (address !== undefined) ready(address);
    });
    void exited.then((code) => failed(new Error(`the gateway ended with ${code}: ${terminal}${log}`)));
  }).catch((error: unknown) => {
    workspace.remove();
    throw error;
  });
  // The log comes by another pipe, and later, than the line that tells that all are ready.
  const workers = Number(options.flags?.[options.flags.indexOf("--workers") + 1] ?? 1);
  if (workers > 1) await until(() => workerPids(log).size === workers);
  // Not on a terminal, so the key that was generated stands in its file alone.
  const generated = /kept in (\S+?)\.?\n/.exec(terminal)?.[1];
  const key = generated === undefined ? MASTER_KEY : readFileSync(generated, "utf8").trim();
  return {
    url,
    masterKey: key,
    dataDirectory: workspace.dataDirectory,
    simulatorUrl: undefined,
    process: child,
    exited,
    log: () => log + terminal,
    writeConfig: workspace.write,
    ...callsOf(url, key),
    close: async () => {
      child.kill("SIGTERM");
      await exited;
      workspace.remove();
    },
  };
}

function makeWorkspace(options: TestGatewayOptions): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "portico-test-"));
  const file = join(folder, "config.yaml");
  const write = (text: string): void => writeFileSync(file, withMasterKey(text));
  if (options.config !== undefined) write(options.config);
  return {
    folder,
    dataDirectory: options.dataDirectory ?? join(folder, "data"),
    configFile: options.config === undefined ? undefined : file,
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function withMasterKey(text: string): string {
  return text.includes("general_settings:")
    ? text
    : `${text}\ngeneral_settings: {master_key: "${MASTER_KEY}"}\n`;
}

function callsOf(url: string, key: string): Pick<TestGateway, "call" | "must" | "newKey"> {
  const must: TestGateway["must"] = async (path, body, init = {}) => {
    const answer = await call(url, key, path, body === undefined ? init : { ...init, body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    call: (path, init) => call(url, key, path, init),
    must,
    newKey: async (fields = {}) => (await must("/key/generate", fields)).key as string,
  };
}

function call(url: string, key: string, path: string, init: CallInit = {}): Promise<Response> {
  const isJson = init.body !== undefined && !(init.body instanceof FormData);
  return fetch(url + path, {
    method: init.method ?? (init.body === undefined ? "GET" : "POST"),
    headers: {
      authorization: `Bearer ${init.key ?? key}`,
      ...(isJson ? { "content-type": "application/json" } : {}),
      ...init.headers,
    },
    ...(init.body === undefined
      ? {}
      : { body: init.body instanceof FormData ? init.body : JSON.stringify(init.body) }),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";

/** A running JupyterLab, or the static site of JupyterLite. */
export interface Served {
  /** The page that has this file open. */
  addressOf(path: string): string;
  close(): Promise<void>;
}

const STARTED_WITHIN_MS = 120_000;

/**
 * JupyterLab over the files of a folder, with nothing of this user's in it.
 *
 * @param bin the programs of its Python environment
 * @param home an empty folder for all that it writes beside the files
 */
export async function serveLab(bin: string, root: string, home: string): Promise<Served> {
  const token = randomUUID();
  const port = await freePort();
  setSettings(home, "@jupyterlab/apputils-extension/notification", {
    fetchNews: "false",
    checkForUpdates: false,
  });
  const flags = ["--no-browser", "--allow-root", `--port=${port}`, "--ServerApp.port_retries=0"];
  const places = [`--ServerApp.root_dir=${root}`, `--IdentityProvider.token=${token}`];
  const address = `http://127.0.0.1:${port}`;
  const close = await start(
    join(bin, "jupyter"),
    ["lab", "--ip=127.0.0.1", ...flags, ...places],
    home,
    address,
  );
  return { addressOf: (path) => `${address}/lab/tree/${path}?token=${token}&reset`, close };
}

/** JupyterLite's site, built with the files of a folder, on a web server that knows nothing of it. */
export async function serveLite(bin: string, root: string, home: string): Promise<Served> {
  const site = join(home, "site");
  mkdirSync(site, { recursive: true });
  execFileSync(join(bin, "jupyter"), ["lite", "build", "--contents", root, "--output-dir", site], {
    cwd: home,
    env: environment(bin, home),
    stdio: "pipe",
  });
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = ["-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", site];
  const close = await start(join(bin, "python"), program, home, address);
  return { addressOf: (path) => `${address}/lab/index.html?path=${path}`, close };
}

/** Settings of a user, as the page's editor of settings keeps them. */
export function setSettings(home: string, plugin: string, values: object): void {
  const file = join(home, "settings", `${plugin}.jupyterlab-settings`);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(values));
}

function environment(bin: string, home: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    HOME: home,
    JUPYTER_CONFIG_DIR: join(home, "config"),
    JUPYTER_DATA_DIR: join(home, "data"),
    JUPYTER_RUNTIME_DIR: join(home, "runtime"),
    JUPYTERLAB_SETTINGS_DIR: join(home, "settings"),
    JUPYTERLAB_WORKSPACES_DIR: join(home, "workspaces"),
  };
}

/** Starts a server and waits until it answers; the function that comes back ends it. */
async function start(
  command: string,
  args: readonly string[],
  home: string,
  address: string,
): Promise<() => Promise<void>> {
  const program = spawn(command, args, {
    cwd: home,
    env: environment(join(command, ".."), home),
    stdio: "pipe",
  });
  let printed = "";
  program.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  program.stdout.resume();
  const end = Date.now() + STARTED_WITHIN_MS;
  while (!(await answers(address))) {
    if (program.exitCode !== null || Date.now() > end) {
      await stop(program);
      throw new Error(`${command} ${args[0]} does not start:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return () => stop(program);
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { redirect: "manual" })).status < 500;
  } catch {
    return false;
  }
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, "exit");
  // The first asks it to end the kernels too.
  program.kill("SIGTERM");
  const last = setTimeout(() => program.kill("SIGKILL"), 20_000);
  await ended;
  clearTimeout(last);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

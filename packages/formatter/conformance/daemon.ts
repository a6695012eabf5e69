import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A server that is up. */
export interface Daemon {
  readonly port: number;
  readonly process: ChildProcess;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts blackd or what takes its options, and waits until it answers. */
export async function startDaemon(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Daemon> {
  const port = await freePort();
  const address = ["--bind-host", "127.0.0.1", "--bind-port", String(port)];
  const child = spawn(command, [...args, ...address], { env, stdio: "ignore" });
  for (let tries = 0; tries < 2000; tries++) {
    const answers = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "x = 1\n" }).then(
      () => true,
      () => false,
    );
    if (answers) return { port, process: child };
    await sleep(10);
  }
  child.kill();
  throw new Error(`${command} did not start`);
}

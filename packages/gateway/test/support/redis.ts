import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Redis server of a test's own. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server that keeps nothing on disk, on a free port. */
export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), "portico-redis-"));
  const port = await freePort();
  const flags = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--save",
    "",
    "--appendonly",
    "no",
    "--dir",
    folder,
  ];
  const child = spawn("redis-server", flags, { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise<void>((resolve, reject) => {
    child.once("error", () =>
      reject(new Error("Redis is needed for this test: apt-get install redis-server")),
    );
    child.once("exit", (code) => reject(new Error(`redis-server ended with ${code}`)));
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (/ready to accept connections/i.test(text)) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

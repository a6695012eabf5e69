import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterProcess } from "./after-process.ts";
import { onFreePort } from "./free-port.ts";

/** A Redis server of a test's own. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  /**
   * Stops it in its tracks: connections stay, and nothing is answered.
   * @returns has it go on
   */
  freeze(): () => void;
  /** Starts an empty server at the same address after `stop`. */
  startAgain(): Promise<TestRedis>;
}

/** Starts a server that keeps nothing on disk, on a free port. */
export function startRedis(): Promise<TestRedis> {
  return onFreePort(startOn);
}

async function startOn(port: number): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), "portico-redis-"));
  const settings = ["--save", "", "--appendonly", "no", "--dir", folder];
  const child = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", ...settings], {
    stdio: ["ignore", "pipe", "ignore"],
  });
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
  const noGuard = afterProcess("kill", "-KILL", String(child.pid));
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      noGuard();
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
    freeze: () => {
      child.kill("SIGSTOP");
      return () => child.kill("SIGCONT");
    },
    startAgain: () => startOn(port),
  };
}

import { once } from "node:events";
import { getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { ShortTurns } from "./considerate.ts";

const own = new URL("./considerate.ts", import.meta.url);

describe("The thread that writes spend rows", () => {
  it.runIf(process.platform === "linux")("runs below the thread that serves callers", async () => {
    const before = getPriority();
    const worker = new Worker(
      `const { parentPort } = require("node:worker_threads");
      import(${JSON.stringify(own)}).then(({ yieldToCallers }) => {
        yieldToCallers();
        const thread = require("node:fs").readlinkSync("/proc/thread-self").split("/").at(-1);
        parentPort.postMessage(require("node:os").getPriority(Number(thread)));
      });`,
      { eval: true, execArgv: [] },
    );
    const [priority] = await once(worker, "message");
    expect(priority).toBe(Math.min(before + 5, 19));
    expect(getPriority()).toBe(before);
    await worker.terminate();
  });

  it("rests only after it has worked for some time", () => {
    const turns = new ShortTurns();
    const elapsed = (step: () => void): number => {
      const since = performance.now();
      step();
      return performance.now() - since;
    };
    while (elapsed(() => turns.restIfDue()) < 0.9);
    turns.begin();
    const worked = elapsed(() => {
      for (const since = performance.now(); performance.now() - since < 0.6; );
    });
    expect(worked).toBeGreaterThanOrEqual(0.6);
    expect(elapsed(() => turns.restIfDue())).toBeGreaterThanOrEqual(0.9);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, watch } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { leftBehind, surroundings } from "./left-behind.ts";

/** What a file may leave, and how it is taken away again. */
const LEFT: Record<string, () => Promise<() => unknown> | (() => unknown)> = {
  "fake timers": () => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  },
  fetch: () => {
    vi.stubGlobal("fetch", () => {});
    return () => vi.unstubAllGlobals();
  },
  "process.exit": () => {
    const spy = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    return () => spy.mockRestore();
  },
  "process.platform": () => {
    const { platform } = process;
    Object.defineProperty(process, "platform", { value: "win32" });
    return () => Object.defineProperty(process, "platform", { value: platform });
  },
  "the working directory": () => {
    const inside = process.cwd();
    process.chdir(tmpdir());
    return () => process.chdir(inside);
  },
  "undici.globalDispatcher.1": () => {
    const place = Symbol.for("undici.globalDispatcher.1");
    const all = globalThis as unknown as Record<symbol, unknown>;
    const dispatcher = all[place];
    Object.defineProperty(all, place, { value: new Map(), writable: true });
    return () => Object.defineProperty(all, place, { value: dispatcher });
  },
  "listeners of SIGTERM": () => {
    const listener = () => {};
    process.on("SIGTERM", listener);
    return () => process.off("SIGTERM", listener);
  },
  TCPServerWrap: async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return () => server.close();
  },
  ProcessWrap: () => {
    const child = spawn("cat");
    return () => child.kill();
  },
  FSEventWrap: () => {
    const folder = mkdtempSync(join(tmpdir(), "left-behind-"));
    const watcher = watch(folder);
    return () => {
      watcher.close();
      rmSync(folder, { recursive: true });
    };
  },
  Timeout: () => {
    const interval = setInterval(() => {}, 1000);
    return () => clearInterval(interval);
  },
};

describe("What a file leaves for the next in its process", () => {
  it.each(Object.keys(LEFT))("is seen, and not once it is gone: %s", async (what) => {
    const before = surroundings();
    const takeAway = await LEFT[what]!();
    let left: string[];
    try {
      left = await leftBehind(before, 0);
    } finally {
      takeAway();
    }
    expect(left).toContainEqual(expect.stringContaining(what));
    expect(await leftBehind(before)).toEqual([]);
  });

  it("is waited for while it closes", async () => {
    const before = surroundings();
    const child = spawn("cat");
    const left = leftBehind(before);
    child.kill();
    expect(await left).toEqual([]);
  });
});

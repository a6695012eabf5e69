import { existsSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./sandbox.ts";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  sandbox.write("a.py", "x  = 1\n");
});
afterEach(() => sandbox.remove());

describe.skipIf(!existsSync("/dev/full"))("where nothing more can be written", () => {
  it.each([["-c", "x  = 1"], ["-q", "--diff", "a.py"], ["--version"]])(
    "%s %s ends with 123 and says so in one line",
    (...args) => {
      const { exitCode, stderr } = sandbox.runAfter("exec > /dev/full", args);
      expect([exitCode, stderr.split("\n").at(-2)]).toEqual([
        123,
        "error: standard output cannot be written: ENOSPC: no space left on device, write",
      ]);
      expect(stderr).not.toContain("    at ");
    },
  );

  it("ends without a word where messages cannot be written", () => {
    expect(sandbox.runAfter("exec 2> /dev/full", ["a.py"]).exitCode).toBe(123);
  });
});

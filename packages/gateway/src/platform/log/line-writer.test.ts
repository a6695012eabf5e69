import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LineWriter } from "./line-writer.ts";

let folder: string;
let descriptor: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-log-"));
  descriptor = openSync(join(folder, "log"), "w");
});
afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

function written(): string {
  return readFileSync(join(folder, "log"), "utf8");
}

describe("LineWriter", () => {
  it("keeps the lines' order over many writes", async () => {
    const writer = new LineWriter(descriptor);
    const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index} é\n`);
    for (const [index, line] of lines.entries()) {
      writer.write(line);
      if (index % 5000 === 0) await new Promise((next) => setImmediate(next));
    }
    await expect.poll(written).toBe(lines.join(""));
  });

  it("writes what is left when the process ends", () => {
    const writer = new LineWriter(descriptor);
    writer.write("last words\n");
    expect(written()).toBe("");
    writer.flushSync();
    expect(written()).toBe("last words\n");
  });
});

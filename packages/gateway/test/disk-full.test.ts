import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answersWhile } from "./rules/answers-while.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { mayMount, mountSmallDisk } from "./support/small-disk.ts";

describe.skipIf(!mayMount)("A disk that is full", () => {
  const outside = process.env.TMPDIR;
  let disk = "";
  let stage: Stage;
  beforeEach(async () => {
    disk = mkdtempSync(join(tmpdir(), "portico-disk-"));
    mountSmallDisk(disk, 32 * 2 ** 20);
    process.env.TMPDIR = disk;
    stage = await startStage();
  });
  afterEach(async () => {
    await stage.close();
    if (outside === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = outside;
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  /** To the last page: SQLite may have room left in its own files, and gives some back. */
  const fill = (): void => {
    for (const size of [2 ** 20, 2 ** 16, 2 ** 12])
      try {
        for (let at = 0; ; at += 1)
          writeFileSync(join(disk, `fill-${size}-${at}`), Buffer.alloc(size), { flag: "a" });
      } catch {
        // Full of pieces of this size.
      }
  };

  it("is what every operation says that would write, and they go on when there is room", {
    timeout: 300_000,
  }, async () => {
    const { statuses, unexpected } = await answersWhile(stage, fill, { beforeEach: fill, once: true });
    expect(unexpected).toEqual([]);
    expect(statuses.filter(([, status]) => status === 503).length).toBeGreaterThan(20);
    for (const name of readdirSync(disk)) if (name.startsWith("fill")) rmSync(join(disk, name));
    await expect.poll(async () => (await stage.gateway.call("/key/generate", { body: {} })).status).toBe(200);
  });
});

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { closeToOthers } from "./data-directory.ts";

/** What another process does just before a file's rights are changed. */
let meanwhile = (_path: string): void => undefined;
vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  const chmod: typeof real.chmodSync = (path, mode) => {
    meanwhile(String(path));
    real.chmodSync(path, mode);
  };
  return { ...real, chmodSync: chmod };
});

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-moment-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("A file that another process removes at the same moment needs no rights", () => {
  const file = join(folder, "lock");
  writeFileSync(file, "");
  chmodSync(file, 0o644);
  meanwhile = (path) => rmSync(path);
  closeToOthers(file, 0o600);
  expect(existsSync(file)).toBe(false);
});

/** A starting process takes the folder for one that was left, and makes a lock in it, while its owner removes it. */
const ENDS = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
fs.rmSync = () => { throw Object.assign(new Error("directory not empty"), { code: "ENOTEMPTY" }); };
syncBuiltinESMExports();
const { temporaryPath } = await import(${JSON.stringify(new URL("./temporary.ts", import.meta.url).href)});
temporaryPath();
`;

it("A process ends in order although somebody else removes its temporary folder with it", () => {
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", ENDS], {
    env: { PATH: process.env.PATH, TMPDIR: folder },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(readdirSync(folder)).toHaveLength(1);
});

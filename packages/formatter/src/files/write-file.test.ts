import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFile } from "./write-file.ts";

/** As what has been read just now. */
function write(path: string, bytes: Uint8Array): void {
  writeFile(path, bytes, statSync(path).mtimeMs);
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-"));
  writeFileSync(join(folder, "a.py"), "old\n");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("the new contents replace the old file, keep its mode and leave nothing beside it", () => {
  const path = join(folder, "a.py");
  chmodSync(path, 0o754);
  const before = statSync(path).ino;
  write(path, Buffer.from("new\n"));
  expect(readFileSync(path, "utf8")).toBe("new\n");
  expect(statSync(path).mode & 0o777).toBe(0o754);
  expect(statSync(path).ino).not.toBe(before);
  expect(readdirSync(folder)).toEqual(["a.py"]);
});

test("a symbolic link stays one and its target changes", () => {
  symlinkSync("a.py", join(folder, "link.py"));
  write(join(folder, "link.py"), Buffer.from("new\n"));
  expect(lstatSync(join(folder, "link.py")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "a.py"), "utf8")).toBe("new\n");
});

test("all names of a file with hard links see the new contents", () => {
  linkSync(join(folder, "a.py"), join(folder, "b.py"));
  write(join(folder, "a.py"), Buffer.from("new\n"));
  expect(readFileSync(join(folder, "b.py"), "utf8")).toBe("new\n");
});

test("what somebody else has written since the file was read stays", () => {
  const path = join(folder, "a.py");
  const { mtimeMs } = statSync(path);
  utimesSync(path, 1, 1);
  expect(() => writeFile(path, Buffer.from("new\n"), mtimeMs)).toThrow(
    "it was changed while it was formatted",
  );
  expect(readFileSync(path, "utf8")).toBe("old\n");
  expect(readdirSync(folder)).toEqual(["a.py"]);
});

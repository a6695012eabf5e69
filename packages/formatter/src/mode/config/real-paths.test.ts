import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RealPaths } from "./real-paths.ts";

let base = "";
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
  mkdirSync(join(base, "a/b"), { recursive: true });
  writeFileSync(join(base, "a/b/x.py"), "");
  writeFileSync(join(base, "a/y.py"), "");
  writeFileSync(join(base, "z.py"), "");
  symlinkSync("a/b", join(base, "link"));
  symlinkSync("b/x.py", join(base, "a/link.py"));
  symlinkSync("nowhere", join(base, "broken"));
  symlinkSync("loop", join(base, "loop"));
});
afterAll(() => rmSync(base, { recursive: true }));

test.each([
  "a/b/x.py",
  "a/y.py",
  "link/x.py",
  "link/../y.py",
  "a/link.py",
  "link",
  "link/",
  "a/",
  "a/.",
  "a/b/..",
])("%s leads where the system says, asked first or after others", (path) => {
  const full = `${base}/${path}`;
  const realPaths = new RealPaths();
  expect(realPaths.of(full)).toBe(realpathSync.native(full));
  expect(realPaths.of(join(base, "link", "x.py"))).toBe(join(base, "a/b/x.py"));
  expect(realPaths.of(full)).toBe(realpathSync.native(full));
  expect(realPaths.leniently(full)).toBe(realpathSync.native(full));
});

test.each(["a/b/x.py", "link/x.py", "link/../y.py", "a//b/x.py", "a/./b/x.py", "a/../a/b/x.py", "link/"])(
  "%s leads where the system says, asked after files beside its folder and above",
  (path) => {
    const full = `${base}/${path}`;
    const realPaths = new RealPaths();
    for (const known of ["z.py", "a/y.py"]) expect(realPaths.of(`${base}/${known}`)).toBe(`${base}/${known}`);
    expect(realPaths.of(full)).toBe(realpathSync.native(full));
  },
);

test("names of one and two characters and folders in turns", () => {
  const names = [".x", "x.", "y", "..y"];
  for (const name of names) writeFileSync(join(base, "a/b", name), "");
  const realPaths = new RealPaths();
  for (const folder of ["a/b", "link", "a/b", "link", "a/../link", "a//b", "./a/b"])
    for (const name of [...names, "x.py"])
      expect(realPaths.of(`${base}/${folder}/${name}`)).toBe(`${base}/a/b/${name}`);
  for (const path of ["a/b/.", "a/b/..", "a/b/"])
    expect(realPaths.of(`${base}/${path}`)).toBe(realpathSync.native(`${base}/${path}`));
});

test.each([
  ["link/none/z.py", "a/b/none/z.py"],
  ["broken", "nowhere"],
  ["broken/z.py", "nowhere/z.py"],
  ["link/../none.py", "a/none.py"],
  ["link/none/../../z/./", "a/z"],
  ["none//x/../y", "none/y"],
  ["loop", "loop"],
  ["a/y.py/z", "a/y.py/z"],
])("%s is resolved as far as it is there", (path, expected) => {
  const realPaths = new RealPaths();
  expect(() => realPaths.of(`${base}/${path}`)).toThrow();
  expect(realPaths.leniently(`${base}/${path}`)).toBe(join(base, expected));
});

test("paths from the working folder and the root", () => {
  const realPaths = new RealPaths();
  expect(realPaths.of(".")).toBe(realpathSync.native("."));
  expect(realPaths.of("package.json")).toBe(realpathSync.native("package.json"));
  expect(realPaths.of("/")).toBe(realpathSync.native("/"));
});

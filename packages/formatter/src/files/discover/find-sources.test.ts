import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resolveSettings } from "../../mode/config/resolve-settings.ts";
import type { OptionKey } from "../../mode/options.ts";
import { findSources } from "./find-sources.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
});
afterEach(() => rmSync(root, { recursive: true }));

function make(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
}

function search(
  options: Partial<Record<OptionKey, string>> = {},
  ...sources: string[]
): { found: string[]; ignored: string[] } {
  const found: string[] = [];
  const ignored: string[] = [];
  const given = new Map(Object.entries(options).map(([key, value]) => [key as OptionKey, [value]]));
  const paths = sources.length > 0 ? sources.map((path) => join(root, path)) : [root];
  findSources(resolveSettings(given, paths, undefined), root, {
    found: ({ path }) => found.push(relative(root, path)),
    ignored: (path, reason) => ignored.push(`${relative(root, path)}: ${reason}`),
    note: () => undefined,
  });
  return { found, ignored };
}

describe("findSources", () => {
  test("takes sources, stubs and notebooks, in order of their names, and leaves out built and hidden folders", () => {
    make("b.py", "a.pyi", "n.ipynb", "t.txt", "build/x.py", ".venv/y.py", "sub/builder.py");
    expect(search().found).toEqual(["a.pyi", "b.py", "n.ipynb", "sub/builder.py"]);
  });

  test("ignore files apply to their folder and below, and an inner one cannot take back an outer one", () => {
    make(
      "a.py",
      "a.gen.py",
      "sub/skip.py",
      "sub/keep.gen.py",
      "sub/ok.py",
      "sub/deep/skip.py",
      "build2/z.py",
    );
    writeFileSync(join(root, ".gitignore"), "\ufeff/build2\n*.gen.py\n");
    writeFileSync(join(root, "sub/.gitignore"), "skip.py\n!keep.gen.py\n");
    expect(search().found).toEqual(["a.py", "sub/ok.py"]);
    expect(search({ exclude: "" }).found).toContain("a.gen.py");
    expect(search({}, "a.gen.py").found).toEqual(["a.gen.py"]);
  });

  test("an unknown pattern in an ignore file ends the search", () => {
    writeFileSync(join(root, ".gitignore"), "!\n");
    expect(() => search()).toThrow(`Could not parse ${root}/.gitignore: Invalid git pattern: '!\\n'`);
  });

  test("exclusions say which option made them", () => {
    make("a.py", "b/x.py", "c/y.py", "d/z.py");
    expect(search({ exclude: "/b/", "extend-exclude": "/c/", "force-exclude": "z\\.py$" }).ignored).toEqual([
      "b: matches the --exclude regular expression",
      "c: matches the --extend-exclude regular expression",
      "d/z.py: matches the --force-exclude regular expression",
    ]);
  });

  test("an explicit file passes all exclusions but the forced one", () => {
    make("a.py");
    expect(search({ exclude: "a" }, "a.py").found).toEqual(["a.py"]);
    expect(search({ "force-exclude": "a\\.py" }, "a.py").found).toEqual([]);
  });

  test("an empty include takes all files", () => {
    make("a.py", "t.txt");
    expect(search({ include: "" }).found).toEqual(["a.py", "t.txt"]);
  });

  test("links that lead outside, into their own folder or nowhere are not followed", () => {
    make("in/a.py", "out.py");
    symlinkSync("../out.py", join(root, "in/inside.py"));
    symlinkSync(".", join(root, "in/loop"));
    symlinkSync("nowhere.py", join(root, "in/broken.py"));
    symlinkSync(tmpdir(), join(root, "in/outside"));
    symlinkSync("../../nowhere.py", join(root, "in/outside-broken.py"));
    expect(search().found).toEqual(["in/a.py", "in/inside.py", "out.py"]);
    expect(search().ignored.map((line) => line.split(":")[0])).toEqual([
      "in/loop",
      "in/outside",
      "in/outside-broken.py",
    ]);
  });

  test("a link that leads to itself ends the search", () => {
    symlinkSync("self", join(root, "self"));
    expect(() => search()).toThrow(`Symlink loop from '${root}/self'`);
  });
});

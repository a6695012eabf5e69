import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { resolveSettings } from "../../mode/config/resolve-settings.ts";
import type { OptionKey } from "../../mode/options.ts";
import { Stored } from "../cache/stored.ts";
import { findSources, type Source } from "./find-sources.ts";
import { FolderMemory } from "./folder-memory.ts";
import { hasSteadyTimes } from "./steady-file-systems.ts";

let base = "";
let root = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
  root = join(base, "project");
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(base, { recursive: true });
});

function make(path: string, contents = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), contents);
}

/** Searches a minute after everything so far was written, so that all times are settled. */
function search(options: Partial<Record<OptionKey, string>> = {}, folder = root): string[] {
  const written = [
    root,
    ...readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name)),
  ];
  vi.setSystemTime(Math.max(...written.map(changeTime)) + 60_000);
  return searchNow(options, folder);
}

function changeTime(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
}

function searchNow(options: Partial<Record<OptionKey, string>> = {}, folder = root): string[] {
  const found: string[] = [];
  const given = new Map(Object.entries(options).map(([key, value]) => [key as OptionKey, [value]]));
  const listener = {
    found: ({ path }: Source) => void found.push(relative(root, path)),
    ignored: () => undefined,
    note: () => undefined,
  };
  const memories = findSources(
    resolveSettings(given, [folder], undefined),
    root,
    listener,
    (folder, rules) => new FolderMemory(folder, new Stored(join(base, "cache"), "folders", rules)),
  );
  for (const memory of memories) memory.save();
  return found;
}

/** Marks in the cache what is remembered, to tell it from what is read. */
function forge(from: string, to: string): void {
  for (const name of readdirSync(join(base, "cache"))) {
    const path = join(base, "cache", name);
    const bytes = readFileSync(path, "utf8");
    writeFileSync(path, bytes.replace(`"${from}"`, `"${to}"`));
  }
}

describe.skipIf(!hasSteadyTimes(tmpdir()))("a search with a memory", () => {
  test("takes unchanged folders from it, and reads those that changed", () => {
    make("a.py");
    make("deep/er/b.py");
    make("other/c.py");
    expect(search()).toEqual(["a.py", "deep/er/b.py", "other/c.py"]);
    forge("b.py", "remembered.py");
    expect(search()).toEqual(["a.py", "deep/er/remembered.py", "other/c.py"]);
    make("other/d.py");
    expect(search()).toEqual(["a.py", "deep/er/remembered.py", "other/c.py", "other/d.py"]);
    make("deep/er/b2.py");
    rmSync(join(root, "other"), { recursive: true });
    expect(search()).toEqual(["a.py", "deep/er/b.py", "deep/er/b2.py"]);
    expect(search()).toEqual(["a.py", "deep/er/b.py", "deep/er/b2.py"]);
  });

  test("does not trust a folder that changed a moment ago", () => {
    make("a.py");
    vi.setSystemTime(changeTime(root) + 100);
    searchNow();
    forge("a.py", "remembered.py");
    expect(search()).toEqual(["a.py"]);
  });

  test("notices a folder in the place of another", () => {
    make("x/a.py");
    make("y/b.py");
    search();
    renameSync(join(root, "x"), join(root, "z"));
    renameSync(join(root, "y"), join(root, "x"));
    expect(search()).toEqual(["x/b.py", "z/a.py"]);
  });

  test("forgets everything when an ignore file changes, and what is below a new one", () => {
    make("sub/.gitignore", "x.py\n");
    make("sub/deep/x.py");
    make("sub/deep/y.py");
    make("z/deep/x.py");
    expect(search()).toEqual(["sub/deep/y.py", "z/deep/x.py"]);
    forge("y.py", "remembered.py");
    expect(search()).toEqual(["sub/deep/remembered.py", "z/deep/x.py"]);
    make("sub/.gitignore", "y.py\n");
    expect(search()).toEqual(["sub/deep/x.py", "z/deep/x.py"]);
    make("z/.gitignore", "deep\n");
    expect(search()).toEqual(["sub/deep/x.py"]);
    rmSync(join(root, "z/.gitignore"));
    rmSync(join(root, "sub/.gitignore"));
    expect(search()).toEqual(["sub/deep/x.py", "sub/deep/y.py", "z/deep/x.py"]);
  });

  test("looks after the root's ignore file when it starts below", () => {
    make("sub/a.py");
    const below = join(root, "sub");
    expect(search({}, below)).toEqual(["sub/a.py"]);
    make(".gitignore", "a.py\n");
    expect(search({}, below)).toEqual([]);
    make(".gitignore", "b.py\n");
    expect(search({}, below)).toEqual(["sub/a.py"]);
  });

  test("asks anew where links lead", () => {
    make("a.py");
    make("sub/b.py");
    symlinkSync("../a.py", join(root, "sub/link.py"));
    expect(search()).toEqual(["a.py", "sub/b.py", "sub/link.py"]);
    rmSync(join(root, "a.py"));
    mkdirSync(join(root, "a.py"));
    expect(search()).toEqual(["sub/b.py"]);
  });

  test("keeps apart what other options find", () => {
    make("a.py");
    make("b.pyi");
    expect(search()).toEqual(["a.py", "b.pyi"]);
    expect(search({ include: "\\.py$" })).toEqual(["a.py"]);
    expect(search({ "extend-exclude": "a\\.py" })).toEqual(["b.pyi"]);
    expect(search()).toEqual(["a.py", "b.pyi"]);
  });

  test("does without when it is damaged or cannot be written", () => {
    make("a.py");
    search();
    for (const name of readdirSync(join(base, "cache"))) writeFileSync(join(base, "cache", name), '["');
    expect(search()).toEqual(["a.py"]);
    rmSync(join(base, "cache"), { recursive: true });
    writeFileSync(join(base, "cache"), "");
    expect(search()).toEqual(["a.py"]);
    expect(existsSync(join(base, "cache/x"))).toBe(false);
  });
});

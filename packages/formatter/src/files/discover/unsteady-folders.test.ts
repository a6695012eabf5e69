import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resolveSettings } from "../../mode/config/resolve-settings.ts";
import { Stored } from "../cache/stored.ts";
import { findSources } from "./find-sources.ts";
import { FolderMemory } from "./folder-memory.ts";

vi.mock("./steady-file-systems.ts", () => ({ hasSteadyTimes: () => false }));

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
});
afterEach(() => rmSync(base, { recursive: true }));

function search(): string[] {
  const found: string[] = [];
  const [memory] = findSources(
    resolveSettings(new Map(), [base], undefined),
    base,
    {
      found: ({ path }) => void found.push(path.slice(base.length + 1)),
      ignored: () => undefined,
      note: () => undefined,
    },
    (folder, rules) => new FolderMemory(folder, new Stored(join(base, ".venv/cache"), "folders", rules)),
  );
  memory?.save();
  return found;
}

test("where folders do not tell when they change they are read", () => {
  writeFileSync(join(base, "a.py"), "1");
  writeFileSync(join(base, ".gitignore"), "c.py\n");
  expect(search()).toEqual(["a.py"]);
  writeFileSync(join(base, "b.py"), "2");
  writeFileSync(join(base, "c.py"), "3");
  expect(search()).toEqual(["a.py", "b.py"]);
  writeFileSync(join(base, ".gitignore"), "a.py\n");
  expect(search()).toEqual(["b.py", "c.py"]);
  expect(existsSync(join(base, ".venv/cache"))).toBe(false);
});

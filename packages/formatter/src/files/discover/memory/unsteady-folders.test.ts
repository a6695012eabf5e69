import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { resolveSettings } from "../../../mode/config/resolve-settings.ts";
import type { Outcome } from "../../cache/file-record.ts";
import { Stored } from "../../cache/stored.ts";
import { findSources } from "../find-sources.ts";
import { FolderMemory } from "./folder-memory.ts";

vi.mock("./steady-file-systems.ts", () => ({ hasSteadyTimes: () => false }));

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
});
afterEach(() => rmSync(base, { recursive: true }));

/** Searches the folder and tells the memory that all files are well formatted; returns what was known of each. */
function search(): Record<string, Outcome | undefined> {
  const known: Record<string, Outcome | undefined> = {};
  const [memory] = findSources(
    resolveSettings(new Map(), [base], undefined),
    base,
    {
      found: ({ path, known: outcome }) => {
        known[path.slice(base.length + 1)] = outcome;
      },
      ignored: () => undefined,
      note: () => undefined,
    },
    (folder, rules) => new FolderMemory(folder, new Stored(join(base, ".venv/cache"), "folders", rules)),
  );
  for (const path of Object.keys(known)) memory?.add(join(base, path), statSync(join(base, path)));
  memory?.save();
  return known;
}

test("where folders do not tell when they change they are read, and files are known all the same", () => {
  writeFileSync(join(base, "a.py"), "1");
  writeFileSync(join(base, ".gitignore"), "c.py\n");
  expect(search()).toEqual({ "a.py": undefined });
  writeFileSync(join(base, "b.py"), "2");
  writeFileSync(join(base, "c.py"), "3");
  expect(search()).toEqual({ "a.py": "formatted", "b.py": undefined });
  writeFileSync(join(base, ".gitignore"), "a.py\n");
  writeFileSync(join(base, "b.py"), "longer");
  expect(search()).toEqual({ "b.py": undefined, "c.py": undefined });
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type TreeChange, treeChange } from "./properties/tree-change.ts";
import { runInProcess } from "./run-in-process.ts";

/** `JETBLACK_FUZZ_RUNS` makes the search as long as one likes. */
const numRuns = Number(process.env.JETBLACK_FUZZ_RUNS ?? 30);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubEnv("GITHUB_OUTPUT", undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Source arguments, each for some runs: they share what is remembered of folders. */
const sources = fc.constantFrom(["tree"], ["tree"], ["tree", "other"], ["other/y.py"], ["tree/x.py", "tree"]);

test("a run with a cache says what one without says, whatever was done and run before", {
  timeout: 600_000,
}, async () => {
  const steps = fc.array(fc.tuple(fc.array(treeChange, { maxLength: 3 }), sources), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
      vi.stubEnv("XDG_CONFIG_HOME", join(base, "home"));
      try {
        prepare(base);
        for (const [changes, given] of taken) await compare(base, changes, given);
      } finally {
        rmSync(base, { recursive: true });
      }
    }),
    { numRuns },
  );
});

function prepare(base: string): void {
  for (const folder of ["tree", "other"]) mkdirSync(join(base, folder));
  writeFileSync(join(base, "tree/x.py"), "x = 1\n");
  writeFileSync(join(base, "other/y.py"), "y  = 1\n");
}

async function compare(
  base: string,
  changes: readonly TreeChange[],
  given: readonly string[],
): Promise<void> {
  for (const { apply } of changes) apply(base);
  const paths = given.map((path) => join(base, path));
  // New things are found, then known.
  for (const without of ["", "", "folder-memory"]) {
    // Changes have to be old enough to be trusted.
    vi.setSystemTime(Date.now() + 60_000);
    vi.stubEnv("JETBLACK_WITHOUT", without);
    const expected = await runInProcess(["--check", "--no-cache", ...paths]);
    expect(await runInProcess(["--check", "--cache-dir", join(base, "cache"), ...paths])).toEqual(expected);
  }
}

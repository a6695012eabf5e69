import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { formatSource } from "../format/format-source.ts";
import { defaultMode } from "../mode/mode.ts";
import { checkOutput } from "./check-output.ts";

/** For the evidence that a refusal writes. */
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("an output that goes back and forth from pass to pass is refused", () => {
  const source = "class A: ()\n# fmt: skip\n";
  const output = formatSource(source, defaultMode);
  expect(formatSource(output, defaultMode)).toBe(output);
  expect(() => checkOutput(source, output, defaultMode, true)).toThrow(
    "made something else of its own output",
  );
});

test("an output that stays as it is passes", () => {
  const source = "class A: ()\n";
  expect(() => checkOutput(source, formatSource(source, defaultMode), defaultMode, true)).not.toThrow();
});

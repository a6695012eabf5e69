import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourcesId } from "./build-id.ts";

test("any change of the sources makes another build, a change of their tests does not", () => {
  const folder = mkdtempSync(join(tmpdir(), "jetblack-"));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "below"));
  write("a.ts", "1");
  write("below/b.ts", "2");
  const first = sourcesId(folder);
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  write("a.test.ts", "3");
  write("notes.md", "4");
  expect(sourcesId(folder)).toBe(first);
  const changed = [
    () => write("below/b.ts", "3"),
    () => renameSync(join(folder, "below/b.ts"), join(folder, "c.ts")),
    () => write("a.ts", "3"),
    () => write("c.ts", "1"),
  ].map((change) => {
    change();
    return sourcesId(folder);
  });
  expect(new Set([first, ...changed]).size).toBe(5);
  rmSync(folder, { recursive: true });
});

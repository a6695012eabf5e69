import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const workspace = resolve(import.meta.dirname, "..");

/** Milliseconds; as long as `expect.poll` waits by itself, far more than anything takes. */
const PATIENCE = 120_000;

/** How long a poll is to wait, behind it, and a wait that ends after a second unless it is told otherwise. */
const WAITS =
  /\{ timeout: (?<given>\d[\d_]*) \},?\s*\)\s*\.|\bvi\.wait(?:For|Until)\((?!.*\btimeout: \d{3}_\d{3}\b)/g;

it.each([
  ["await expect.poll(look, { timeout: 20_000 }).toBe(1);", 1],
  ["await expect.poll(look, { timeout: 120_000 }).toBe(1);", 0],
  ["await expect.poll(look).toBe(1);", 0],
  ["await vi.waitFor(() => seen);", 1],
  ["await vi.waitUntil(() => seen, { timeout: 120_000 });", 0],
])("finds what gives up early in %s", (text, count) => {
  expect(hasty(text)).toHaveLength(count);
});

it("no test gives up early, which a crowded machine would take for a fault", () => {
  const files = globSync(["packages/*/{src,test}/**/*.test.ts", "tools/*.test.ts"], { cwd: workspace });
  const others = files.filter((file) => resolve(workspace, file) !== import.meta.filename);
  expect(others.length).toBeGreaterThan(100);
  const found = others.flatMap((file) =>
    hasty(readFileSync(resolve(workspace, file), "utf8")).map((wait) => `${file}: ${wait}`),
  );
  expect(found).toEqual([]);
});

function hasty(text: string): string[] {
  return [...text.matchAll(WAITS)]
    .filter(({ groups }) => !(Number(groups?.given?.replaceAll("_", "")) >= PATIENCE))
    .map(([wait]) => wait);
}

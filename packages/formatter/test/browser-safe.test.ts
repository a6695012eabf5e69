import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";

const entry = resolve(import.meta.dirname, "../src/index.ts");

/** All specifiers that files reachable from the library's entry point import, with the importing file. */
function reachableImports(): { from: string; specifier: string }[] {
  const found: { from: string; specifier: string }[] = [];
  const pending = [entry];
  const seen = new Set(pending);
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const match of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^;]*?from\s+"([^"]+)"/gm)) {
      const specifier = match[1]!;
      found.push({ from: file, specifier });
      const target = resolve(dirname(file), specifier);
      if (!specifier.startsWith(".") || seen.has(target)) continue;
      seen.add(target);
      pending.push(target);
    }
  }
  return found;
}

it("the library imports its own files alone, so that it runs in a browser", () => {
  const imports = reachableImports();
  expect(imports.length).toBeGreaterThan(100);
  expect(imports.filter(({ specifier }) => !specifier.startsWith("."))).toEqual([]);
});

it("the library uses no global of Node", () => {
  const files = new Set(reachableImports().map(({ from }) => from));
  const offenders = [...files].filter((file) =>
    /\b(?:process|Buffer|require|__dirname|globalThis)\s*[.(]/.test(readFileSync(file, "utf8")),
  );
  expect(offenders).toEqual([]);
});

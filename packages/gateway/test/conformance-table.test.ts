import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/gateway/conformance.md"), "utf8");
const rows = [...page.matchAll(/^\|[^|]+\| `([^`]+\.test\.ts)` \| (.+) \|$/gm)].map(
  ([, file, name]) => [file!, name!] as const,
);

describe("the conformance table", () => {
  it("names tests", () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)("%s has: %s", (file, name) => {
    const source = readFileSync(resolve(import.meta.dirname, "..", file), "utf8");
    expect(source).toContain(`"${name}"`);
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "./version.ts";

it("is the version of package.json", () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  expect(JSON.parse(manifest).version).toBe(VERSION);
});

import { expect, it } from "vitest";
import { randomText } from "./random-text.ts";

it("makes texts of the length asked for, and none that shares bytes with another", () => {
  const texts = Array.from({ length: 2000 }, (_, index) => randomText(index % 2 === 0 ? 24 : 16, "hex"));
  expect(texts.every((text, index) => text.length === (index % 2 === 0 ? 48 : 32))).toBe(true);
  const parts = texts.flatMap((text) => text.match(/.{16}/g)!);
  expect(new Set(parts).size).toBe(parts.length);
  expect(randomText(24, "base64url")).toMatch(/^[\w-]{32}$/);
});

import { expect, it } from "vitest";
import { storableText } from "./storable-text.ts";

it.each([
  ["", ""],
  ["plain", "plain"],
  ["a\0b\0", "a\ufffdb\ufffd"],
  ["\ud83d\ude42", "\ud83d\ude42"],
  ["\ud83d", "\ufffd"],
  ["\ude42\0x", "\ufffd\ufffdx"],
])("Both databases keep %j as %j", (text, kept) => {
  expect(storableText(text)).toBe(kept);
  expect(storableText(kept)).toBe(kept);
});

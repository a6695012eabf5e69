import { expect, it } from "vitest";
import type { JsonObject } from "../../contract/json.ts";
import { patternGuard } from "./pattern-guard.ts";

const rule = (pattern: RegExp, action: "mask" | "refuse" = "mask") => [
  { name: "word", pattern, action, replacement: "***" },
];
const guarded = (text: string, pattern = /Müller|https:\/\/inside\/|SECRET/gu): string =>
  (patternGuard(rule(pattern)).guardData!({ arguments: text } as JsonObject) as { arguments: string })
    .arguments;

/** The same JSON as Python, PHP and somebody who hides something write it, and each of them in a text of another JSON. */
const written = [
  '{"a":"M\\u00fcller"}',
  '{"a":"M\\u00FCller"}',
  '["https:\\/\\/inside\\/x"]',
  '{"S\\u0045CRET":1}',
];

it.each(
  written.flatMap((text) => [text, JSON.stringify({ b: text }), JSON.stringify([JSON.stringify(text)])]),
)("The guard reads %s as its readers do", (text) => {
  const masked = guarded(text);
  expect(masked).toContain("***");
  expect(() => JSON.parse(masked)).not.toThrow();
  expect(() => patternGuard(rule(/Müller|inside|SECRET/gu, "refuse")).guardData!({ a: text })).toThrow(
    "rule",
  );
});

it.each(['{"a":"\\u0022,\\u005c\\u000a SECRET"}', "C:\\users\\SECRET", '{"a":"\\\\SECRET"}'])(
  "What the guard masks in %s leaves its other escapes",
  (text) => {
    expect(guarded(text)).toBe(text.replace("SECRET", "***"));
  },
);

it.each(["M\\u00fcnchen", "\\u", "\\", "\\ud83d\\ude00"])(
  "What no rule finds stays as it is written: %s",
  (text) => {
    expect(guarded(text)).toBe(text);
  },
);

it.each([
  "SE\u00adCRET",
  "S\u200bE\u200cC\u200dR\u2060E\ufeffT",
  "\u202eSECRET\u202c",
  "Mu\u0308ller",
  '{"a":"SE\\u00adCRET","b":"Mu\\u0308ller"}',
])("The guard finds what people see in %j", (text) => {
  for (const each of [text, JSON.stringify({ b: text })]) {
    const masked = guarded(each);
    expect(masked).toContain("***");
    expect(masked.normalize("NFC")).not.toMatch(/SECRET|CRET|ller/u);
  }
  expect(() => patternGuard(rule(/Müller|SECRET/gu, "refuse")).guardData!({ a: text })).toThrow("rule");
});

it.each(["Mu\u0308nchen", "\u{1f468}\u200d\u{1f469}", "a\u0301\u0327".repeat(3), "\u0e01\u0e33"])(
  "What no rule finds keeps what nobody sees: %j",
  (text) => {
    expect(guarded(text)).toBe(text);
  },
);

it("A text of marks takes time in proportion to its length", () => {
  const text = `a${"\u0301\u0327".repeat(1_000_000)}`;
  expect(guarded(text)).toBe(text);
});

it("A text of backslashes takes time in proportion to its length", () => {
  const text = "\\".repeat(2_000_000);
  expect(guarded(text)).toBe(text);
});

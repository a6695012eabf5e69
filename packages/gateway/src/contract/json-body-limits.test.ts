import { describe, expect, it } from "vitest";
import { checkJsonLimits, readPassingBody } from "./json-body.ts";

const repeated = (part: string, times: number) => `{"a":[${Array(times).fill(part).join(",")}]}`;
const refusal = (text: string): string | undefined => {
  try {
    checkJsonLimits(Buffer.from(text), text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe("checkJsonLimits", () => {
  it.each([
    ["one long string", `{"a":"${"x".repeat(3_000_000)}"}`],
    ["marks within strings", repeated(JSON.stringify('{[":,\\'.repeat(20)), 3000)],
    ["300,000 tokens", repeated("12345", 300_000)],
    ["strings of all lengths around the search's step", repeated(`"${"y".repeat(64)}\\""`, 20_000)],
    ["90,000 objects", repeated("{}", 90_000)],
  ])("takes %s", (_, text) => expect(refusal(text)).toBeUndefined());

  it.each([
    ["objects", repeated("{}", 120_000), "objects, lists and members"],
    ["lists", repeated("[]", 120_000), "objects, lists and members"],
    ["members", `{${Array.from({ length: 120_000 }, (_, i) => `"${i}":1`).join(",")}}`, "members"],
    ["numbers", repeated("1", 600_000), "values"],
    ["strings", repeated('""', 600_000), "values"],
    ["escapes", `{"a":"${"\\n".repeat(2_100_000)}"}`, "escaped characters"],
    [
      "far escapes",
      `{"a":"${`${"x".repeat(80)}\\"`.repeat(30_000)}","b":[${"{},".repeat(120_000)}1]}`,
      "objects",
    ],
    ["levels", `${"[".repeat(220_000)}`, "nested deeper"],
  ])("refuses too many %s", (_, text, words) => expect(refusal(text)).toContain(words));

  it.each(["short", "long"])("lets no %s body pass in which a name stands twice", (length) => {
    const more = length === "long" ? "x".repeat(200_000) : "x";
    const passes = (text: string): boolean => readPassingBody(Buffer.from(text)).raw !== undefined;
    expect(passes(`{"a":1,"b":{"a":": \\"a\\":"},"more":"${more}"}`)).toBe(true);
    expect(passes(`{"a":1,"b":{"c":1,"c":2},"more":"${more}"}`)).toBe(false);
    expect(passes(`{"a":1,"\\u0061":2,"more":"${more}"}`)).toBe(false);
    expect(passes(`{"__proto__":{},"more":"${more}"}`)).toBe(false);
  });
});

import { expect, it } from "vitest";
import { codesOf, NON_ASCII_CODE } from "./source-codes.ts";

it.each([
  "",
  "x = 1\n",
  "é",
  "a é ü\u0080\u07ff\u0800 b",
  "日本語 = 'x'\n",
  "😴 a 😀😀",
  "\ud83d alone \ude00, and reversed \ude00\ud83d",
  "日".repeat(50_000),
  "😴".repeat(50_000),
  "é\n".repeat(200_000),
  "short again é",
])("has one code for each unit (%#)", (source) => {
  const codes = codesOf(source);
  const expected = Array.from({ length: source.length }, (_, at) =>
    source.charCodeAt(at) < 128 ? source.charCodeAt(at) : NON_ASCII_CODE,
  );
  expect(Buffer.from(codes.subarray(0, source.length)).equals(Buffer.from(expected))).toBe(true);
  expect([...codes.subarray(source.length, source.length + 4)]).toEqual([0, 0, 0, 0]);
});

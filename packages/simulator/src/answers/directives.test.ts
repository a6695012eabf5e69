import { expect, test } from "vitest";
import { readDirectives } from "./directives.ts";

test("notes are taken out of the text and read", () => {
  const read = readDirectives("weather [[sim:parallel]] in [[sim:fault status=429;retry-after=2]] Rome?");
  expect(read.text).toBe("weather  in  Rome?");
  expect(read.flags).toEqual(new Set(["parallel"]));
  expect(read.behaviour.fault).toEqual({ kind: "status", status: 429, retryAfter: 2 });
});

test("a tool's arguments may hold the closing brackets", () => {
  const { calls, text } = readDirectives('[[sim:tool put {"rows":[[1],[2]]}]] now');
  expect(calls).toEqual([{ name: "put", input: { rows: [[1], [2]] } }]);
  expect(text).toBe("now");
});

test("text that only looks like a note stays", () => {
  expect(readDirectives("see [[sim:think").text).toBe("see [[sim:think");
  expect(readDirectives("[[simple]]").flags.size).toBe(0);
});

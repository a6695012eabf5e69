import { expect, test } from "vitest";
import { closeMatches } from "./close-matches.ts";
import { matchingBlocks } from "./sequence-matcher.ts";
import { unifiedDiff } from "./unified-diff.ts";

test("equal texts have no diff", () => {
  expect(unifiedDiff("a\n", "a\n", "x", "y")).toBe("");
});

test("a hunk names its lines and marks a missing last line end", () => {
  expect(unifiedDiff("x = 'a'", 'x = "a"\n', "a.py\tthen", "a.py\tnow")).toBe(
    `--- a.py\tthen\n+++ a.py\tnow\n@@ -1 +1 @@\n-x = 'a'\n\\ No newline at end of file\n+x = "a"\n`,
  );
});

test("insertion into an empty text starts at line 0", () => {
  expect(unifiedDiff("", "a\nb\n", "x", "y")).toBe("--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n");
});

test("changes more than two contexts apart get hunks of their own", () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}\n`);
  const changed = lines.with(2, "second\n").with(25, "late\n");
  const diff = unifiedDiff(lines.join(""), changed.join(""), "x", "y");
  expect(diff.match(/^@@.*@@$/gm)).toEqual(["@@ -1,8 +1,8 @@", "@@ -21,10 +21,10 @@"]);
});

test("form feeds and other Unicode line ends do not split lines", () => {
  expect(unifiedDiff("a\fb\u2028c\n", "a\n", "x", "y")).toContain("-a\fb\u2028c\n");
});

test("an element that fills over one percent of a long sequence starts no match", () => {
  const b = Array.from({ length: 300 }, (_, i) => (i % 2 === 1 ? "common" : `own ${i}`));
  expect(matchingBlocks(["common"], b)).toEqual([{ a: 1, b: 300, size: 0 }]);
  expect(matchingBlocks(["own 4", "common"], b)[0]).toEqual({ a: 0, b: 4, size: 2 });
});

test("close matches come best first, at most three", () => {
  expect(closeMatches("--exlude", ["--exclude", "--include", "--force-exclude", "--code"])).toEqual([
    "--exclude",
    "--include",
    "--force-exclude",
  ]);
});

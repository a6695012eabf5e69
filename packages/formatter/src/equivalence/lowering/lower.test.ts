import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkEquivalence } from "../check-equivalence.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "jetblack-test-"));
  vi.stubEnv("TMPDIR", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** CPython's `ast` makes the same tree of both. */
const same: readonly (readonly [string, string])[] = [
  ["x = {(a := 1)}", "x = {a := 1}"],
  ["x = {(a := 1), b}", "x = {a := 1, b}"],
  ["x = {(a := (b := 1)) for c in d}", "x = {a := (b := 1) for c in d}"],
  ["x = [(a := 1)]", "x = [a := 1]"],
  ["x[(a := 1)]", "x[a := 1]"],
  ["x[(a := 1), b]", "x[a := 1, b]"],
  ["f((a := 1))", "f(a := 1)"],
  ["f((a := 1), b)", "f(a := 1, b)"],
  ["f((a := b for c in d))", "f(a := b for c in d)"],
  ["x[*a]", "x[*a,]"],
  ["match x:\n    case A((b as c)): pass", "match x:\n    case A(b as c): pass"],
  ["match x:\n    case A(b, (c as d)): pass", "match x:\n    case A(b, c as d): pass"],
];

const different: readonly (readonly [string, string])[] = [
  ["x = {(a := 1)}", "x = {a, 1}"],
  ["x = {(a := (1, b))}", "x = {(a := 1), b}"],
  ["f((a := 1))", "f(a=1)"],
  ["f((a := b for c in d))", "f((a := b), (b for c in d))"],
  ["f(((a := b) for c in d))", "f((a := (b for c in d)))"],
  ["x[(a := 1)]", "x[(a := 1),]"],
  ["x[*a]", "x[a]"],
  ["match x:\n    case A((b as c)): pass", "match x:\n    case A(b, c): pass"],
];

describe("what the safety check compares", () => {
  test.each(same)("%j means the same as %j", (one, other) => {
    expect(() => checkEquivalence(`${one}\n`, `${other}\n`, [])).not.toThrow();
    expect(() => checkEquivalence(`${other}\n`, `${one}\n`, [])).not.toThrow();
  });

  test.each(different)("%j means something else than %j", (one, other) => {
    expect(() => checkEquivalence(`${one}\n`, `${other}\n`, [])).toThrow("not equivalent");
    expect(() => checkEquivalence(`${other}\n`, `${one}\n`, [])).toThrow("not equivalent");
  });
});

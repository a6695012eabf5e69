import { describe, expect, it } from "vitest";
import { Kind } from "../syntax/kinds.ts";
import { Tree } from "../syntax/tree.ts";
import { stringTrailerEnd } from "./string-trailer.ts";

const kinds: Readonly<Record<string, number>> = {
  "(": Kind.LPAR,
  ")": Kind.RPAR,
  "": Kind.LPAR,
  ".": Kind.DOT,
  "%": Kind.PERCENT,
  "+": Kind.PLUS,
  s: Kind.STRING,
};

function trailerEnd(...tokens: string[]): number {
  const tree = new Tree("", 16);
  const leaves = tokens.map((text) => tree.makeLeaf(kinds[text] ?? Kind.NAME, text));
  return stringTrailerEnd(tree, leaves, 0);
}

describe("a string's trailer", () => {
  it("is nothing, an attribute, a call, a value or values in parentheses", () => {
    expect(trailerEnd("s", "+", "x")).toBe(1);
    expect(trailerEnd("s", ".", "x", "+")).toBe(3);
    expect(trailerEnd("s", ".", "format", "(", "(", "x", ")", ")", "+")).toBe(8);
    expect(trailerEnd("s", "%", "x", "+")).toBe(3);
    expect(trailerEnd("s", "%", "(", "x", ")", "+")).toBe(5);
  });

  it("does not end at an unprinted parenthesis", () => {
    expect(trailerEnd("s", "", "%", "x", "+")).toBe(4);
  });
});

import { expect, test } from "vitest";
import { countTokens, textOfTokens, tokenPieces } from "./tokens.ts";

test("pieces join to the text and never cut a character in two", () => {
  const text = "abc🎉def🎉🎉 ende";
  const pieces = tokenPieces(text);
  expect(pieces.join("")).toBe(text);
  for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
});

test("a text of so many tokens counts as so many", () => {
  for (const tokens of [0, 1, 7, 200]) expect(countTokens(textOfTokens(tokens))).toBe(tokens);
});

import { describe, expect, it } from "vitest";
import { DigestTable } from "./digest-table.ts";

describe("DigestTable", () => {
  it("tells digests apart that begin alike", () => {
    const digests = ["00", "7f", "80", "ff"].flatMap((head) => [
      `${head.repeat(4)}${"00".repeat(28)}`,
      `${head.repeat(4)}${"00".repeat(27)}01`,
      `${head.repeat(4)}${"ff".repeat(28)}`,
    ]);
    const table = DigestTable.of(digests);
    expect(digests.map((digest) => table.indexOf(digest))).toEqual(digests.map((_, index) => index));
    for (const head of ["00", "01", "7f", "80", "fe", "ff"])
      expect(table.indexOf(`${head.repeat(4)}${"00".repeat(26)}0100`)).toBe(-1);
  });

  it("is empty without digests", () => {
    expect(DigestTable.of([]).indexOf("00".repeat(32))).toBe(-1);
  });
});

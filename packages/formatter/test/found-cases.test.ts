import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { ProductFiles } from "../conformance/differential/format-file.ts";
import type { FoundCase } from "../conformance/differential/found-case.ts";
import { isSamePlace, isSameRefusal, type Refusal } from "../conformance/refusal.ts";

/**
 * Cases in which this formatter once differed from Black: found and reduced by `npm run differential`, kept with the
 * answer of Black. Adding one: copy the file that the command wrote.
 */
const folder = new URL("found/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
const product = new ProductFiles();

/** The interpreter's sentences are ours (docs/formatter/deviations.md); its places are not. */
function isAlike(black: Refusal, ours: Refusal): boolean {
  const isInterpreter = black.kind === "source" || black.kind === "output";
  return isInterpreter ? isSamePlace(black, ours) : isSameRefusal(black, ours);
}

afterAll(() => product.close());

describe("Cases that once differed from Black", () => {
  test.each(names)("%s", (name) => {
    const found: FoundCase = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    const ours = product.format(found.case);
    if ("refusal" in found.black && "refusal" in ours && isAlike(found.black.refusal, ours.refusal)) return;
    expect(ours).toEqual(found.black);
  });
});

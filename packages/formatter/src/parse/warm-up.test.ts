import { expect, test } from "vitest";
import { Kind, kindNames } from "../syntax/kinds.ts";
import { parse } from "./parse.ts";
import { warmUpParser, warmUpSource } from "./warm-up.ts";

test("the warm-up snippet is valid and reaches nearly every rule of the grammar", () => {
  warmUpParser();
  const { tree } = parse(warmUpSource, []);
  const seen = new Set(tree.kind.subarray(0, tree.count));
  const missing = kindNames.filter((_, kind) => kind >= Kind.file_input && !seen.has(kind));
  expect(missing.length).toBeLessThan(25);
});

import { expect, test } from "vitest";
import { kindName } from "./kind-names.ts";
import { Kind } from "./kinds.ts";

test("each kind has its name, and nothing else has one", () => {
  const named = Object.values(Kind).map((kind) => [kindName(kind), kind]);
  expect(named).toEqual(Object.entries(Kind));
  expect(kindName(named.length)).toBeUndefined();
});

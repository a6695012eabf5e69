import { expect, it } from "vitest";
import { nameHint, nearestName } from "./nearest-name.ts";

it("names what a misspelt name may mean", () => {
  expect(nearestName("num_retrys", ["num_retries", "timeout"])).toBe("num_retries");
  expect(nearestName("anything", ["num_retries", "timeout"])).toBeUndefined();
  expect(nameHint("modle", ["model"], "expected model")).toBe("; did you mean model?");
  expect(nameHint("x", ["model"], "expected model")).toBe("; expected model");
  expect(nameHint("x", ["model"])).toBe("");
});

it("compares no name that a caller makes long", () => {
  const known = "n".repeat(65);
  expect(nearestName(known, [known])).toBeUndefined();
});

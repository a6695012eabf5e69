import { expect, it } from "vitest";
import { allFeatures, checkWithout, withDependents } from "./features/without-feature.ts";

// Some; `npm run check:features -w portico` takes out each.
it.each(["files", "chat", "tags", "openapi"])(
  "the gateway without %s, and what stands on it, builds and starts",
  async (name) => {
    await checkWithout(name);
  },
);

it("takes along what stands on a feature", () => {
  expect(withDependents("files").toSorted()).toEqual([
    "batches",
    "containers",
    "files",
    "spend-export",
    "videos",
  ]);
  expect(withDependents("conversations")).toEqual(["conversations", "responses"]);
  expect(allFeatures).toContain("agents");
});

import { describe, expect, it } from "vitest";
import { flatFields, nestedFields } from "./nested-fields.ts";

describe("Fields of a form", () => {
  it("become members, and those with brackets members of members", () => {
    const fields = [
      ["prompt", "a cat"],
      ["input_reference[file_id]", "file-1"],
      ["input_reference[type]", "file"],
    ] as const;
    const nested = nestedFields(fields);
    expect(nested).toEqual({ prompt: "a cat", input_reference: { file_id: "file-1", type: "file" } });
    expect(flatFields(nested)).toEqual(fields);
  });

  it("may be called __proto__ and stay fields", () => {
    const nested = nestedFields([["__proto__[model]", "x"]]);
    expect(Object.keys(nested)).toEqual(["__proto__"]);
    expect(nested.model).toBeUndefined();
  });
});

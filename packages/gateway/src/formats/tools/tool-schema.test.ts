import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../contract/json.ts";
import { objectSchema } from "./tool-schema.ts";

const text = { type: "string" };
const number = { type: "number" };

describe("objectSchema", () => {
  it("leaves a schema alone that has nothing to flatten", () => {
    for (const schema of [{}, { type: "object", properties: { a: { anyOf: [text, number] } } }])
      expect(objectSchema(schema)).toBe(schema);
  });

  it.each(["oneOf", "anyOf"])("puts the members of alternatives together: %s", (word) => {
    const schema = {
      description: "Reads",
      [word]: [
        { type: "object", properties: { kind: { const: "file" }, path: text }, required: ["kind", "path"] },
        { type: "object", properties: { kind: { const: "page" }, url: text }, required: ["kind"] },
        { type: "null" },
      ],
    };
    expect(objectSchema(schema)).toEqual({
      description: "Reads",
      type: "object",
      properties: { kind: { anyOf: [{ const: "file" }, { const: "page" }] }, path: text, url: text },
      required: ["kind"],
    });
  });

  it("takes what all parts of allOf want, behind references too", () => {
    const schema = {
      type: "object",
      properties: { a: text },
      required: ["a"],
      allOf: [{ $ref: "#/$defs/one~1more" }, { properties: { a: number, c: number } }],
      $defs: { "one/more": { properties: { b: text }, required: ["b"] } },
    };
    expect(objectSchema(schema)).toEqual({
      type: "object",
      properties: { a: text, b: text, c: number },
      required: ["a", "b"],
      $defs: schema.$defs,
    });
    const { properties, required, ...referring } = { ...schema, allOf: undefined, $ref: "#/$defs/one~1more" };
    expect(objectSchema(referring)).toMatchObject({
      type: "object",
      properties: { b: text },
      required: ["b"],
    });
  });

  it("drops conditions that have no members", () => {
    const one = {
      type: "object",
      properties: { a: text, b: text },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
      not: { required: ["c"] },
      additionalProperties: false,
    };
    const { anyOf, not, ...rest } = one;
    expect(objectSchema(one)).toEqual(rest);
    expect(objectSchema({ enum: [{ a: 1 }] })).toEqual({ type: "object", properties: {} });
  });

  it("takes no further members where no alternative does", () => {
    const closed = (name: string) => ({ properties: { [name]: text }, additionalProperties: false });
    expect(objectSchema({ oneOf: [closed("a"), closed("b")] }).additionalProperties).toBe(false);
    expect(objectSchema({ oneOf: [closed("a"), {}] })).not.toHaveProperty("additionalProperties");
  });

  it("ends with schemas that lead back to themselves, or are huge", () => {
    const root = { anyOf: [{ $ref: "#" }, { properties: { a: text } }] };
    expect(objectSchema(root)).toEqual({ type: "object", properties: { a: text } });
    let wide: JsonObject = { properties: { a: text } };
    for (let level = 0; level < 60; level++) wide = { allOf: [wide, wide], oneOf: [wide, wide] };
    expect(objectSchema(wide)).toMatchObject({ type: "object" });
    const missing = { $ref: "#/$defs/missing" };
    expect(objectSchema(missing)).toEqual({ type: "object", properties: {} });
  });
});

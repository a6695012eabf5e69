import fc from "fast-check";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../contract/json.ts";
import { fitSchema } from "./fit-schema.ts";
import { geminiProvider } from "./gemini-provider.ts";

let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
});
afterAll(() => simulator.close());

/** Whether Gemini takes a schema, by the simulator's word: it refuses what Google's `Schema` has no field for. */
async function takes(schema: JsonObject): Promise<void> {
  const deployment = { apiBase: `${simulator.url}/google`, apiKey: "any", params: {}, info: {} };
  const model = geminiProvider.languageModel(deployment as never, "gemini-2.5-flash", fetch);
  const text = "hello [[sim:say hi]]";
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text }] }];
  const tools = [{ type: "function" as const, name: "f", inputSchema: schema }];
  await model.doGenerate({ prompt, tools });
  await model.doGenerate({ prompt, responseFormat: { type: "json", schema } });
}

const at = (schema: JsonObject): JsonObject => ({ type: "object", properties: { a: schema } });
const string = { type: "string" };

describe("A schema for Gemini", () => {
  it.each<[string, JsonObject]>([
    ["oneOf", at({ oneOf: [string, { type: "integer" }] })],
    ["oneOf at the top", { oneOf: [at(string), at({ type: "integer" })] }],
    ["allOf", at({ allOf: [at(string), { type: "object", properties: { b: string }, required: ["b"] }] })],
    ["a list of anything", at({ type: "array" })],
    ["a tuple", at({ type: "array", prefixItems: [string, { type: "integer" }], items: false })],
    ["a reference", { ...at({ $ref: "#/$defs/a~1b" }), $defs: { "a/b": string } }],
    ["a reference to itself", { ...at({ $ref: "#" }) }],
    ["a reference to nothing", at({ $ref: "https://example.com/schema" })],
    ["a format", at({ type: "string", format: "uri" })],
    ["numbers to choose from", at({ type: "integer", enum: [1, 2] })],
    ["texts to choose from", at({ enum: ["x", "y", null] })],
    ["one value", at({ const: 3 })],
    ["a name that is required only", { ...at(string), required: ["a", "z"] }],
    ["true and false", { type: "object", properties: { a: true, b: false } }],
    ["no type", at({ description: "anything" })],
    ["several types", at({ type: ["string", "array", "null"] })],
    [
      "what Google has not",
      at({ type: "object", additionalProperties: false, patternProperties: {}, not: {} }),
    ],
    ["nothing", {}],
  ])("with %s is taken", async (_, schema) => {
    await takes(schema);
  });

  it("keeps what it said where Google can say it", () => {
    expect(fitSchema(at({ oneOf: [string, { type: "integer" }] }))).toEqual(
      at({ anyOf: [string, { type: "integer" }] }),
    );
    const parts = {
      allOf: [
        { ...at(string), required: ["a"] },
        { properties: { b: string }, required: ["b"] },
      ],
    };
    expect(fitSchema(parts)).toEqual({
      type: "object",
      properties: { a: string, b: string },
      required: ["a", "b"],
    });
    const referring = { ...at({ $ref: "#/$defs/S", description: "d" }), $defs: { S: string } };
    expect(fitSchema(referring)).toEqual(at({ ...string, description: "d" }));
    const plain = { ...at({ type: "array", items: string }), required: ["a"], additionalProperties: false };
    expect(fitSchema(plain)).toEqual(plain);
  });

  it("has one object for alternatives at the top of a function's parameters", async () => {
    await takes({
      anyOf: [{ ...at(string), required: ["a"] }, { $ref: "#/$defs/B" }],
      $defs: { B: at(string) },
    });
    const sent = simulator.received().at(-2)?.body as { tools: [{ functionDeclarations: [JsonObject] }] };
    expect(sent.tools[0].functionDeclarations[0].parameters).toEqual(at(string));
  });

  it("ends, however its references double", () => {
    const $defs: JsonObject = {};
    for (let level = 0; level < 30; level += 1)
      $defs[`d${level}`] = {
        type: "object",
        properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } },
      };
    expect(JSON.stringify(fitSchema({ ...at({ $ref: "#/$defs/d0" }), $defs })).length).toBeLessThan(
      2_000_000,
    );
    const parts = { allOf: [{ $ref: "#" }, { $ref: "#" }] };
    expect(fitSchema(parts)).toBeDefined();
  });

  it("is taken whatever it is made of", async () => {
    const schemaOf = (depth: number): fc.Arbitrary<JsonObject> => {
      const inner = depth === 0 ? fc.constant<JsonObject>({ type: "string" }) : schemaOf(depth - 1);
      const members = {
        type: fc.constantFrom(
          "string",
          "integer",
          "object",
          "array",
          ["string", "null"],
          ["integer", "array"],
        ),
        properties: fc.dictionary(fc.constantFrom("a", "b"), inner, { maxKeys: 2 }),
        required: fc.subarray(["a", "b", "z"]),
        items: inner,
        oneOf: fc.array(inner, { maxLength: 2 }),
        allOf: fc.array(inner, { maxLength: 2 }),
        enum: fc.constantFrom(["x"], [1], [null]),
        format: fc.constantFrom("uri", "date-time", "int32"),
        $ref: fc.constantFrom("#", "#/properties/a", "#/nowhere"),
      };
      return fc.record(members, { requiredKeys: [] });
    };
    await fc.assert(fc.asyncProperty(schemaOf(2), takes), { numRuns: 60 });
  });
});

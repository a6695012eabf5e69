import { describe, expect, it } from "vitest";
import { PASSED_REQUEST } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";
import { mapTexts } from "./map-texts.ts";

const mask = (text: string): string => text.replaceAll("SECRET", "***");
const passing = (data: JsonObject): JsonObject => ({ ...data, [PASSED_REQUEST]: { route: "/a", query: {} } });

/** Every place of a JSON document in which a text can stand: names and values, at any depth, below any name. */
function* documents(): Generator<JsonObject> {
  const names = [
    "a",
    "SECRET",
    "id",
    "model",
    "type",
    "role",
    "status",
    "metadata",
    "data",
    "url",
    "file_ids",
    "text",
  ];
  for (const name of names) {
    const values = [
      "SECRET",
      ["SECRET"],
      { SECRET: 1 },
      { [name]: "SECRET" },
      [{ SECRET: ["x", { [name]: "SECRET" }] }],
    ];
    for (const value of values)
      for (const type of ["text", "x"]) yield { type, b: [{ type, [name]: value }], [name]: value };
  }
}

describe("mapTexts", () => {
  it("finds every text of a format that the gateway does not know, names included", () => {
    for (const document of documents()) {
      expect(JSON.stringify(mapTexts(passing(document), mask))).not.toContain("SECRET");
      expect(
        JSON.stringify(mapTexts(passing({ form: [{ name: "SECRET", text: "SECRET" }] }), mask)),
      ).not.toContain("SECRET");
    }
  });

  it("leaves what is its own there by its name, and the very object where nothing is found", () => {
    const request = { form: [{ name: "a", filename: "b" }], text: ["c"] };
    const all = (text: string): string => (text.length > 1 ? "?" : text);
    expect(mapTexts(passing(request), all)).toMatchObject({ ...request, [PASSED_REQUEST]: { route: "?" } });
    const same = passing({ a: [{ b: "c" }] });
    expect(mapTexts(same, mask)).toBe(same);
  });

  it("leaves base64 there, which is no text", () => {
    const picture = { b64_json: "SECRET".repeat(100) };
    expect(mapTexts(passing(picture), mask)).toMatchObject(picture);
  });

  it("finds texts as names in a known protocol, where no protocol has such names", () => {
    for (const name of ["a SECRET", "SECRET@b.c", "4SECRET", "SECRET-1", `${"x".repeat(64)}SECRET`])
      expect(
        JSON.stringify(mapTexts({ bias: { [name]: 1 }, extra_body: [{ [name]: 1 }] }, mask)),
      ).not.toContain("SECRET");
    const query = { query_params: { SECRET: "1", id: "SECRET" } };
    expect(JSON.stringify(mapTexts(query, mask))).not.toContain("SECRET");
  });

  it("leaves names and values of a known protocol", () => {
    const request = { model: "SECRET", messages: [{ role: "SECRET", SECRET: 1 }] };
    expect(mapTexts(request, mask)).toBe(request);
  });
});

import { expect, it } from "vitest";
import { readBatchRow } from "./batch-input.ts";

const row = (body: unknown, more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ custom_id: "a", method: "POST", url: "/v1/responses", body, ...more }));

it("reads a row of a batch", () => {
  expect(readBatchRow(row({ model: "gpt-4o", input: "hello" }), 1)).toEqual({
    customId: "a",
    url: "/v1/responses",
    body: { model: "gpt-4o", input: "hello" },
  });
});

it.each(["stream", "background"])("takes no row that asks for %s, in any spelling", (name) => {
  for (const off of [undefined, null, false]) readBatchRow(row({ [name]: off }), 1);
  for (const on of [true, "true", "false", 1, 0, "", {}, []])
    expect(() => readBatchRow(row({ [name]: on }), 7)).toThrow(/line 7 asks/i);
});

it.each([
  [{ custom_id: undefined }, "has no custom_id"],
  [{ custom_id: "" }, "has no custom_id"],
  [{ custom_id: 1 }, "has no custom_id"],
  [{ custom_id: "x".repeat(513) }, "has a custom_id of more than 512 characters"],
  [{ method: "GET" }, "must have the method POST"],
  [{ url: undefined }, "has no url"],
  [{ url: "https://elsewhere.example/v1/responses" }, "has no url"],
  [{ body: [] }, "has no body"],
  [{ body: undefined }, "has no body"],
  [{ body: { model: 7 } }, "has a model that is not a string"],
])("says what is wrong with a row with %j", (change, problem) => {
  expect(() => readBatchRow(row({}, change), 3)).toThrow(problem);
});

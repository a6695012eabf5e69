import { describe, expect, it } from "vitest";
import { GatewayError } from "./errors.ts";
import { readJsonObject } from "./json-body.ts";

function messageOf(text: string): string {
  try {
    readJsonObject(Buffer.from(text));
  } catch (error) {
    if (error instanceof GatewayError && error.status === 400) return error.message;
    throw error;
  }
  return "accepted";
}

describe("readJsonObject", () => {
  it("refuses what is not a JSON object", () => {
    expect(messageOf("{oops")).toMatch(/^Invalid JSON payload: /);
    expect(messageOf("")).toBe("Invalid JSON payload: the body is empty");
    expect(messageOf("[1]")).toBe("The request body must be a JSON object");
    expect(messageOf("null")).toBe("The request body must be a JSON object");
    expect(messageOf('"text"')).toBe("The request body must be a JSON object");
  });

  it("refuses a body nested so deep that reading it would exhaust the stack", () => {
    expect(messageOf(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toMatch(/nested deeper/);
    expect(messageOf(`{"a":${"[".repeat(100)}${"]".repeat(100)}}`)).toBe("accepted");
  });

  it("refuses numbers that no double has", () => {
    for (const text of ['{"n":1e999}', '{"a":[1,-1e999]}', `{"a":{"n":${"9".repeat(400)}}}`])
      expect(messageOf(text)).toMatch(/too large/);
    expect(messageOf('{"n":1e308}')).toBe("accepted");
  });

  it("takes the last of duplicate members", () => {
    expect(readJsonObject(Buffer.from('{"model":"a","model":"b"}'))).toEqual({ model: "b" });
  });

  it("drops __proto__ members at every level", () => {
    const body = readJsonObject(
      Buffer.from('{"__proto__":{"admin":true},"a":[{"__proto__":{"x":1},"b":2}]}'),
    );
    expect(Object.keys(body)).toEqual(["a"]);
    expect(Object.assign({}, body)).not.toHaveProperty("admin");
    expect(body.a).toEqual([{ b: 2 }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyOperation, startWholeGateway } from "./rules/everything.ts";
import type { TestGateway } from "./support/gateway.ts";

const operations = await everyOperation();

/**
 * Paths that end in an id and where nobody posts. To Google's clients a verb behind the model's name is part of the path,
 * ids of batches may have slashes, and SCIM and what passes through have words of their own.
 */
const apart = /^\/(?:scim|openai|anthropic|v1beta|v1\/batches)\b/;
const isPosted = new Set(operations.filter(({ method }) => method === "POST").map(({ path }) => path));
const paths = new Set(
  operations
    .map(({ path }) => path)
    .filter((path) => path.endsWith("}") && !isPosted.has(path) && !apart.test(path)),
);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startWholeGateway();
});
afterAll(() => gateway?.close());

describe.each([...paths])("%s", (path) => {
  const ending = (last: string): string => path.replace(/\{[^}]*\}$/, last).replaceAll(/\{[^}]*\}/g, "any1");

  it("is no endpoint with a word for the id to whoever posts there, and takes other methods of an id", async () => {
    const unknown = await gateway.call(ending("edits"), { method: "POST", body: {} });
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      expect.stringContaining("There is no endpoint"),
    ]);
    const known = await gateway.call(ending("any_12"), { method: "POST", body: {} });
    expect([known.status, known.headers.get("allow")]).toEqual([
      405,
      expect.stringMatching(/GET|DELETE|PATCH|PUT/),
    ]);
  });
});

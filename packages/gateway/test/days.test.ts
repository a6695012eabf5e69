import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

interface Document {
  readonly paths: Record<
    string,
    Record<
      string,
      { readonly parameters?: readonly { readonly name: string; readonly schema: { pattern?: string } }[] }
    >
  >;
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.close());

it("refuses a day that no calendar has, at every operation that takes days", async () => {
  const { paths } = (await (await gateway.call("/openapi.json")).json()) as Document;
  const taken: string[] = [];
  let asked = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const { name, schema } of methods.get?.parameters ?? []) {
      if (schema.pattern?.startsWith("^\\d{4}-") !== true) continue;
      const other = name.startsWith("start") ? name.replace("start", "end") : name.replace("end", "start");
      const query = new URLSearchParams({ [name]: "2026-02-31", [other]: "2026-03-31" });
      const answer = await gateway.call(`${path}?${query}`);
      asked += 1;
      const text = await answer.text();
      if (answer.status !== 400 || !text.includes("expected a day such as 2027-01-31"))
        taken.push(`${path}?${query}: ${answer.status} ${text.slice(0, 200)}`);
    }
  }
  expect(taken).toEqual([]);
  expect(asked).toBeGreaterThan(10);
});

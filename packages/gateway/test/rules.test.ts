import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { columns } from "./rules/columns/columns.ts";
import { operationsOf } from "./rules/operations.ts";
import { ask, examples } from "./rules/requests.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { rulesTable, writtenTable } from "./rules/table.ts";
import { startTestGateway } from "./support/gateway.ts";

/** Every rule against every operation of the route table; docs/gateway/rules.md has the table. */
const described = await startTestGateway();
const operations = await operationsOf(described);
await described.close();

it("has a row for every operation, and no other; a new one needs its line in rules/requests.ts", () => {
  expect(Object.keys(examples).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

it("is the table of docs/gateway/rules.md; `npm run rules -w portico` writes it", () => {
  expect(writtenTable()).toBe(rulesTable(operations));
});

describe("An example of each operation", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.close());

  it.each(operations)("$method $path is answered", async (operation) => {
    for (const form of operation.forms) {
      const { status, body } = await ask(stage, operation, { form });
      expect([form, status, body]).toEqual([form, 200, expect.anything()]);
    }
  });
});

describe.each(columns)("The rule of $name", (column) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(column.stage?.());
  });
  afterAll(() => stage?.close());

  it.each(operations.map((operation) => ({ ...operation, operation })))(
    "$method $path",
    async ({ operation }) => {
      const exemption = column.exempt(operation);
      if (exemption !== undefined) return await exemption.check(stage, operation);
      for (const form of operation.forms) await column.holds(stage, operation, form);
    },
  );
});

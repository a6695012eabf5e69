import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupsOf } from "./reference/api-page.ts";
import { columns } from "./rules/columns/columns.ts";
import { everyOperation } from "./rules/everything.ts";
import { ask, examples, successOf } from "./rules/requests.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { rulesTable, writtenTable } from "./rules/table.ts";

/** Every rule against every operation of the route table; docs/gateway/rules.md has the table. */
const operations = await everyOperation();

it("has a row for every operation, and no other; a new one needs its line in rules/requests.ts", () => {
  expect(Object.keys(examples).toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});

it("has a row for every route that is described anywhere, also where a setting makes it", async () => {
  const tried = operations.flatMap(({ method, forms }) => forms.map((form) => `${method} ${form}`));
  const groups = await groupsOf(resolve(import.meta.dirname, "../src"));
  const described = groups.flatMap((group) =>
    group.operations.map(({ method, path }) => `${method} ${path}`),
  );
  expect(described.filter((name) => !tried.includes(name))).toEqual([]);
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
      expect([form, status, body]).toEqual([form, successOf(operation), expect.anything()]);
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

import { describe, expect, it } from "vitest";
import { ROLE_TABLE } from "../src/core/auth/roles.ts";
import { isAskedFast, roleSuite } from "./roles/suite.ts";
import { managedOperations, rolesMatrix, writtenMatrix } from "./roles/table.ts";
import { everyOperation } from "./rules/everything.ts";
import { startTestGateway } from "./support/gateway.ts";

/** Every role against every route that manages; docs/gateway/roles.md has the table. */
const operations = await everyOperation();

const managed = managedOperations(operations);

it("is the table of docs/gateway/roles.md; `npm run roles -w portico` writes it", () => {
  expect(writtenMatrix()).toBe(rolesMatrix(operations));
});

it("has no row for a route that is not there", () => {
  const paths = managedOperations(operations).map(
    ({ operation: { method, path } }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
  );
  expect(Object.keys(ROLE_TABLE).filter((route) => !paths.includes(route))).toEqual([]);
});

// `roles-all.test.ts` asks every route as every role.
describe("The role", () => roleSuite(managed, startTestGateway, "embedded", isAskedFast));

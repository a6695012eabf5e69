import { describe } from "vitest";
import { FAST_SHARE, roleSuite } from "./roles/suite.ts";
import { managedOperations } from "./roles/table.ts";
import { everyOperation } from "./rules/everything.ts";
import { startTestGateway } from "./support/gateway.ts";

const managed = managedOperations(await everyOperation());

// Those that `roles.test.ts` leaves out.
describe("The role", () =>
  roleSuite(managed, startTestGateway, "embedded", (index) => index % FAST_SHARE !== 0));

import { describe } from "vitest";
import { roleSuite } from "./roles/suite.ts";
import { managedOperations } from "./roles/table.ts";
import { everyOperation } from "./rules/everything.ts";
import { startTestGateway } from "./support/gateway.ts";

const managed = managedOperations(await everyOperation());

describe("The role", () => roleSuite(managed, startTestGateway, "embedded"));

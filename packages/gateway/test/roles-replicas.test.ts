import { roleSuite } from "./roles/suite.ts";
import { managedOperations } from "./roles/table.ts";
import { everyOperation } from "./rules/everything.ts";
import { describeOnReplicas } from "./support/deployments.ts";

const managed = managedOperations(await everyOperation());

describeOnReplicas("The role", (start, kind) => roleSuite(managed, start, kind));

import { describeOnReplicas } from "./support/deployments.ts";
import { governanceSuite } from "./support/governance.ts";

describeOnReplicas("What stands above keys", governanceSuite);

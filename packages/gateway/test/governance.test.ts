import { describe } from "vitest";
import { startTestGateway } from "./support/gateway.ts";
import { governanceSuite } from "./support/governance.ts";

describe("What stands above keys", () => governanceSuite(startTestGateway, "embedded"));

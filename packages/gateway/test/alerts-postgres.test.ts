import { describe } from "vitest";
import { testAlerts } from "./support/alerts.ts";

describe("Alerts of budgets on two replicas on PostgreSQL", () => testAlerts(2));

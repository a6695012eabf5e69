import { describe } from "vitest";
import { testAlerts } from "./support/alerts.ts";

describe("Alerts of budgets on SQLite", () => testAlerts(1));

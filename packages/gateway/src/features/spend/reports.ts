import type { Route } from "../../contract/exchange.ts";
import type { KeyManagement } from "../../core/auth/management/key-management.ts";
import { managementRoutes } from "../../core/auth/management/management.ts";
import { showActivity } from "./daily-activity.ts";
import {
  listTagSpend,
  showSpend,
  spendOfCustomers,
  spendOfDays,
  spendOfKeys,
  spendOfModels,
  spendOfProviders,
  spendOfTags,
  spendOfTeams,
} from "./global-spend.ts";
import type { ActivityKind } from "./report-queries.ts";
import { reportSpend } from "./spend-report.ts";
import { listKeySpend, listUserSpend } from "./spenders.ts";

/** Whose activity there is, in the order of `/openapi.json`. */
export const ACTIVITIES = [
  "user",
  "team",
  "organization",
  "customer",
  "tag",
] as const satisfies readonly ActivityKind[];

/** LiteLLM's reports of spend. */
export function reportRoutes(keys: KeyManagement | undefined): Route[] {
  const activities = ACTIVITIES.map((kind) =>
    managementRoutes(keys, "spend_reports", {
      [`GET /${kind}/daily/activity`]: (managed) => showActivity(managed, kind),
    }),
  );
  const reports = managementRoutes(keys, "spend_reports", {
    "GET /spend/keys": listKeySpend,
    "GET /spend/users": listUserSpend,
    "GET /spend/tags": listTagSpend,
    "GET /global/spend": showSpend,
    "GET /global/spend/keys": spendOfKeys,
    "GET /global/spend/teams": spendOfTeams,
    "GET /global/spend/models": spendOfModels,
    "GET /global/spend/tags": spendOfTags,
    "POST /global/spend/end_users": spendOfCustomers,
    "GET /global/spend/provider": spendOfProviders,
    "GET /global/spend/logs": spendOfDays,
    "GET /global/spend/report": reportSpend,
  });
  return [...reports, ...activities.flat()];
}

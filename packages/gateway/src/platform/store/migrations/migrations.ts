import type { Migration } from "kysely/migration";
import { keysAndSpend } from "./0001-keys-and-spend.ts";
import { jobsAndObjects } from "./0002-jobs-and-objects.ts";
import { agents } from "./0003-agents.ts";
import { filesAndBatches } from "./0004-files-and-batches.ts";
import { responses } from "./0010-responses.ts";
import { journals } from "./0011-journals.ts";
import { a2a } from "./0020-a2a.ts";
import { objectExpiry } from "./0021-object-expiry.ts";
import { batchSubmissions } from "./0022-batch-submissions.ts";
import { unclaimedFiles } from "./0023-unclaimed-files.ts";
import { responseProviderIds } from "./0024-response-provider-ids.ts";
import { leases } from "./0025-leases.ts";
import { budgetHolds } from "./0026-budget-holds.ts";
import { fileLeases } from "./0027-file-leases.ts";
import { governance } from "./0030-governance.ts";
import { budgetTurns } from "./0031-budget-turns.ts";
import { configEntries } from "./0040-config-entries.ts";
import { imported } from "./0050-imported.ts";
import { spendOwners } from "./0051-spend-owners.ts";
import { once } from "./0060-once.ts";
import { spendSums } from "./0070-spend-sums.ts";
import { batchFallbacks } from "./0071-batch-fallbacks.ts";
import { spendBlocks } from "./0072-spend-blocks.ts";
import { spendKeyBlocks } from "./0073-spend-key-blocks.ts";
import { spendSessions } from "./0074-spend-sessions.ts";
import { spendCustomerBlocks } from "./0075-spend-customer-blocks.ts";
import { budgetRollover } from "./0076-budget-rollover.ts";
import { spendDetails } from "./0077-spend-details.ts";
import { spendStatistics } from "./0078-spend-statistics.ts";
import { spendOfKey } from "./0079-spend-of-key.ts";
import { batchesOfTenant } from "./0080-batches-of-tenant.ts";
import { spendOfOwners } from "./0081-spend-of-owners.ts";
import { retiredOwners } from "./0082-retired-owners.ts";
import { scimNames } from "./0083-scim-names.ts";
import { providersOfResponses } from "./0084-providers-of-responses.ts";

/**
 * The one list of migrations, for SQLite and PostgreSQL alike, applied in the order of their names. Add a file and a
 * line; never change one that was released.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-keys-and-spend": keysAndSpend,
  "0002-jobs-and-objects": jobsAndObjects,
  "0003-agents": agents,
  "0004-files-and-batches": filesAndBatches,
  "0010-responses": responses,
  "0011-journals": journals,
  "0020-a2a": a2a,
  "0021-object-expiry": objectExpiry,
  "0022-batch-submissions": batchSubmissions,
  "0023-unclaimed-files": unclaimedFiles,
  "0024-response-provider-ids": responseProviderIds,
  "0025-leases": leases,
  "0026-budget-holds": budgetHolds,
  "0027-file-leases": fileLeases,
  "0030-governance": governance,
  "0031-budget-turns": budgetTurns,
  "0040-config-entries": configEntries,
  "0050-imported": imported,
  "0051-spend-owners": spendOwners,
  "0060-once": once,
  "0070-spend-sums": spendSums,
  "0071-batch-fallbacks": batchFallbacks,
  "0072-spend-blocks": spendBlocks,
  "0073-spend-key-blocks": spendKeyBlocks,
  "0074-spend-sessions": spendSessions,
  "0075-spend-customer-blocks": spendCustomerBlocks,
  "0076-budget-rollover": budgetRollover,
  "0077-spend-details": spendDetails,
  "0078-spend-statistics": spendStatistics,
  "0079-spend-of-key": spendOfKey,
  "0080-batches-of-tenant": batchesOfTenant,
  "0081-spend-of-owners": spendOfOwners,
  "0082-retired-owners": retiredOwners,
  "0083-scim-names": scimNames,
  "0084-providers-of-responses": providersOfResponses,
};

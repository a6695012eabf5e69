import type { EntityKind } from "../../core/auth/records/entity-tables.ts";
import type { EntryWriter } from "../../core/runtime/entry-writer.ts";
import type { LiteLlmSecrets } from "./decrypt.ts";
import { importEntities } from "./entities.ts";
import type { Progress } from "./import-run.ts";
import { importKeys } from "./keys.ts";
import { knownColumns, whyLeft } from "./known-columns.ts";
import type { LiteLlmDatabase } from "./litellm-database.ts";
import { importOrganizationMembers, importTeamMembers } from "./members.ts";
import { importCredentials, importGroups, importModels, type ModelRun } from "./models.ts";
import type { ImportReport, LeftTable } from "./report.ts";
import { importSpendLog, SPEND_TABLE } from "./spend-log.ts";
import type { Target } from "./target.ts";

/** What an import needs. */
interface ImportParts {
  readonly source: LiteLlmDatabase;
  readonly target: Target;
  readonly secrets: LiteLlmSecrets;
  readonly writer: EntryWriter;
  /** @see ImportRun.isOfFile */
  readonly isOfFile: (keyHash: string) => boolean;
  readonly isStrict: boolean;
  readonly progress: Progress;
  /** From when on the spend log is taken, too, in milliseconds since the epoch; not at all without. */
  readonly spendSince: number | undefined;
}

/** What stands above keys, in the order in which one refers to the other. */
const ENTITIES: readonly EntityKind[] = ["budget", "organization", "user", "team", "customer", "tag"];

/** Takes over a LiteLLM database. It may be run again, and while gateways run. */
export async function importLiteLlm(parts: ImportParts): Promise<ImportReport> {
  const run: ModelRun = { ...parts, budgets: new Map(), credentials: new Map(), reports: [] };
  for (const kind of ENTITIES) await importEntities(run, kind);
  await importOrganizationMembers(run);
  await importTeamMembers(run);
  await importCredentials(run);
  await importModels(run);
  const groups = await importGroups(run);
  await importKeys(run, groups);
  if (parts.spendSince !== undefined) await importSpendLog(run, parts.spendSince);
  return {
    isDryRun: parts.target.isDryRun,
    tables: run.reports,
    left: await leftOf(parts),
    remarks: REMARKS,
  };
}

const REMARKS = [
  "Budget windows begin at other moments here than at LiteLLM, but for those of a day, a week or a month where both have the same `timezone`: what was spent in a window that runs counts in the one that runs here.",
  "LiteLLM's passwords were not taken: whoever signed in with one uses a key, or the sign-in of this gateway.",
];

/** Tables that are not taken over and have rows. */
async function leftOf({ source, spendSince }: ImportParts): Promise<LeftTable[]> {
  const left: LeftTable[] = [];
  for (const table of [...source.tables.keys()].sort()) {
    const isLeft = table === SPEND_TABLE ? spendSince === undefined : knownColumns[table] === undefined;
    if (!isLeft || table === "LiteLLM_ModelTable") continue;
    const rows = await source.count(table);
    if (rows > 0) left.push({ table, rows, reason: whyLeft(table) });
  }
  return left;
}

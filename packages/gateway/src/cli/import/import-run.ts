import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { restrictsNothing } from "../../core/auth/fields/unenforced-limits.ts";
import { type EntityFields, entityBody, readEntityFields } from "../../core/auth/records/entities.ts";
import type { LiteLlmSecrets } from "./decrypt.ts";
import { knownColumns } from "./known-columns.ts";
import type { LiteLlmDatabase } from "./litellm-database.ts";
import { TableReport } from "./report.ts";
import type { Item, Kind, Target } from "./target.ts";
import { timeIn } from "./values.ts";

/** Tells how far an import is. */
export type Progress = (kind: string, done: number, total: number) => void;

/** A budget as far as what names it must know it. */
export interface KnownBudget {
  readonly row: JsonObject;
  readonly duration: string | undefined;
}

/** What the steps of an import share. */
export interface ImportRun {
  readonly source: LiteLlmDatabase;
  readonly target: Target;
  readonly secrets: LiteLlmSecrets;
  readonly progress: Progress;
  /** Whether a hash is that of the master key or of a key of the configuration, which go before the store's. */
  readonly isOfFile: (keyHash: string) => boolean;
  /** Leaves out what has a restriction that is not enforced here, where it would be taken without it. */
  readonly isStrict: boolean;
  /** Of the source, by id. */
  readonly budgets: Map<string, KnownBudget>;
  readonly reports: TableReport[];
}

/** One kind of rows. */
export interface Step extends Kind {
  readonly run: ImportRun;
}

/** Begins with a table. @returns nothing where this version has none */
export function openStep(run: ImportRun, name: string, table: string, kind: string): Step | undefined {
  const columns = run.source.tables.get(table);
  if (columns === undefined) return undefined;
  const report = new TableReport(table, kind);
  report.unknownColumns = [...columns].filter((column) => knownColumns[table]?.has(column) !== true).sort();
  run.reports.push(report);
  return { name, report, run };
}

/** Takes a table's rows, some at a time. */
export async function takeRows(
  step: Step,
  itemsOf: (rows: readonly JsonObject[]) => Promise<readonly (Item | undefined)[]>,
): Promise<void> {
  const { run, report } = step;
  const total = await run.source.count(report.table);
  for await (const rows of run.source.rows(report.table)) {
    report.rows += rows.length;
    const items = await itemsOf(rows);
    await run.target.take(
      step,
      items.filter((item) => item !== undefined),
    );
    run.progress(report.kind, report.rows, total);
  }
}

/** Fields that only describe: where one does not fit, the rest is taken without it. */
const DESCRIBES: ReadonlySet<string> = new Set([
  "key_alias",
  "team_alias",
  "user_alias",
  "organization_alias",
  "alias",
  "user_email",
  "description",
  "model_info",
]);

/**
 * Reads fields as a request that makes the object would be read.
 * @param read throws a GatewayError that names the field at fault
 * @returns nothing where they cannot be read; the report says why
 */
export function readable<T>(
  step: Step,
  id: string,
  fields: JsonObject,
  read: (fields: JsonObject) => T,
): T | undefined {
  let given = fields;
  for (;;) {
    try {
      return read(given);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      const [param = ""] = (error.param ?? "").split(".");
      if (!DESCRIBES.has(param) || given[param] === undefined) {
        step.run.target.leave(step, id, error.message);
        return undefined;
      }
      step.report.note(id, error.message);
      given = { ...given, [param]: undefined };
    }
  }
}

/**
 * The fields of an entity; the restrictions that are not enforced here are taken out and named.
 * @returns nothing where they cannot be read
 */
export function readEntity(
  step: Step,
  entity: EntityFields,
  id: string,
  fields: JsonObject,
): JsonObject | undefined {
  const body = enforced(step, id, fields, entity.unenforced);
  if (body === undefined) return undefined;
  const known = Object.entries(body).filter(([name]) => Object.hasOwn(entity.fields, name));
  const schema = entityBody(entity, []);
  return readable(step, id, Object.fromEntries(known), (given) => readEntityFields(entity, schema, given));
}

/** The fields without restrictions that are not enforced here. */
export function enforced(
  step: Step,
  id: string,
  fields: JsonObject,
  unenforced: ReadonlyMap<string, string>,
): JsonObject | undefined {
  const names = Object.keys(fields).filter(
    (name) => unenforced.has(name) && !restrictsNothing(fields[name]) && fields[name] !== false,
  );
  if (names.length > 0 && step.run.isStrict) {
    step.run.target.leave(step, id, `${names.join(", ")} is not enforced here (--strict)`);
    return undefined;
  }
  for (const name of names)
    step.report.note(id, `${name}, which is not enforced here: ${unenforced.get(name)}`);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !unenforced.has(name)));
}

/** What of a sum counts in the window that is running: nothing where the source would have begun anew by now. */
export function spentInWindow(row: JsonObject, spent: number): number {
  const reset = timeIn(row, "budget_reset_at");
  return reset !== undefined && reset <= Date.now() ? 0 : spent;
}

import { type JsonObject, parseJson } from "../../contract/json.ts";
import { tagsOf } from "../../core/ledger/journaled-ledger.ts";
import { addHistory } from "../../core/ledger/spend-history.ts";
import { spendMarks } from "../../core/ledger/spend-sums.ts";
import type { SpendRow } from "../../core/ledger/spend-tables.ts";
import type { Store } from "../../platform/store/schema.ts";
import { sha256 } from "../../util/sha256.ts";
import { type ImportRun, openStep, type Step } from "./import-run.ts";
import { hashOfToken } from "./keys.ts";
import { limitIn, objectIn, spendIn, textIn, timeIn } from "./values.ts";

export const SPEND_TABLE = "LiteLLM_SpendLogs";

/** What is read of each row: requests and answers, which may be long, are not. */
const COLUMNS = [
  "request_id",
  "call_type",
  "api_key",
  "spend",
  "prompt_tokens",
  "completion_tokens",
  "startTime",
  "endTime",
  "model",
  "model_id",
  "model_group",
  "custom_llm_provider",
  "user",
  "request_tags",
  "team_id",
  "organization_id",
  "end_user",
  "session_id",
  "status",
];
/** LiteLLM writes rows some time after their calls have begun: the next import looks at this stretch again, in ms. */
const WRITTEN_LATE = 86_400_000;
const KIND = "spend log";
const RECORD = "read";

/**
 * Takes over the spend log by the times at which calls began. Each page is one transaction with the mark of how far it is,
 * from which an import that was interrupted, and the next one, go on. Sums of keys and budgets come from elsewhere.
 * @param since milliseconds since the epoch
 */
export async function importSpendLog(run: ImportRun, since: number): Promise<void> {
  const step = openStep(run, KIND, SPEND_TABLE, "rows of the spend log");
  if (step === undefined) return;
  const from = await startOf(run, since);
  const isGone = await goneFrom(run);
  const total = await run.source.count(SPEND_TABLE);
  const cut = { columns: COLUMNS, more: MORE, by: "startTime", from };
  for await (const found of run.source.rows(SPEND_TABLE, cut)) {
    step.report.rows += found.length;
    const read = found.flatMap((row) => rowOf(step, row) ?? []);
    const rows = read.filter((row) => !isGone(row));
    step.report.unchanged += read.length - rows.length;
    const isNew = await (run.target.isDryRun ? countNew(run, rows) : take(run, rows, since));
    step.report.taken += isNew;
    step.report.unchanged += rows.length - isNew;
    run.progress(step.report.kind, step.report.rows, total);
  }
}

/** Tokens of caches, which stand within `metadata`. */
const MORE = {
  metadata: [`"metadata"->'additional_usage_values' as usage`, `"metadata"->>'status' as said`],
};

/** How far earlier imports have read. */
function recordOf({ target }: ImportRun) {
  return target.store.db
    .selectFrom("imported")
    .selectAll()
    .where("source", "=", target.source)
    .where("kind", "=", KIND)
    .where("id", "=", RECORD)
    .executeTakeFirst();
}

/** Where this import begins: behind what an earlier one has read, where that began no later than this one is to. */
async function startOf(run: ImportRun, since: number): Promise<number> {
  const record = await recordOf(run);
  const isRead = record !== undefined && Number(record.mark) <= since;
  return isRead ? Math.max(since, Number(record.source_mark) - WRITTEN_LATE) : since;
}

/** Rows that an earlier import took and that were removed since, because they were old: their sums are there. */
async function goneFrom(run: ImportRun): Promise<(row: SpendRow) => boolean> {
  const record = await recordOf(run);
  if (record === undefined) return () => false;
  const { keptFrom } = await spendMarks(run.target.store.db);
  const [from, until] = [Number(record.mark), Math.min(Number(record.source_mark), keptFrom - 1)];
  return ({ started_at: at }) => at >= from && at <= until;
}

async function countNew({ target }: ImportRun, rows: readonly SpendRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const ids = new Set(rows.map(({ id }) => id));
  const here = await target.store.db
    .selectFrom("spend_logs")
    .select("id")
    .where("id", "in", [...ids])
    .execute();
  return ids.size - here.length;
}

function take({ target }: ImportRun, rows: readonly SpendRow[], since: number): Promise<number> {
  const { store } = target;
  const last = rows.at(-1);
  return store.db.transaction().execute(async (db) => {
    const added = await addHistory(store, db, rows);
    if (last !== undefined) await remember(db, target.source, last.started_at, since);
    return added;
  });
}

async function remember(db: Store["db"], source: string, until: number, since: number): Promise<void> {
  const row = {
    source,
    kind: KIND,
    id: RECORD,
    source_mark: String(until),
    mark: String(since),
    spend: 0,
  };
  await db
    .insertInto("imported")
    .values(row)
    .onConflict((conflict) => conflict.columns(["source", "kind", "id"]).doUpdateSet(row))
    .execute();
}

function rowOf({ report, run }: Step, row: JsonObject): SpendRow | undefined {
  const request = textIn(row, "request_id");
  const started = timeIn(row, "startTime");
  if (request === undefined || started === undefined) {
    report.leave(request ?? "a row", "it has no request_id or no startTime");
    return undefined;
  }
  const key = textIn(row, "api_key");
  const usage = objectIn(row, "usage");
  const status = textIn(row, "status") ?? textIn(row, "said");
  return {
    id: sha256(`${run.target.source} ${request}`),
    request_id: request,
    key_hash: key === undefined ? "" : hashOfToken(key),
    user_id: textIn(row, "user") ?? null,
    team_id: textIn(row, "team_id") ?? null,
    model: textIn(row, "model_group") ?? textIn(row, "model") ?? null,
    model_id: textIn(row, "model_id") ?? null,
    provider: textIn(row, "custom_llm_provider") ?? null,
    call_type: textIn(row, "call_type") ?? "",
    status: status === "failure" ? "failure" : "success",
    prompt_tokens: tokensIn(row, "prompt_tokens"),
    completion_tokens: tokensIn(row, "completion_tokens"),
    cache_read_tokens: tokensIn(usage, "cache_read_input_tokens"),
    cache_write_tokens: tokensIn(usage, "cache_creation_input_tokens"),
    spend: spendIn(row),
    started_at: started,
    ended_at: Math.max(started, timeIn(row, "endTime") ?? started),
    organization_id: textIn(row, "organization_id") ?? null,
    end_user: textIn(row, "end_user") ?? null,
    tags: tagsOf(listIn(row, "request_tags")),
    session_id: textIn(row, "session_id") ?? null,
  };
}

function tokensIn(row: JsonObject, name: string): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.trunc(limitIn(row, name) ?? 0));
}

/** A list, also one that an older version wrote as text. */
function listIn(row: JsonObject, name: string): unknown {
  const { [name]: value } = row;
  return typeof value === "string" ? parseJson(value) : value;
}

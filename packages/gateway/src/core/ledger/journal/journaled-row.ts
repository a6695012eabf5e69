import { storableText } from "../../../util/storable-text.ts";
import type { ScopeWindow } from "../budget-window.ts";
import type { SpendRow } from "../spend-tables.ts";

/** Characters kept of a text: callers choose some of them, and an index of PostgreSQL takes 2,704 bytes. */
const MAX_CHARACTERS = 500;

/** Texts that are JSON are bounded where they are made; cut off they would be none. */
const MAX_JSON_CHARACTERS = 40_000;
const JSON_COLUMNS: ReadonlySet<string> = new Set(["tags", "details"]);

/** A row of the spend log with the budget window that it counts in. */
export interface JournaledRow {
  readonly row: SpendRow;
  /** Milliseconds since the epoch; `undefined` where it counts in none. */
  readonly windowStart: number | undefined;
  /** Scopes beside the key in which it counts. */
  readonly scopes: readonly ScopeWindow[];
}

/**
 * A row's values in the order of the first columns; the start of its window; where it counts in other scopes, a list of
 * these as JSON, `[[owner, start], ...]`, with the name of a share where that ends with the row and has another id; and the last columns. Rows that earlier versions wrote end before these, and so do
 * those that have nothing there.
 */
export type RowValues = readonly [...(string | number | null)[]];

/** Positions among the values. */
export const valueAt = { id: 0, keyHash: 2, spend: 14, windowStart: 17, scopes: 18, later: 19 } as const;
/** Columns before the window; the others came later. */
const FIRST_COLUMNS = valueAt.windowStart;
/** Columns behind the window: none, those of owners, the session, what the call's way tells. */
const LATER_COLUMNS = [0, 3, 4, 6] as const;
/** How many values a row has: without scopes, or with them and the columns of some version. */
const LENGTHS: ReadonlySet<number> = new Set([
  valueAt.scopes,
  ...LATER_COLUMNS.map((columns) => valueAt.later + columns),
]);

/** Where the value of a column is. */
export function placeOf(column: number): number {
  return column < FIRST_COLUMNS ? column : valueAt.later + column - FIRST_COLUMNS;
}

/** A row as the journal keeps it: a list in JSON, which both databases take apart. */
export function textOfRow({ row, windowStart, scopes }: JournaledRow): string {
  // The names of scopes come from the database.
  const counted =
    scopes.length === 0
      ? undefined
      : JSON.stringify(
          scopes.map(({ owner, start, hold }) =>
            hold === undefined ? [owner, start] : [owner, start, hold],
          ),
        );
  const text = listOf(row, windowStart, counted);
  // Both kinds of characters that no database keeps are escapes in JSON, so that most rows pass with one look.
  return text.length <= MAX_CHARACTERS && !text.includes("\\u")
    ? text
    : listOf(storableRow(row), windowStart, counted);
}

function listOf(row: SpendRow, windowStart: number | undefined, scopes: string | undefined): string {
  const { organization_id: organization, end_user: customer, tags, session_id: session } = row;
  const { first_ms: first = null, details = null } = row;
  const hasWay = first !== null || details !== null;
  const hasSession = session !== null || hasWay;
  const hasLater = organization !== null || customer !== null || tags !== null || hasSession;
  return JSON.stringify([
    row.id,
    row.request_id,
    row.key_hash,
    row.user_id,
    row.team_id,
    row.model,
    row.model_id,
    row.provider,
    row.call_type,
    row.status,
    wholeNumber(row.prompt_tokens),
    wholeNumber(row.completion_tokens),
    wholeNumber(row.cache_read_tokens),
    wholeNumber(row.cache_write_tokens),
    amount(row.spend),
    row.started_at,
    row.ended_at,
    windowStart ?? null,
    ...(scopes === undefined && !hasLater ? [] : [scopes ?? null]),
    ...(hasLater ? [organization, customer, tags] : []),
    ...(hasSession ? [session] : []),
    ...(hasWay ? [first, details] : []),
  ]);
}

/** Tokens and US dollars of the largest row: both databases sum many such. */
const MAX_TOKENS = 1e15;
const MAX_SPEND = 1e12;

/** A number as a column of whole numbers takes it: another one PostgreSQL refuses with its row, or SQLite cannot give back. */
function wholeNumber(value: number): number {
  return value >= 0 ? Math.ceil(Math.min(value, MAX_TOKENS)) : 0;
}

function amount(value: number): number {
  return value >= 0 ? Math.min(value, MAX_SPEND) : 0;
}

/** A text in a journal that this version did not write. */
export class NoSpendRow extends Error {}

/** @throws NoSpendRow for a text that is none of `textOfRow` */
export function valuesOfText(text: string): RowValues {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    throw new NoSpendRow("It is no JSON", { cause: error });
  }
  if (!Array.isArray(values) || !LENGTHS.has(values.length) || !values.every(isValue))
    throw new NoSpendRow("It is no row of the spend log");
  return values as unknown as RowValues;
}

function isValue(value: unknown): boolean {
  return value === null || typeof value === "string" || typeof value === "number";
}

/** PostgreSQL refuses texts with a NUL or half a surrogate pair, and one row that is refused holds up the others. */
export function storableRow(row: SpendRow): SpendRow {
  const texts = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "string"
      ? storable(value, JSON_COLUMNS.has(name) ? MAX_JSON_CHARACTERS : undefined)
      : value,
  ]);
  return Object.fromEntries(texts) as SpendRow;
}

/** A text as rows have it: whoever looks for one by the name that a caller gave finds it by this. */
export function storable(text: string, length = MAX_CHARACTERS): string {
  return storableText(text.slice(0, length));
}

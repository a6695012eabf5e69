import { HALF_HOUR_MS } from "../../../platform/store/spend-sums-sql.ts";
import { spendColumns } from "../spend-tables.ts";
import { placeOf, type RowValues } from "./journaled-row.ts";

type Column = (typeof spendColumns)[number];

const place = (column: Column): number => placeOf(spendColumns.indexOf(column));

/** What rows that are alike have in common, beside the half hour and whether they have `first_ms`. */
const SAME = [
  "key_hash",
  "end_user",
  "tags",
  "model",
  "user_id",
  "status",
  "provider",
  "team_id",
  "organization_id",
] as const satisfies readonly Column[];
const SUMMED = [
  "prompt_tokens",
  "completion_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "spend",
] as const satisfies readonly Column[];

const samePlaces = SAME.map(place);
const summedPlaces = SUMMED.map(place);
/** Of which there may be thousands in a transaction. */
const [keyAt, customerAt, tagsAt] = [place("key_hash"), place("end_user"), place("tags")];
const startedAt = place("started_at");
const endedAt = place("ended_at");
const firstAt = place("first_ms");

/** Columns of the spend log, as the sums need them, for rows that are alike. */
export const alikeColumns = [...SAME, ...SUMMED, "started_at", "ended_at", "first_ms"] as const;

interface Alike {
  readonly like: RowValues;
  readonly halfHour: number;
  readonly sums: number[];
  calls: number;
  milliseconds: number;
  first: number | null;
}

/**
 * Rows of one transaction that count in the same sums, added up, so that the database adds few entries in place of many rows. An
 * entry ends so long after its start as its rows took together.
 */
export class AlikeRows {
  readonly #entries = new Map<string, Alike[]>();

  add(values: RowValues): void {
    const entry = this.#entryFor(values);
    entry.calls += 1;
    entry.milliseconds += Number(values[endedAt]) - Number(values[startedAt]);
    for (const [at, from] of summedPlaces.entries()) entry.sums[at]! += Number(values[from]);
    const first = values[firstAt] ?? null;
    if (first !== null) entry.first = (entry.first ?? 0) + Number(first);
  }

  /** Values of `alikeColumns`, and how many rows they stand for. */
  *entries(): Generator<(string | number | null)[]> {
    for (const entries of this.#entries.values())
      for (const { like, sums, calls, milliseconds, first } of entries) {
        const started = Number(like[startedAt]);
        const same = samePlaces.map((at) => like[at] ?? null);
        yield [...same, ...sums, started, started + milliseconds, first, calls];
      }
  }

  #entryFor(values: RowValues): Alike {
    // Others may have the same name: it only keeps the list short.
    const name = `${values[keyAt]} ${values[customerAt]} ${values[tagsAt]}`;
    let entries = this.#entries.get(name);
    if (entries === undefined) {
      entries = [];
      this.#entries.set(name, entries);
    }
    const halfHour = Math.floor(Number(values[startedAt]) / HALF_HOUR_MS);
    const hasFirst = (values[firstAt] ?? null) !== null;
    for (const entry of entries)
      if (
        entry.halfHour === halfHour &&
        (entry.first !== null) === hasFirst &&
        samePlaces.every((at) => (entry.like[at] ?? null) === (values[at] ?? null))
      )
        return entry;
    const entry = {
      like: values,
      halfHour,
      sums: SUMMED.map(() => 0),
      calls: 0,
      milliseconds: 0,
      first: hasFirst ? 0 : null,
    };
    entries.push(entry);
    return entry;
  }
}

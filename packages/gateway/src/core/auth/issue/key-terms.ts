import { invalidRequest } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { parseDuration } from "../../../util/duration.ts";
import { isServiceAccount, isSession, keySettings, readKeyFields } from "../records/key-fields.ts";
import type { KeyRow } from "../records/keys-table.ts";

/** What the configuration says of keys that are made or changed, by the fields of `/key/generate`. */
export interface KeyTerms {
  /** What a new key has where its request does not say (`default_key_generate_params`). */
  readonly defaults: JsonObject | undefined;
  /** The most that a key may be given, and what it has where its request does not say (`upperbound_key_generate_params`). */
  readonly bounds: JsonObject | undefined;
}

const bounded = [
  "max_budget",
  "budget_duration",
  "expires_at",
  "rpm_limit",
  "tpm_limit",
  "max_parallel_requests",
] as const;

/** The columns of a new key. @throws GatewayError 400 for more than the upper bound */
export function withTerms(columns: Partial<KeyRow>, { defaults = {}, bounds }: KeyTerms): Partial<KeyRow> {
  // Keys of people who sign in have an end of their own.
  if (isSession(columns)) return columns;
  const given = Object.entries(columns).filter(([, value]) => !isNothing(value));
  const { user_id: _, ...others } = defaults;
  const forIt = isServiceAccount(columns) ? others : defaults;
  const filled = { ...readKeyFields(forIt, Date.now()), ...Object.fromEntries(given) };
  const within = withinBounds({ ...columns, ...filled }, bounds, bounded);
  requireIncreaseWithin(within, bounds);
  return within;
}

/** The columns that a change of a key sets. @throws GatewayError 400 for more than the upper bound */
export function changeWithinBounds(
  columns: Partial<KeyRow>,
  before: KeyRow,
  { bounds }: KeyTerms,
): Partial<KeyRow> {
  const changed = bounded.filter((name) => columns[name] !== undefined);
  const within = withinBounds(columns, bounds, changed);
  const next = { ...before, ...within };
  if (next.max_budget !== before.max_budget || increaseOf(next) !== increaseOf(before))
    requireIncreaseWithin(next, bounds);
  return within;
}

/** A budget with what it has more for a time is a budget like others. @throws GatewayError 400 */
function requireIncreaseWithin(key: Partial<KeyRow>, bounds: JsonObject | undefined): void {
  const [most, increase] = [bounds?.max_budget, increaseOf(key)];
  if (typeof most !== "number" || increase === 0 || (key.max_budget ?? most) + increase <= most) return;
  throw invalidRequest(
    `temp_budget_increase: with max_budget at most ${most}, which upperbound_key_generate_params of the configuration says`,
    "temp_budget_increase",
  );
}

function increaseOf({ settings = "{}" }: Partial<KeyRow>): number {
  return keySettings({ settings }).temp_budget_increase ?? 0;
}

function withinBounds(
  columns: Partial<KeyRow>,
  bounds: JsonObject | undefined,
  names: readonly (typeof bounded)[number][],
): Partial<KeyRow> {
  if (bounds === undefined) return columns;
  const most = readKeyFields(bounds, Date.now());
  const within: Partial<KeyRow> = { ...columns };
  for (const name of names) {
    const bound = most[name];
    if (bound == null) continue;
    if (within[name] == null) within[name] = bound as never;
    else if (amountOf(within[name]) > amountOf(bound)) {
      const field = name === "expires_at" ? "duration" : name;
      throw invalidRequest(
        `${field}: at most ${String(bounds[field])}, which upperbound_key_generate_params of the configuration says`,
        field,
      );
    }
  }
  return within;
}

/** A number, or the milliseconds of a length of time. */
function amountOf(value: string | number): number {
  return typeof value === "number" ? value : (parseDuration(value) ?? 0);
}

/** As at LiteLLM, nothing named is nothing said. */
function isNothing(value: unknown): boolean {
  return value == null || value === "[]" || value === "{}";
}

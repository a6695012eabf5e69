import type { JsonObject } from "../../../contract/json.ts";
import type { KeyLimits } from "../../../contract/principal.ts";
import { budgetWindow } from "../../ledger/budget-window.ts";
import { LIMIT_NAMES, type LimitSettings, limitsOf } from "../fields/limits-of.ts";
import { memberObject } from "../issue/memberships.ts";
import { settingsObject } from "../records/entities.ts";
import { ownerOf, ownerOfMember } from "../records/entity-store.ts";
import type { EntityRow, MembershipRow } from "../records/entity-tables.ts";
import { keySettings } from "../records/key-fields.ts";
import { keyObject } from "../records/key-object.ts";
import type { KeyRow } from "../records/keys-table.ts";
import { type LevelSettings, memberLimits } from "../records/levels.ts";
import type { KeyManagement } from "./key-management.ts";

/** Members of a team as callers see them, with what they have spent in it and when their budgets reset. */
export async function membershipsWithSpend(
  parts: KeyManagement,
  team: EntityRow,
  rows: readonly MembershipRow[],
): Promise<JsonObject[]> {
  const owners = rows.map(ownerOfMember);
  const spend = await spendOf(parts, owners);
  const ofTeam = settingsObject(team) as LevelSettings;
  const limits = rows.map((row) => memberLimits(ofTeam, settingsObject(row) as LevelSettings));
  const windows = await windowsShown(parts, owners, limits);
  return rows.map((row, index) => ({
    team_id: team.id,
    ...memberObject(row),
    ...windows[index],
    spend: spend[index]!,
  }));
}

/** Entities as callers see them, with what calls under them have cost and when their budgets reset. */
export async function withSpend(
  parts: KeyManagement,
  rows: readonly EntityRow[],
  objectOf: (row: EntityRow) => JsonObject | Promise<JsonObject>,
): Promise<JsonObject[]> {
  const settings = rows.map((row) => settingsObject(row) as LimitSettings & Naming);
  const owners = rows.map(ownerOf);
  const [objects, spend, budgets] = await Promise.all([
    Promise.all(rows.map(objectOf)),
    spendOf(parts, owners),
    budgetsNamed(parts, settings),
  ]);
  const windows = await windowsShown(parts, owners, limitsWith(budgets, settings));
  return objects.map((object, index) =>
    Object.assign(object, budgetShown(parts, budgets, settings[index]!), windows[index], {
      spend: spend[index]!,
    }),
  );
}

/**
 * Keys as callers see them, with what their calls have cost and when their budgets reset.
 * @param spend US dollars by the keys' hashes, where they are known already
 */
export async function keysWithSpend(
  parts: KeyManagement,
  rows: readonly KeyRow[],
  spend?: ReadonlyMap<string, number>,
): Promise<JsonObject[]> {
  const settings = rows.map((row) => ({ ...keySettings(row), ...row }));
  const [spent, budgets] = await Promise.all([
    spend ?? parts.spend.spendOfAll(rows.map((row) => row.key_hash)),
    budgetsNamed(parts, settings),
  ]);
  const windows = await windowsShown(
    parts,
    rows.map((row) => row.key_hash),
    limitsWith(budgets, settings),
  );
  return rows.map((row, index) => ({
    ...keyObject(row, spent.get(row.key_hash) ?? 0),
    ...budgetShown(parts, budgets, settings[index]!),
    ...windows[index],
  }));
}

/** When a budget that nobody has by itself would reset, as callers see it. */
export function resetShown({ timezone }: Pick<KeyManagement, "timezone">, limits: KeyLimits): JsonObject {
  const window = budgetWindow(limits, Date.now(), timezone());
  return { budget_reset_at: window === undefined ? null : new Date(window.end).toISOString() };
}

/** When budgets reset, and how much their windows have of the last ones where something may roll over. */
async function windowsShown(
  parts: Pick<KeyManagement, "rollovers" | "timezone">,
  owners: readonly string[],
  limits: readonly KeyLimits[],
): Promise<JsonObject[]> {
  const shown = limits.map((each) => resetShown(parts, each));
  const rolling = limits.flatMap((each, index) => (each.maxRollover === undefined ? [] : [index]));
  const amounts = await parts.rollovers.amounts(
    rolling.map((index) => ({
      owner: owners[index]!,
      limits: limits[index]!,
      window: budgetWindow(limits[index]!, Date.now(), parts.timezone()),
    })),
  );
  for (const [at, index] of rolling.entries()) shown[index]!.rolled_over = amounts[at]!;
  return shown;
}

/** What names a budget whose limits hold where it has none of its own. */
interface Naming {
  readonly budget_id?: string | null | undefined;
}

/** What named budgets limit, by their ids. */
type NamedBudgets = ReadonlyMap<string, LimitSettings>;

/** The budgets that these name. */
async function budgetsNamed(
  { entities }: Pick<KeyManagement, "entities">,
  settings: readonly Naming[],
): Promise<NamedBudgets> {
  const ids = [...new Set(settings.flatMap(({ budget_id: id }) => id ?? []))];
  const { rows } = ids.length === 0 ? { rows: [] } : await entities.list("budget", { ids }, 0, ids.length);
  return new Map(rows.map((row) => [row.id, settingsObject(row) as LimitSettings]));
}

/** Limits as calls are held to them: what is missing is what the named budget says. */
function limitsWith(budgets: NamedBudgets, settings: readonly (LimitSettings & Naming)[]): KeyLimits[] {
  return settings.map((each) => ({ ...limitsOf(budgets.get(each.budget_id ?? "")), ...limitsOf(each) }));
}

/** The budget that something names, as LiteLLM shows it beside the name. */
function budgetShown(parts: KeyManagement, budgets: NamedBudgets, { budget_id: id }: Naming): JsonObject {
  const limits = budgets.get(id ?? "");
  if (limits === undefined) return {};
  const shown = Object.fromEntries(LIMIT_NAMES.map((name) => [name, limits[name] ?? null]));
  return { litellm_budget_table: { budget_id: id!, ...shown, ...resetShown(parts, limitsOf(limits)) } };
}

async function spendOf({ ledger, spend }: KeyManagement, owners: readonly string[]): Promise<number[]> {
  await ledger.flush();
  const sums = await spend.spendOfScopes(owners);
  return owners.map((owner) => sums.get(owner) ?? 0);
}

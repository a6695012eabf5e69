import { sql } from "kysely";
import { checkQuery } from "../../contract/check.ts";
import type { JsonObject } from "../../contract/json.ts";
import { optionalJsonBody } from "../../contract/json-body.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { dayName } from "../../util/day.ts";
import { hashOf, namesIn } from "./filters.ts";
import { aliasesOf, keysNamed } from "./owner-names.ts";
import { periodOf, recentPeriodOf, requiredPeriodOf } from "./period.ts";
import { customersBody, keyPeriodQuery, mostQuery, periodOnly, tagsQuery } from "./report-queries.ts";
import { sumsOf } from "./sums.ts";

/** LiteLLM's `/global/spend`: what was spent in all. */
export async function showSpend(managed: Managed): Promise<JsonObject> {
  const period = recentPeriodOf(checkQuery(periodOnly, managed.exchange.query));
  const [sum] = await sumsOf(managed, { by: [], also: [], period });
  // What the operator has in all is nobody else's business.
  const maxBudget = managed.actor.reachesAll ? managed.parts.maxBudget() : undefined;
  return { spend: sum!.spend, max_budget: maxBudget ?? null };
}

export async function spendOfKeys(managed: Managed): Promise<JsonObject[]> {
  const asked = checkQuery(mostQuery, managed.exchange.query);
  const sums = await sumsOf(managed, {
    by: ["key"],
    also: [],
    period: recentPeriodOf(asked),
    most: asked.limit ?? 100,
  });
  const keys = await keysNamed(
    managed,
    sums.map((sum) => sum.of.key),
  );
  return sums.map(({ of, spend }) => ({
    api_key: of.key,
    key_alias: keys.get(of.key!)?.key_alias ?? null,
    key_name: keys.get(of.key!)?.key_name ?? null,
    total_spend: spend,
  }));
}

export async function spendOfModels(managed: Managed): Promise<JsonObject[]> {
  const asked = checkQuery(mostQuery, managed.exchange.query);
  const sums = await sumsOf(managed, {
    by: ["model"],
    also: ["promptTokens", "completionTokens"],
    period: recentPeriodOf(asked),
    most: asked.limit ?? 10,
  });
  return sums.map(({ of, spend, promptTokens, completionTokens }) => ({
    model: of.model ?? "",
    total_spend: spend,
    total_tokens: promptTokens + completionTokens,
  }));
}

/** What each team spent by day, under its alias, or its id where it has none. */
export async function spendOfTeams(managed: Managed): Promise<JsonObject> {
  const period = recentPeriodOf(checkQuery(periodOnly, managed.exchange.query));
  const sums = await sumsOf(managed, { by: ["day", "team"], also: [], period });
  const aliases = await aliasesOf(
    managed,
    "team",
    sums.map((sum) => sum.of.team),
  );
  const days = new Map<number, Map<string, number>>();
  const totals = new Map<string, number>();
  for (const { of, spend } of sums) {
    const name = of.team === null ? "Unassigned" : (aliases.get(of.team) ?? of.team);
    const day = days.get(of.day) ?? new Map<string, number>();
    days.set(of.day, day.set(name, (day.get(name) ?? 0) + spend));
    totals.set(name, (totals.get(name) ?? 0) + spend);
  }
  return {
    daily_spend: [...days]
      .sort(([one], [other]) => one - other)
      .map(([day, teams]) => Object.fromEntries([...teams, ["date", dayName(day)]])),
    teams: [...totals.keys()],
    total_spend_per_team: [...totals]
      .sort(([, one], [, other]) => other - one)
      .map(([team_id, total_spend]) => ({ team_id, total_spend })),
  };
}

export async function spendOfProviders(managed: Managed): Promise<JsonObject[]> {
  const period = requiredPeriodOf(checkQuery(periodOnly, managed.exchange.query));
  const sums = await sumsOf(managed, { by: ["provider"], also: [], period });
  return sums.map(({ of, spend }) => ({ provider: of.provider ?? "Unassigned", spend }));
}

/** What was spent on each day, by one key where that is named. */
export async function spendOfDays(managed: Managed): Promise<JsonObject[]> {
  const asked = checkQuery(keyPeriodQuery, managed.exchange.query);
  const where =
    asked.api_key === undefined ? [] : [sql<boolean>`spend_logs.key_hash = ${hashOf(asked.api_key)}`];
  const sums = await sumsOf(managed, { by: ["day"], also: [], period: recentPeriodOf(asked), where });
  return sums
    .sort((one, other) => one.of.day - other.of.day)
    .map(({ of, spend }) => ({ date: dayName(of.day), spend }));
}

/** LiteLLM's `/spend/tags`. */
export async function listTagSpend(managed: Managed): Promise<JsonObject[]> {
  const period = periodOf(checkQuery(periodOnly, managed.exchange.query));
  const sums = await sumsOf(managed, { by: ["tag"], also: ["requests"], period });
  return sums.map(({ of, requests, spend }) => ({
    individual_request_tag: of.tag,
    log_count: requests,
    total_spend: spend,
  }));
}

/** LiteLLM's `/global/spend/tags`. */
export async function spendOfTags(managed: Managed): Promise<JsonObject> {
  const asked = checkQuery(tagsQuery, managed.exchange.query);
  const period = requiredPeriodOf(asked);
  const listed = namesIn(asked.tags, "tags");
  const tags = listed?.includes("all-tags") ? undefined : listed;
  const sums = await sumsOf(managed, { by: ["tag"], also: ["requests"], period, tags });
  return {
    spend_per_tag: sums.map(({ of, spend, requests }) => ({ name: of.tag, spend, log_count: requests })),
  };
}

/** The customers that spent most. */
export async function spendOfCustomers(managed: Managed): Promise<JsonObject[]> {
  const asked = await optionalJsonBody(managed.exchange, customersBody);
  const period = recentPeriodOf({
    start_date: asked.startTime ?? undefined,
    end_date: asked.endTime ?? undefined,
  });
  const where = asked.api_key == null ? [] : [sql<boolean>`spend_logs.key_hash = ${hashOf(asked.api_key)}`];
  const sums = await sumsOf(managed, { by: ["customer"], also: ["requests"], period, where, most: 100 });
  return sums.map(({ of, requests, spend }) => ({
    end_user: of.customer ?? "",
    total_count: requests,
    total_spend: spend,
  }));
}

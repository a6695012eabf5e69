import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { checkQuery } from "../../contract/check.ts";
import type { Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ValueOf } from "../../contract/schema.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { csvReply, wantsCsv } from "../../core/http/csv-reply.ts";
import { csvCell } from "../../util/csv-cell.ts";
import { dayName } from "../../util/day.ts";
import { hashOf } from "./filters.ts";
import { aliasesOf } from "./owner-names.ts";
import { requiredPeriodOf } from "./period.ts";
import { reportQuery } from "./report-queries.ts";
import type { Group } from "./sum-sources.ts";
import { type Sum, sumsOf } from "./sums.ts";

type Asked = ValueOf<typeof reportQuery>;

/** How LiteLLM calls the parts of a day and their names. */
const SHAPES = {
  team: { parts: "teams", name: "team_name", nobody: "Unassigned Team" },
  customer: { parts: "customers", name: "customer", nobody: "" },
  organization: { parts: "organizations", name: "organization_name", nobody: "Unassigned Organization" },
} as const;

type Owner = keyof typeof SHAPES;

/** What is told beside the spend. */
const SHOWN = ["promptTokens", "completionTokens", "requests"] as const;
type Spent<G extends Group = never> = Sum<G, "spend" | (typeof SHOWN)[number]>;

/** LiteLLM's `/global/spend/report`: each day by team, customer or organization, or each key by model; also as CSV. */
export async function reportSpend(managed: Managed): Promise<JsonObject[] | Reply> {
  const { headers, query } = managed.exchange;
  const asked = checkQuery(reportQuery, query);
  const isCsv = wantsCsv(asked.format, headers);
  const {
    group_by: by = asked.api_key === undefined && asked.internal_user_id === undefined ? "team" : "api_key",
  } = asked;
  const facts = {
    period: requiredPeriodOf(asked),
    where: conditionsOf(asked),
    isOfCustomers: asked.customer_id !== undefined,
  };
  if (by === "api_key") {
    const sums = await sumsOf(managed, { by: ["key", "model"], also: SHOWN, ...facts });
    return isCsv
      ? csvOf(["api_key", "model"], sums, (sum) => ({ sum, cells: [sum.of.key, sum.of.model] }))
      : keyReport(sums);
  }
  const sums = await sumsOf(managed, { by: ["day", by, "model", "key"], also: SHOWN, ...facts });
  const owner = (sum: (typeof sums)[number]) => (sum.of as Spent<Owner>["of"])[by];
  const aliases =
    by === "customer" ? new Map<string, string>() : await aliasesOf(managed, by, sums.map(owner));
  const nameOf = (id: string | null) => (id === null ? SHAPES[by].nobody : (aliases.get(id) ?? id));
  const rows = sums.map((sum) => ({ sum, day: sum.of.day, id: owner(sum), name: nameOf(owner(sum)) }));
  rows.sort((one, other) => one.day - other.day);
  if (!isCsv) return dayReport(by, rows);
  const columns = ["day", `${by}_id`, SHAPES[by].name, "model", "api_key"];
  const dates = new Map([...new Set(rows.map(({ day }) => day))].map((day) => [day, dayName(day)]));
  return csvOf(columns, rows, ({ sum, day, id, name }) => ({
    sum,
    cells: [dates.get(day)!, id, name, sum.of.model, sum.of.key],
  }));
}

function conditionsOf(asked: Asked): RawBuilder<SqlBool>[] {
  const { api_key: key, internal_user_id: user, team_id: team, customer_id: customer } = asked;
  return [
    ...(key === undefined ? [] : [sql<SqlBool>`spend_logs.key_hash = ${hashOf(key)}`]),
    ...(user === undefined ? [] : [sql<SqlBool>`spend_logs.user_id = ${user}`]),
    ...(team === undefined ? [] : [sql<SqlBool>`spend_logs.team_id = ${team}`]),
    ...(customer === undefined ? [] : [sql<SqlBool>`spend_logs.end_user = ${customer}`]),
  ];
}

interface ReportRow {
  readonly sum: Spent<"model" | "key">;
  readonly day: number;
  readonly id: string | null;
  readonly name: string;
}

function dayReport(by: Owner, rows: readonly ReportRow[]): JsonObject[] {
  const { parts, name } = SHAPES[by];
  return grouped(rows, ({ day }) => day).map(([day, ofDay]) => ({
    group_by_day: `${dayName(day)}T00:00:00+00:00`,
    [parts]: grouped(ofDay, ({ id }) => id).map(([id, own]) => ({
      [name]: own[0]!.name,
      ...(by === "customer" ? {} : { [`${by}_id`]: id }),
      total_spend: own.reduce((total, { sum }) => total + sum.spend, 0),
      metadata: own.map(({ sum }) => ({
        model: sum.of.model,
        api_key: sum.of.key,
        spend: sum.spend,
        total_tokens: sum.promptTokens + sum.completionTokens,
      })),
    })),
  }));
}

function keyReport(sums: readonly Spent<"model" | "key">[]): JsonObject[] {
  const total = (own: typeof sums, of: (sum: Spent<"model" | "key">) => number) =>
    own.reduce((all, sum) => all + of(sum), 0);
  return grouped(sums, ({ of }) => of.key)
    .map(([key, own]) => ({
      api_key: key,
      total_cost: total(own, ({ spend }) => spend),
      total_input_tokens: total(own, ({ promptTokens }) => promptTokens),
      total_output_tokens: total(own, ({ completionTokens }) => completionTokens),
      model_details: own.map((sum) => ({
        model: sum.of.model,
        total_cost: sum.spend,
        total_input_tokens: sum.promptTokens,
        total_output_tokens: sum.completionTokens,
      })),
    }))
    .sort((one, other) => other.total_cost - one.total_cost);
}

/** Rows by a name that they have, both in their order. */
function grouped<T, Name>(rows: readonly T[], nameOf: (row: T) => Name): [Name, T[]][] {
  const groups = new Map<Name, T[]>();
  for (const row of rows) {
    const group = groups.get(nameOf(row));
    if (group === undefined) groups.set(nameOf(row), [row]);
    else group.push(row);
  }
  return [...groups];
}

/** Lines that are made at a time: others have their turn between. */
const AT_ONCE = 1000;

const AMOUNTS = ["spend", "prompt_tokens", "completion_tokens", "total_tokens", "requests"];

/** What a line tells: the amounts of a sum, and the cells before them. */
interface Line {
  readonly sum: Spent;
  readonly cells: readonly (string | null)[];
}

/** @param lineOf is asked while lines are written: there are tens of thousands */
function csvOf<Row>(columns: readonly string[], rows: readonly Row[], lineOf: (row: Row) => Line): Reply {
  return csvReply("spend.csv", [...columns, ...AMOUNTS], csvLines(rows, lineOf));
}

async function* csvLines<Row>(rows: readonly Row[], lineOf: (row: Row) => Line): AsyncGenerator<string> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    let lines = "";
    for (const row of rows.slice(from, from + AT_ONCE)) {
      const { sum, cells } = lineOf(row);
      for (const cell of cells) lines += `${csvCell(cell)},`;
      const { spend, promptTokens: input, completionTokens: output, requests } = sum;
      lines += `${spend},${input},${output},${input + output},${requests}\r\n`;
    }
    yield lines;
    await nextTurn();
  }
}

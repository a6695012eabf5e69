import { setTimeout as sleep } from "node:timers/promises";
import { aboveKeys, type Level, type MakeLevel, type Maker, ofKeys } from "../support/budget-levels.ts";
import { MASTER_KEY } from "../support/gateway.ts";
import { type Outcome, outcomeOf } from "./attacks.ts";
import type { Fleet } from "./fleet.ts";
import { settled } from "./storm.ts";

/** US dollars of a call. */
const CALL = 0.01;
const CENT = 1e-9;
const WORDS = "[[sim:tokens 1000]] [[sim:latency 200]]";
/** Milliseconds after which callers give up. */
const PATIENCE = 600_000;
/** As many callers stand under all levels at once as under so many budgets of one level. */
const NESTED = 4;

/** How large the attack is. */
export interface Size {
  /** At the same moment. */
  readonly callers: number;
  /** Calls that the budget of each level pays for. */
  readonly calls: number;
}

/** What became of one budget; amounts in US dollars. */
export interface LevelReport {
  readonly level: string;
  readonly name: string;
  readonly budget: number;
  readonly billed: number;
  /** By how many calls the budget was passed. */
  readonly overshoot: number;
  /** Calls that were answered whole although nobody is billed for them. */
  readonly unbilled: number;
  /** Calls that this budget refused although some of it was left in the end. */
  readonly refusedEarly: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly broken: readonly string[];
}

/** One budget under attack. */
interface Target {
  readonly kind: string;
  readonly level: Level;
  readonly budget: number;
  readonly outcomes: Record<Outcome, number>;
  /** Whether only callers of this one spend it, so that it is spent in the end. */
  readonly isAlone: boolean;
}

/** Half a call less than what they cost, so that the rounding of sums does not decide about the last one. */
function budgetFor(calls: number): number {
  return (Math.round(calls) - 0.5) * CALL;
}

/** One that calls until a budget refuses it. */
interface Caller {
  readonly key: string;
  readonly more: object;
  /** The budgets that stand above its calls. */
  readonly under: readonly Target[];
}

/** What an attack did and found. */
export interface LevelsReport {
  readonly levels: readonly LevelReport[];
  /** Replicas that were killed while callers called. */
  readonly kills: number;
  /** Seconds for which callers called without Redis. */
  readonly withoutRedis: number;
}

/** Every budget is spent at once by callers at all replicas, while replicas are killed and Redis goes and comes. */
export async function attackLevels(fleet: Fleet, { callers, calls }: Size): Promise<LevelsReport> {
  const maker = makerAt(fleet);
  const apart = await targetsApart(maker, calls);
  const nested = await targetsNested(maker, calls);
  const groups = apart.map((target) => callersOf(target));
  for (let at = 0; at < NESTED; at += 1) groups.push(nested.callers);
  const over = new AbortController();
  const striking = strike(fleet, over.signal);
  await Promise.all(
    Array.from({ length: callers }, (_, at) => {
      const group = groups[at % groups.length]!;
      return spend(fleet, group[(7 * at + Math.floor(at / groups.length)) % group.length]!, at);
    }),
  );
  over.abort();
  const struck = await striking;
  return { levels: await Promise.all([...apart, ...nested.targets].map(judge)), ...struck };
}

function makerAt(fleet: Fleet): Maker {
  return {
    must: async (path, body, init = {}) => {
      const gateway = await fleet.any(0);
      const answer = await gateway.call(path, { ...init, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
      return JSON.parse(text) as Record<string, unknown>;
    },
    masterKey: () => MASTER_KEY,
  };
}

const target = (kind: string, level: Level, budget: number, isAlone: boolean): Target => ({
  kind,
  level,
  budget,
  outcomes: { passed: 0, refused: 0, later: 0, failed: 0 },
  isAlone,
});

/** One budget of each level, of which no other has a part. */
async function targetsApart(maker: Maker, calls: number): Promise<readonly Target[]> {
  const levels: Readonly<Record<string, MakeLevel>> = {
    ...aboveKeys(maker),
    ...ofKeys(maker, "gpt", "other-gpt"),
  };
  const found: Target[] = [];
  for (const [kind, make] of Object.entries(levels))
    found.push(target(kind, await make({ max_budget: budgetFor(calls) }), budgetFor(calls), true));
  return found;
}

function callersOf(of: Target): readonly Caller[] {
  return of.level.keys.map((key) => ({ key, more: of.level.more ?? {}, under: [of] }));
}

/** What the budgets of the nest pay for, in parts of a level's calls: each of them ends before those above it for somebody. */
const NEST = {
  organization: 1,
  customers: [0.25, 1, 1],
  tags: [0.4, 1],
  teams: [
    {
      share: 2,
      members: [
        { share: 1, key: 0.04 },
        { share: 0.12, key: 1 },
        { share: 2, key: 2 },
      ],
    },
    {
      share: 0.3,
      members: [
        { share: 1, key: 1 },
        { share: 1, key: 1 },
      ],
    },
  ],
};

/**
 * Keys of members of teams of one organization, with tags, which call for customers and have a budget for their model:
 * each call stands under a budget of every level.
 */
async function targetsNested(maker: Maker, calls: number) {
  const { must } = maker;
  const targets: Target[] = [];
  const dollars = (share: number) => budgetFor(calls * share);
  const add = (kind: string, name: string, share: number, shown: Level["shown"]): Target => {
    const level: Level = { keys: ["", ""], name, shown, change: async () => undefined };
    const made = target(`${kind}, nested`, level, dollars(share), false);
    targets.push(made);
    return made;
  };
  const organization = add("organization", "the organization nest", NEST.organization, () =>
    must("/organization/info?organization_id=nest"),
  );
  const named = { organization_id: "nest", organization_alias: "nest" };
  await must("/organization/new", { ...named, max_budget: organization.budget });
  const customers: Target[] = [];
  for (const [at, share] of NEST.customers.entries()) {
    const user_id = `nest-c${at}`;
    const shown = () => must(`/customer/info?end_user_id=${user_id}`);
    customers.push(add("customer", `the customer ${user_id}`, share, shown));
    await must("/customer/new", { user_id, max_budget: dollars(share) });
  }
  const tags: Target[] = [];
  for (const [at, share] of NEST.tags.entries()) {
    const name = `nest-g${at}`;
    const shown = async () => inside((await must("/tag/info", { names: [name] }))[name]);
    tags.push(add("tag", `the tag ${name}`, share, shown));
    await must("/tag/new", { name, max_budget: dollars(share) });
  }
  const callers: Caller[] = [];
  for (const [number, { share, members }] of NEST.teams.entries()) {
    const team_id = `nest-t${number}`;
    const info = () => must(`/team/info?team_id=${team_id}`);
    const team = add("team", `the team ${team_id}`, share, async () => inside((await info()).team_info));
    await must("/team/new", { team_id, organization_id: "nest", max_budget: team.budget });
    for (const [at, of] of members.entries()) {
      const user_id = `${team_id}-u${at}`;
      const member = add("member", `the user ${user_id} in the team ${team_id}`, of.share, async () => {
        const all = (await info()).team_memberships as { user_id: string }[];
        return inside(all.find((each) => each.user_id === user_id));
      });
      const joins = { team_id, member: { user_id, role: "user" } };
      await must("/team/member_add", { ...joins, max_budget_in_team: member.budget });
      for (const [of_tag, tag] of tags.entries()) {
        const limits = { max_budget: dollars(of.key), model_max_budget: { gpt: { max_budget: dollars(2) } } };
        const fields = { team_id, user_id, tags: [`nest-g${of_tag}`], ...limits };
        const key = (await must("/key/generate", fields)).key as string;
        const ofKey = add("key and model", "this api key", of.key, async () =>
          inside((await must(`/key/info?key=${key}`)).info),
        );
        for (const [index, customer] of customers.entries()) {
          const under = [organization, customer, tag, team, member, ofKey];
          callers.push({ key, more: { user: `nest-c${index}` }, under });
        }
      }
    }
  }
  return { targets, callers };
}

const inside = (value: unknown) => value as Record<string, unknown>;

/** Calls until a budget refuses, which is then remembered with the budget that the refusal names. */
async function spend(fleet: Fleet, { key, more, under }: Caller, at: number): Promise<void> {
  const body = { model: "gpt", max_tokens: 1000, messages: [{ role: "user", content: WORDS }], ...more };
  const deadline = performance.now() + PATIENCE;
  for (let made = 0; performance.now() < deadline; made += 1) {
    const [outcome, text] = await callOnce(await fleet.any(at + made), key, body);
    const named = under.filter(({ level }) => text.includes(`The budget of ${level.name}`));
    for (const each of outcome === "refused" ? named : under) each.outcomes[outcome] += 1;
    if (outcome === "refused") {
      if (named.length === 0) throw new Error(`refused by a budget of somebody else: ${text}`);
      return;
    }
    if (outcome !== "passed") await sleep(200);
  }
}

async function callOnce(
  gateway: Awaited<ReturnType<Fleet["any"]>>,
  key: string,
  body: object,
): Promise<readonly [Outcome, string]> {
  try {
    const answer = await gateway.call("/v1/chat/completions", { key, body });
    const text = await answer.text();
    return [outcomeOf(answer.status), text];
  } catch (error) {
    return ["failed", String(error)];
  }
}

/** Kills replicas one after the other and all at once while Redis is there, gone and back. */
async function strike(fleet: Fleet, signal: AbortSignal) {
  const pause = (milliseconds: number) => sleep(milliseconds, undefined, { signal }).catch(() => undefined);
  let kills = 0;
  const kill = async (...turns: number[]): Promise<void> => {
    if (signal.aborted) return;
    kills += turns.length;
    await Promise.all(turns.map((turn) => fleet.killOne(turn)));
  };
  await pause(300);
  await kill(0);
  const since = performance.now();
  await fleet.stopRedis();
  await pause(1000);
  await kill(1);
  await pause(4000);
  const withoutRedis = Math.round((performance.now() - since) / 1000);
  await fleet.startRedisAgain();
  await kill(2);
  await pause(1000);
  await kill(0, 1, 2);
  return { kills, withoutRedis };
}

async function judge({ kind, level, budget, outcomes, isAlone }: Target): Promise<LevelReport> {
  const billed = await settled(async () => Number((await level.shown()).spend));
  const overshoot = Math.max(0, (billed - budget) / CALL);
  const isLeft = billed < budget - CENT;
  const refusedEarly = isLeft ? outcomes.refused : 0;
  const unbilled = Math.max(0, Math.round(outcomes.passed - billed / CALL));
  const broken = [
    ...(overshoot > 1 + CENT ? [`${overshoot.toFixed(1)} calls over the budget`] : []),
    ...(refusedEarly > 0 ? [`refused while $${(budget - billed).toFixed(2)} were left`] : []),
    ...(isAlone && isLeft ? [`$${(budget - billed).toFixed(2)} could not be spent`] : []),
    ...(unbilled > 0 ? [`${unbilled} answers not billed`] : []),
  ];
  return {
    level: kind,
    name: level.name,
    budget,
    billed,
    overshoot,
    unbilled,
    refusedEarly,
    outcomes,
    broken,
  };
}

/** The reports as a table. */
export function tableOfLevels({ levels, kills, withoutRedis }: LevelsReport): string {
  const rows = levels.map((report) => {
    const { passed, refused, later, failed } = report.outcomes;
    return [
      report.level,
      `$${report.budget.toFixed(3)}`,
      `$${report.billed.toFixed(2)}`,
      report.overshoot.toFixed(2),
      report.refusedEarly,
      `${passed}/${refused}/${later}/${failed}`,
      report.broken.join(", ") || "holds",
    ].join(" | ");
  });
  return [
    "| Level | Budget | Billed | Calls over | Refused while some was left | passed/402/429/failed | |",
    "|---|---|---|---|---|---|---|",
    ...rows.map((row) => `| ${row} |`),
    "",
    `${kills} replicas were killed, and Redis was away for ${withoutRedis} s.`,
  ].join("\n");
}

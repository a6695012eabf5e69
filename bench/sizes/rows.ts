import { createHash } from "node:crypto";
import type { SizesOptions } from "./options.ts";

const DAY = 86_400_000;
const MODELS = 24;
const PROVIDERS = ["openai", "anthropic", "vertex_ai", "bedrock"];
const CUSTOMERS = 20_000;
const TAGS = 60;
const ORGANIZATIONS = 100;
const AUDIT_ENTRIES = 200_000;

type Cell = string | number | null;

/** A table and its rows. */
export interface Rows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly count: number;
  readonly rows: Iterable<readonly Cell[]>;
}

type Sizes = Pick<SizesOptions, "rows" | "keys" | "teams" | "days">;

/** The text of the key with this number. */
export const keyText = (number: number | "chief"): string => `sk-size-${number}-0123456789`;
const hashes = new Map<number | "chief", string>();
function hashOf(number: number | "chief"): string {
  const known = hashes.get(number);
  if (known !== undefined) return known;
  const hash = createHash("sha256").update(keyText(number)).digest("hex");
  hashes.set(number, hash);
  return hash;
}

/** The hash of the key with this number. */
export const keyHash = (number: number): string => hashOf(number);

const teamOf = (key: number, { teams }: Sizes): number => key % teams;
const organizationOf = (team: number): number => team % ORGANIZATIONS;
/** Two keys to a user. */
const userOf = (key: number): number => key >> 1;

/** The same numbers in every run, from 0 up to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A few are used much and most are used little, as Zipf's law has it: the first of 100,000 gets a twelfth of all. */
const ranked = (random: number, count: number): number => Math.floor(count ** random) - 1;

/** What every tenth key and team has: a budget whose rest rolls over, which lists tell of. */
const ROLLING = { max_budget: 100, budget_duration: "30d", max_rollover: 50 };
const settingsOf = (number: number): string => (number % 10 === 9 ? JSON.stringify(ROLLING) : "{}");

/** Everything that a store of these sizes holds. */
export function rowsOf(sizes: Sizes): Rows[] {
  const now = Date.now();
  return [
    keyRows(sizes, now),
    ...entityRows(sizes, now),
    ...spentRows(sizes, now),
    auditRows(sizes, now),
    spendRows(sizes, now),
  ];
}

function keyRows(sizes: Sizes, now: number): Rows {
  const columns =
    "key_hash key_name key_alias user_id user_role team_id metadata team_metadata models blocked created_at created_by updated_at updated_by organization_id settings";
  return {
    table: "gateway_keys",
    columns: columns.split(" "),
    count: sizes.keys + 1,
    rows: each(sizes.keys + 1, (key) => {
      // Whoever administers an organization does so with a key that is bound to none.
      if (key === sizes.keys)
        return [
          ...[hashOf("chief"), "sk-...6789", "chief", "user-2", "internal_user", null],
          ...["{}", "{}", "[]", 0, now, "bench", now, "bench", null, "{}"],
        ];
      const team = teamOf(key, sizes);
      const alias = `alias ${key}`;
      const at = now - (key % sizes.days) * DAY;
      return [
        ...[hashOf(key), "sk-...6789", alias, `user-${userOf(key)}`, "internal_user", `team-${team}`],
        ...["{}", "{}", "[]", 0, at, "bench", at, "bench", `organization-${organizationOf(team)}`],
        settingsOf(key),
      ];
    }),
  };
}

function entityRows(sizes: Sizes, now: number): Rows[] {
  const users = userOf(sizes.keys - 1) + 1;
  const of = (kind: string, count: number, organization: (number: number) => string | null = () => null) => ({
    table: "entities",
    columns:
      "kind id alias email organization_id settings version created_at created_by updated_at updated_by".split(
        " ",
      ),
    count,
    rows: each(count, (number) => [
      ...[kind, `${kind}-${number}`, `${kind} ${number}`],
      ...[kind === "user" ? `user-${number}@example.com` : null, organization(number)],
      ...[kind === "user" ? '{"user_role":"internal_user"}' : kind === "team" ? settingsOf(number) : "{}", 1],
      ...[now, "bench", now, "bench"],
    ]),
  });
  return [
    of("organization", ORGANIZATIONS),
    of("team", sizes.teams, (team) => `organization-${organizationOf(team)}`),
    of("user", users),
    of("customer", CUSTOMERS),
    of("tag", TAGS),
    of("budget", 100),
    {
      table: "memberships",
      columns: ["kind", "parent_id", "user_id", "role", "settings", "created_at"],
      count: users + 1,
      rows: each(users + 1, (number) => {
        if (number === users) return ["organization", "organization-0", "user-2", "org_admin", "{}", now];
        const team = teamOf(number * 2, sizes);
        return ["team", `team-${team}`, `user-${number}`, number === 0 ? "admin" : "user", "{}", now];
      }),
    },
  ];
}

/** What keys and teams have spent in all, and since when their budgets roll over. */
function spentRows(sizes: Sizes, now: number): Rows[] {
  const ownerOf = (team: number): string => `team ${now.toString(36)} team-${team}`;
  const terms = (owners: number, nameOf: (number: number) => string): Rows => ({
    table: "budget_terms",
    columns: ["owner", "windows", "budget", "budget_before", "before_until"],
    count: Math.floor(owners / 10),
    rows: each(Math.floor(owners / 10), (number) => [
      ...[nameOf(number * 10 + 9), `${ROLLING.budget_duration} `, ROLLING.max_budget, 0, 0],
    ]),
  });
  return [
    terms(sizes.teams, ownerOf),
    terms(sizes.keys, hashOf),
    {
      table: "key_spend",
      columns: ["key_hash", "spend"],
      count: sizes.keys,
      rows: each(sizes.keys, (key) => [hashOf(key), (key % 1000) / 8]),
    },
    {
      table: "budget_windows",
      columns: ["key_hash", "window_start", "spend"],
      count: sizes.teams,
      rows: each(sizes.teams, (team) => [ownerOf(team), 0, (team % 1000) / 4]),
    },
  ];
}

function auditRows(sizes: Sizes, now: number): Rows {
  const columns = "id updated_at changed_by changed_by_api_key action table_name object_id team_id";
  return {
    table: "audit_log",
    columns: columns.split(" "),
    count: AUDIT_ENTRIES,
    rows: each(AUDIT_ENTRIES, (number) => {
      const key = number % sizes.keys;
      const at = now - number * 1000;
      return [
        ...[`audit-${number}`, at, "bench", hashOf(0), "updated", "LiteLLM_VerificationToken"],
        ...[hashOf(key), `team-${teamOf(key, sizes)}`],
      ];
    }),
  };
}

export function spendRows(sizes: Sizes, now: number): Rows {
  const columns =
    "id request_id key_hash user_id team_id model model_id provider call_type status prompt_tokens completion_tokens cache_read_tokens cache_write_tokens spend started_at ended_at organization_id end_user tags session_id";
  const random = randomFrom(1);
  const step = (sizes.days * DAY) / sizes.rows;
  return {
    table: "spend_logs",
    columns: columns.split(" "),
    count: sizes.rows,
    rows: each(sizes.rows, (number) => {
      const key = ranked(random(), sizes.keys);
      const team = teamOf(key, sizes);
      // Most calls of a key go to the same model.
      const model = (key + (random() < 0.8 ? 0 : ranked(random(), MODELS))) % MODELS;
      const at = Math.floor(now - (sizes.rows - number) * step);
      const input = Math.floor(random() * 4000);
      const output = Math.floor(random() * 800);
      const outcome = random();
      const id = number.toString(16).padStart(12, "0");
      return [
        ...[`${id}-0000-7000-8000-000000000000`, `call-${id}`, hashOf(key), `user-${userOf(key)}`],
        ...[`team-${team}`, `model-${model}`, `deployment-${model}`, PROVIDERS[model % PROVIDERS.length]!],
        ...["acompletion", outcome < 0.96 ? "success" : outcome < 0.99 ? "failure" : "left", input, output],
        ...[
          input >> 1,
          input >> 3,
          (input * 3 + output * 15) / 1e6,
          at,
          at + 200 + Math.floor(random() * 9000),
        ],
        ...[
          `organization-${organizationOf(team)}`,
          key % 4 === 0 ? `customer-${ranked(random(), CUSTOMERS)}` : null,
        ],
        key % 3 === 0 ? `["tag-${key % TAGS}","all"]` : null,
        number % 4 === 0 ? `session-${number >> 8}` : null,
      ];
    }),
  };
}

function* each<T>(count: number, make: (number: number) => T): Generator<T> {
  for (let number = 0; number < count; number += 1) yield make(number);
}

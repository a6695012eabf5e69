import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { budgetOwners } from "./support/budget-owners.ts";
import { describeOnEachDeployment } from "./support/deployments.ts";
import type { CallInit, TestGateway } from "./support/gateway.ts";

const FILE_KEY = "sk-of-the-configuration";
const BUDGET = { max_budget: 1, budget_duration: "1d" };
const NOW = Date.parse("2026-11-24T12:00:00Z");
/** The next midnights in New York: of the day, the day after and the month. */
const MIDNIGHT = "2026-11-25T05:00:00.000Z";
const NEXT_MIDNIGHT = "2026-11-26T05:00:00.000Z";
const NEXT_MONTH = "2026-12-01T05:00:00.000Z";

type Answer = Record<string, unknown>;

describeOnEachDeployment("budget_reset_at", (start) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOW });
    gateway = await start({
      config: `litellm_settings: {timezone: US/Eastern}
general_settings: {master_key: sk-test-master-key-0123456789}
keys:
  - {key: ${FILE_KEY}, max_budget: 1, budget_duration: 1d}
`,
    });
  });
  afterAll(async () => {
    vi.useRealTimers();
    await gateway?.close();
  });

  async function ask(path: string, body?: object, init: CallInit = {}): Promise<Answer> {
    const answer = await gateway.call(path, { ...init, ...(body && { body }), key: gateway.masterKey });
    const content = (await answer.json()) as Answer;
    expect(answer.status, `${path}: ${JSON.stringify(content)}`).toBe(200);
    return content;
  }

  /** Owners of each kind: with a budget of a day, with one that holds for good, and with one that they name. */
  async function make(): Promise<Record<string, string>> {
    await ask("/budget/new", { budget_id: "daily", ...BUDGET });
    await ask("/budget/new", { budget_id: "for good", max_budget: 1 });
    const kinds: Record<string, object> = {
      own: BUDGET,
      "for good": { max_budget: 1 },
      named: { budget_id: "daily" },
      "its own comes first": { budget_id: "daily", budget_duration: "1mo" },
    };
    const keys: Record<string, string> = {};
    for (const [alias, fields] of Object.entries(kinds)) {
      keys[alias] = (await ask("/key/generate", { key_alias: alias, ...fields })).key as string;
      const id = { organization_id: alias, organization_alias: alias };
      await ask("/organization/new", { ...id, ...fields });
      await ask("/team/new", { team_id: alias, team_alias: alias, ...fields });
      await ask("/user/new", { user_id: alias, user_alias: alias, auto_create_key: false, ...fields });
      await ask("/customer/new", { user_id: alias, alias, ...fields });
      await ask("/tag/new", { name: alias, ...fields });
    }
    await ask("/key/generate", { key_alias: "of both", team_id: "own", user_id: "own", ...BUDGET });
    await ask("/team/member_add", {
      team_id: "own",
      member: { user_id: "own", role: "user" },
      max_budget_in_team: 1,
      budget_duration: "1d",
    });
    return keys;
  }

  const expected: Record<string, string | null> = {
    own: MIDNIGHT,
    "of both": MIDNIGHT,
    daily: MIDNIGHT,
    "for good": null,
    named: MIDNIGHT,
    "its own comes first": NEXT_MONTH,
  };
  /** How the objects of each kind are told apart. */
  const names = ["key_alias", "team_alias", "user_alias", "organization_alias", "alias", "name", "budget_id"];

  /** Every object with a budget in an answer, at any depth, by its name. */
  function found(value: unknown): [string, unknown][] {
    if (Array.isArray(value)) return value.flatMap(found);
    if (typeof value !== "object" || value === null) return [];
    const object = value as Answer;
    const within = Object.values(object).flatMap(found);
    const name = names.map((each) => object[each]).find((each) => typeof each === "string");
    const isOwner = "max_budget" in object || "max_budget_in_team" in object || "budget_id" in object;
    return isOwner ? [[String(name ?? object.user_id), object.budget_reset_at], ...within] : within;
  }

  it("stands at each owner wherever it is shown", async () => {
    const keys = await make();
    const routes: [path: string, body?: object][] = [
      ["/key/list?return_full_object=true"],
      ["/spend/keys"],
      ["/team/list"],
      ["/v2/team/list"],
      ["/user/list"],
      ["/spend/users"],
      ["/organization/list"],
      ["/customer/list"],
      ["/tag/list"],
      ["/budget/list"],
      ["/budget/info", { budgets: ["daily", "for good"] }],
      ["/team/info?team_id=own"],
      ["/user/info?user_id=own"],
      ["/v2/user/info?user_id=own"],
      ["/organization/info?organization_id=own"],
      ["/customer/info?end_user_id=own"],
      ["/tag/info", { names: ["own", "for good"] }],
      ...Object.keys(keys).map((alias): [string] => [`/key/info?key=${keys[alias]}`]),
      ["/key/update", { key: keys.own, max_budget: 2 }],
      ["/key/block", { key: keys.own }],
      [`/key/${keys.own}/regenerate`, {}],
    ];
    for (const [path, body] of routes) {
      const shown = found(await ask(path, body));
      expect(shown.length, path).toBeGreaterThan(0);
      for (const [name, reset] of shown) expect([path, name, reset]).toEqual([path, name, expected[name]]);
    }
    const ofFile = (await ask(`/key/info?key=${FILE_KEY}`)).info as Answer;
    expect(ofFile.budget_reset_at).toBe(MIDNIGHT);
    const team = (await ask("/team/info?team_id=own")) as { team_memberships: Answer[] };
    expect(team.team_memberships[0]).toMatchObject({ user_id: "own", budget_reset_at: MIDNIGHT });
  });

  const kinds = budgetOwners(ask);

  it.each(Object.entries(kinds))("follows each change of a %s, and the clock", async (name, kind) => {
    const id = `walked ${name}`;
    const made = await kind.make(id, { max_budget: 1 });
    expect(made).toHaveProperty("budget_reset_at", null);
    const shows = async (when: string | null): Promise<void> => {
      expect(await kind.show(id)).toHaveProperty("budget_reset_at", when);
    };
    await shows(null);
    for (const [duration, when] of [
      ["1d", MIDNIGHT],
      ["1mo", NEXT_MONTH],
      [null, null],
      ["1d", MIDNIGHT],
    ] as const) {
      const changed = await kind.change(id, { budget_duration: duration });
      expect(changed).toHaveProperty("budget_reset_at", when);
      await shows(when);
    }
    const twin = await kind.make(`${id} from the start`, BUDGET);
    expect(twin).toHaveProperty("budget_reset_at", MIDNIGHT);
    try {
      vi.setSystemTime(Date.parse(MIDNIGHT) - 1);
      await shows(MIDNIGHT);
      vi.setSystemTime(Date.parse(MIDNIGHT));
      await shows(NEXT_MIDNIGHT);
    } finally {
      vi.setSystemTime(NOW);
    }
  });
});

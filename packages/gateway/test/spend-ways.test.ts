import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Attack, makeAttacks } from "./attack-budgets/attacks.ts";
import { configOf } from "./attack-budgets/fleet.ts";
import { register } from "./support/a2a.ts";
import { type ChildGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { until } from "./support/until.ts";

/** US dollars of which every way to spend has enough, and of which none has. */
const PLENTY = 100;
const NOTHING_LEFT = 0.000_001;

const AGENT = { metadata: { agents: ["clerk"] } };
/** Ways that spend nothing, or only where the caller leaves late enough. */
const LEFT_OUT = /token counts|without a price|whole answers|short time/;
/** What goes on after its request was answered, which the stores differ in. */
const LASTING = /background|batches|agents/;
/** Those of them whose cost is known long after they were accepted, and one that is known at once. */
const LATE = /background, at|batches, (?:at|translated)|videos$|^streams$/;
/** Requests with which a provider begins to spend. */
const SPENDING =
  /\/(?:completions|messages|responses|embeddings|videos|batches|batches\/?)$|:(?:generate|stream)/;

const AT_PROVIDERS: Readonly<Record<string, string>> = {
  gpt: "openai/gpt-4o",
  claude: "anthropic/claude-sonnet-4-5",
  words: "openai/text-embedding-3-small",
  film: "openai/sora-2",
};
/** Everything that can name a model beside its group: deployments by id and name, aliases of group, map and key. */
const spellings: readonly ((model: string) => string)[] = [
  (model) => `${model}-1`,
  (model) => AT_PROVIDERS[model]!,
  (model) => `other-${model}`,
  (model) => `mapped-${model}`,
  (model) => `own-${model}`,
];

/** Who or what has a budget in whose name a key calls. */
interface Scope {
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  setBudget(dollars: number): Promise<unknown>;
}

describe.each([
  ["SQLite", /./],
  ["PostgreSQL", LASTING],
] as const)("Every way to spend on %s", (kind, waysOf) => {
  const skip = kind === "PostgreSQL" && !hasPostgres;
  let simulator: Simulator;
  let postgres: TestDatabases | undefined;
  let gateway: TestGateway;
  beforeAll(async () => {
    if (skip) return;
    simulator = await startSimulator();
    postgres = kind === "PostgreSQL" ? await openDatabases() : undefined;
    const environment = postgres === undefined ? {} : { DATABASE_URL: await postgres.createDatabase() };
    gateway = await startTestGateway({ config: configOf(simulator.url), environment });
    await register(gateway, { agent_name: "clerk", gateway_params: { model: "gpt", max_tokens: 1000 } });
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
    await postgres?.stop();
  });

  async function must(path: string, body: object, method = "POST"): Promise<Record<string, unknown>> {
    const answer = await gateway.call(path, { body, method });
    const text = await answer.text();
    expect(answer.status, `${path} ${text}`).toBe(200);
    return JSON.parse(text) as Record<string, unknown>;
  }

  const keyOf = async (fields: object): Promise<string> =>
    String((await must("/key/generate", { ...AGENT, ...fields })).key);

  /** A key with a budget for each model, under a name of that. */
  async function keyForModels(spelling: (model: string) => string): Promise<Scope> {
    const names = Object.keys(AT_PROVIDERS);
    const models = (dollars: number) => ({
      model_max_budget: Object.fromEntries(names.map((model) => [spelling(model), budget(dollars)])),
    });
    const aliases = Object.fromEntries(names.map((model) => [`own-${model}`, model]));
    const key = await keyOf({ ...models(PLENTY), aliases });
    return { key, setBudget: (dollars) => must("/key/update", { key, ...models(dollars) }) };
  }

  let made = 0;
  const budget = (max_budget: number) => ({ max_budget });
  const scopes: Readonly<Record<string, (id: string) => Promise<Scope>>> = {
    key: async () => {
      const key = await keyOf(budget(PLENTY));
      return { key, setBudget: (dollars) => must("/key/update", { key, ...budget(dollars) }) };
    },
    "key, for some models": () => keyForModels((model) => model),
    organization: async (id) => {
      const named = { organization_id: id };
      await must("/organization/new", { ...named, organization_alias: id, ...budget(PLENTY) });
      return {
        key: await keyOf(named),
        setBudget: (dollars) => must("/organization/update", { ...named, ...budget(dollars) }, "PATCH"),
      };
    },
    team: async (id) => {
      const named = { team_id: id };
      await must("/team/new", { ...named, ...budget(PLENTY) });
      return {
        key: await keyOf(named),
        setBudget: (dollars) => must("/team/update", { ...named, ...budget(dollars) }),
      };
    },
    member: async (id) => {
      const named = { team_id: id, user_id: `u-${id}` };
      await must("/team/new", { team_id: id });
      const member = { user_id: named.user_id, role: "user" };
      await must("/team/member_add", { team_id: id, member, max_budget_in_team: PLENTY });
      return {
        key: await keyOf(named),
        setBudget: (dollars) => must("/team/member_update", { ...named, max_budget_in_team: dollars }),
      };
    },
    user: async (id) => {
      const named = { user_id: id };
      await must("/user/new", { ...named, auto_create_key: false, ...budget(PLENTY) });
      return {
        key: await keyOf(named),
        setBudget: (dollars) => must("/user/update", { ...named, ...budget(dollars) }),
      };
    },
    customer: async (id) => {
      const named = { user_id: id };
      await must("/customer/new", { ...named, ...budget(PLENTY) });
      return {
        key: await keyOf({}),
        headers: { "x-litellm-customer-id": id },
        setBudget: (dollars) => must("/customer/update", { ...named, ...budget(dollars) }),
      };
    },
    "tag of a request": async (name) => {
      await must("/tag/new", { name, ...budget(PLENTY) });
      return {
        key: await keyOf({}),
        headers: { "x-litellm-tags": name },
        setBudget: (dollars) => must("/tag/update", { name, ...budget(dollars) }),
      };
    },
    "tag of a key": async (name) => {
      await must("/tag/new", { name, ...budget(PLENTY) });
      return {
        key: await keyOf({ tags: [name] }),
        setBudget: (dollars) => must("/tag/update", { name, ...budget(dollars) }),
      };
    },
  };

  /** The gateway as it is asked in the name of a scope. */
  const asked = ({ headers }: Scope): ChildGateway =>
    ({
      ...gateway,
      call: (path, init = {}) =>
        gateway.call(
          path,
          init.key === undefined ? init : { ...init, headers: { ...init.headers, ...headers } },
        ),
    }) as ChildGateway;

  async function spendOf(key: string): Promise<number> {
    const answer = await gateway.call(`/key/info?key=${key}`);
    return ((await answer.json()) as { info: { spend: number } }).info.spend;
  }

  const spending = (): string[] =>
    simulator
      .received()
      .filter(({ method, path }) => method === "POST" && SPENDING.test(path))
      .map(({ path }) => path);

  const isOver = (way: Attack) => until(async () => (await way.isOver?.(gateway as ChildGateway)) ?? true);

  /** A way to spend in the name of a scope. */
  interface Cell {
    readonly way: Attack;
    readonly scope: Scope;
    readonly name: string;
  }

  const cellsOf = (name: string, ways: readonly Attack[], scoped = scopes[name]!): Promise<Cell[]> =>
    Promise.all(
      ways
        .filter((way) => waysOf.test(way.name) && !LEFT_OUT.test(way.name))
        .map(async (way) => {
          made += 1;
          const scope = await scoped(`${kind}-${made}`);
          return { way, scope, name: `${way.name}, ${name}` };
        }),
    );

  /** Each cell spends once, and then, with nothing left, no provider is asked any more. */
  async function spendAndStop(cells: readonly Cell[]): Promise<void> {
    await Promise.all(
      cells.map(async ({ way, scope, name }) => {
        expect(await way.send(asked(scope), scope.key), name).toBe("passed");
        await isOver(way);
        await until(
          async () => ({ name, spend: await spendOf(scope.key) }),
          ({ spend }) => spend > 0,
        );
      }),
    );
    for (const { scope } of cells) await scope.setBudget(NOTHING_LEFT);
    const spent = spending().length;
    const asking: string[] = [];
    await Promise.all(
      cells.map(async ({ way, scope, name }) => {
        // What the gateway runs itself is accepted, and each call of it refused.
        if ((await way.send(asked(scope), scope.key)) === "passed") await isOver(way);
        asking.push(
          ...spending()
            .slice(spent + asking.length)
            .map((path) => `${path} at the latest by ${name}`),
        );
      }),
    );
    expect(asking).toEqual([]);
  }

  it.skipIf(skip)("counts for everybody in whose name it is, and stops with each one's budget", async () => {
    const all = await Promise.all(Object.keys(scopes).map((name) => cellsOf(name, makeAttacks())));
    await spendAndStop(all.flat());
  });

  // The stores do not differ in names.
  if (kind === "SQLite") {
    it("stops with a model's budget by whatever name the model is called", async () => {
      const all = await Promise.all(
        spellings.map((spelling) => cellsOf("key, for some models", makeAttacks(spelling))),
      );
      await spendAndStop(all.flat());
    });

    it("stops with a model's budget by whatever name the budget has, also what is billed late", async () => {
      const all = await Promise.all(
        spellings.map((spelling, index) => {
          const called = spellings[(index + 1) % spellings.length]!;
          const ways = makeAttacks(called).filter(({ name }) => LATE.test(name));
          return cellsOf(`a budget for ${spelling("gpt")}`, ways, () => keyForModels(spelling));
        }),
      );
      await spendAndStop(all.flat());
    });
  }

  /** A batch that its model's provider could run, with a customer or a tag in one of its rows. */
  async function batchOf(key: string, row: object, more: object = {}): Promise<Record<string, unknown>> {
    const bodyOf = (own: object) => ({ model: "gpt", messages: [{ role: "user", content: "x" }], ...own });
    const rows = [{}, row].map((own, index) =>
      JSON.stringify({
        custom_id: String(index),
        method: "POST",
        url: "/v1/chat/completions",
        body: bodyOf(own),
      }),
    );
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("model", "gpt");
    form.append("file", new File([rows.join("\n")], "rows.jsonl"));
    const file = await gateway.call("/v1/files", { key, body: form });
    const { id } = (await file.json()) as { id: string };
    const body = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h", ...more };
    const answer = await gateway.call("/v1/batches", { key, body });
    return { ...((await answer.json()) as object), code: answer.status };
  }

  it.skipIf(skip)("holds those whom rows of batches name, which only the gateway can", async () => {
    const key = await keyOf({});
    await must("/customer/new", { user_id: "in-rows", ...budget(NOTHING_LEFT) });
    await must("/customer/new", { user_id: "without-limits" });
    await must("/customer/new", { user_id: "bad" });
    await must("/customer/block", { user_ids: ["bad"] });
    await must("/tag/new", { name: "in-rows", ...budget(0) });
    const atProvider = (): number => spending().filter((path) => path.endsWith("/batches")).length;
    for (const row of [{ user: "in-rows" }, { metadata: { tags: ["in-rows"] } }]) {
      const before = atProvider();
      const made = await batchOf(key, row);
      expect(made).toMatchObject({ code: 200 });
      const over = await until(
        async () => (await (await gateway.call(`/v1/batches/${made.id}`)).json()) as Record<string, unknown>,
        ({ status }) => status === "completed",
      );
      const spends = "user" in row;
      // A budget that has something left takes one call, and one of nothing none.
      expect(over).toMatchObject({ request_counts: { completed: spends ? 2 : 1, failed: spends ? 0 : 1 } });
      expect(atProvider()).toBe(before);
      const insists = await batchOf(key, row, { execution: "provider" });
      expect(insists).toMatchObject({
        code: 400,
        error: { message: expect.stringContaining("limits of their own") },
      });
    }
    expect(await batchOf(key, { user: "bad" })).toMatchObject({ code: 403 });
    const before = atProvider();
    expect(await batchOf(key, { user: "without-limits" })).toMatchObject({ code: 200 });
    expect(atProvider()).toBe(before + 1);
  });
});

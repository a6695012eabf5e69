import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";
import { startProvider, type TokenProvider } from "./support/token-provider.ts";
import { until } from "./support/until.ts";

/** US dollars of each call: 100 tokens. */
const CALL = 0.001;
const MAX = 3;

const LIMITS = `max_end_user_budget: ${MAX * CALL}, tag_budget_config: {red: {budget_limit: ${2 * CALL}, time_period: 30d}, constructor: {max_budget: 100}}`;

describe.each([
  ["SQLite", 1],
  ["three replicas on PostgreSQL", 3],
  ["no store", 0],
])("Limits of customers and tags without their own, on %s", (_, replicaCount) => {
  const skip = replicaCount > 1 && !hasPostgres;
  const count = Math.max(1, replicaCount);
  let provider: TokenProvider;
  let postgres: TestDatabases | undefined;
  let environment: Record<string, string> = {};
  let replicas: TestGateway[] = [];
  const configOf = (settings: string, general = ""): string => {
    const price = "input_cost_per_token: 0.00001, output_cost_per_token: 0.00001";
    return `model_list:
  - {model_name: m, litellm_params: {model: openai/m, api_base: "${provider.url}", api_key: x, ${price}}}
general_settings: {master_key: sk-test-master-key-0123456789${general}}
litellm_settings: {callbacks: [prometheus], ${settings}}
`;
  };
  beforeAll(async () => {
    if (skip) return;
    provider = await startProvider();
    postgres = replicaCount > 1 ? await openDatabases() : undefined;
    if (replicaCount === 0) environment = { DATABASE_URL: "none" };
    else if (postgres !== undefined) environment = { DATABASE_URL: await postgres.createDatabase() };
    const general =
      ", user_header_mappings: [{header_name: X-Role, litellm_user_role: internal_user}, {header_name: X-OpenWebUI-User-Email, litellm_user_role: customer}], user_header_name: X-User";
    for (let index = 0; index < count; index += 1)
      replicas.push(await startTestGateway({ config: configOf(LIMITS, general), environment }));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    replicas = [];
    await postgres?.stop();
    provider?.close();
  });

  interface Naming {
    readonly headers?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  }

  async function call({ headers = {}, ...fields }: Naming, at = 0) {
    const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }], ...fields };
    const answer = await replicas[at % count]!.call("/v1/chat/completions", { headers, body });
    const content = (await answer.json()) as { error?: { message: string } };
    return { status: answer.status, message: content.error?.message ?? "" };
  }

  /** How many of many calls at the same moment pass. */
  async function passing(naming: Naming, calls = 12): Promise<number> {
    const answers = await Promise.all(Array.from({ length: calls }, (_, index) => call(naming, index)));
    expect(answers.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
    return answers.filter(({ status }) => status === 200).length;
  }

  const ways: Readonly<Record<string, (id: string) => Naming>> = {
    user: (user) => ({ user }),
    "metadata.user_id": (user_id) => ({ metadata: { user_id } }),
    safety_identifier: (safety_identifier) => ({ safety_identifier }),
    "x-litellm-end-user-id": (id) => ({ headers: { "x-litellm-end-user-id": id } }),
    "a mapped header": (id) => ({ headers: { "x-openwebui-user-email": id, "x-role": "somebody" } }),
    "the header of user_header_name": (id) => ({ headers: { "x-user": id } }),
  };

  it.skipIf(skip).each(Object.keys(ways))("hold a customer named by %s, each by itself", async (way) => {
    const long = "x".repeat(300);
    for (const id of [`one by ${way}`, "constructor", long].map((each) => `${each} ${way}`)) {
      const passed = await passing(ways[way]!(id));
      expect(passed).toBeGreaterThanOrEqual(MAX);
      // A call for which less is left than it may cost passes alone.
      expect(passed).toBeLessThanOrEqual(MAX + 1);
      const refused = (await call(ways[way]!(id))).message;
      expect(refused).toContain(`The budget of the customer ${id.slice(0, 190)}`);
      if (id.length < 256) expect(refused).toContain(` ${id} is exhausted`);
    }
  });

  it.skipIf(skip)(
    "hold nobody whom a header of another role names, and the header's customer first",
    async () => {
      expect(await passing({ headers: { "x-role": "nobody" } }, 6)).toBe(6);
      const named = { headers: { "x-litellm-customer-id": "first", "x-user": "second" }, user: "third" };
      expect(await passing(named)).toBeLessThanOrEqual(MAX + 1);
      expect((await call({ user: "second" })).status).toBe(200);
      expect((await call({ user: "third" })).status).toBe(200);
      expect((await call({ user: "first" })).status).toBe(402);
    },
  );

  it.skipIf(skip)("hold a tag of the configuration, and no other", async () => {
    const passed = await passing({ metadata: { tags: ["red"] } });
    expect(passed).toBeGreaterThanOrEqual(2);
    expect(passed).toBeLessThanOrEqual(3);
    expect((await call({ headers: { "x-litellm-tags": "red" } })).message).toContain("the tag red");
    expect(await passing({ metadata: { tags: ["blue", "toString"] } }, 6)).toBe(6);
  });

  it.skipIf(skip)("take nobody's place in the metrics", async () => {
    const metrics = await (await replicas[0]!.call("/metrics")).text();
    expect(metrics).toContain("portico_");
    expect(metrics).not.toMatch(/customer|by user/);
  });

  if (replicaCount === 0) return;
  const stored = it.skipIf(skip);

  stored("give way to what a customer was given, and come back without beginning anew", async () => {
    expect(await passing({ user: "given" })).toBeLessThanOrEqual(MAX + 1);
    await replicas[0]!.must("/customer/new", { user_id: "given", max_budget: 100 });
    await until(async () => (await passing({ user: "given" }, 6)) === 6);
    await replicas[0]!.must("/customer/delete", { user_ids: ["given"] });
    await until(async () => (await call({ user: "given" })).status === 402);
    // One that has a name but no limits, and one that was blocked once.
    await replicas[0]!.must("/customer/new", { user_id: "given", alias: "named" });
    expect((await call({ user: "given" })).status).toBe(402);
    await replicas[0]!.must("/customer/block", { user_ids: ["given"] });
    expect((await call({ user: "given" })).status).toBe(403);
    await replicas[0]!.must("/customer/unblock", { user_ids: ["given"] });
    expect((await call({ user: "given" })).status).toBe(402);
  });

  stored("are those of a budget that the configuration names, and others with another file", async () => {
    await replicas[0]!.must("/budget/new", { budget_id: "of-customers", max_budget: CALL });
    const settings = `max_end_user_budget: 100, max_end_user_budget_id: of-customers`;
    for (const replica of replicas) replica.writeConfig(configOf(settings));
    // Who has spent more than that already waits; without a mapping the header names nobody.
    await until(async () => (await passing({ headers: { "x-user": "mapped" } }, count)) === count);
    await until(async () => (await passing({ user: `n${Math.random()}` }, 6)) <= 2);
    await replicas[0]!.must("/budget/update", { budget_id: "of-customers", max_budget: 100 });
    await until(async () => (await passing({ user: `n${Math.random()}` }, 6)) === 6);
    for (const replica of replicas) replica.writeConfig(configOf(""));
    await until(async () => (await passing({ metadata: { tags: ["red"] } }, 6)) === 6);
  });

  stored(
    "hold by max_end_user_budget what a budget is silent of, and tell of one that nobody made",
    async () => {
      const settings = `max_end_user_budget: ${CALL}, max_end_user_budget_id: silent`;
      for (const replica of replicas) replica.writeConfig(configOf(settings));
      const isHeld = () => until(async () => (await passing({ user: `n${Math.random()}` }, 6)) <= 2);
      await isHeld();
      // The others may hold them before the first one has read the file.
      await until(async () => {
        await call({ user: `n${Math.random()}` });
        return /max_end_user_budget_id is NOT ENFORCED.*silent/.test(replicas[0]!.log());
      });
      const budget = { budget_id: "silent", rpm_limit: 1000, budget_duration: "1s" };
      await replicas[0]!.must("/budget/new", budget);
      await isHeld();
      await replicas[0]!.must("/budget/update", { budget_id: "silent", rpm_limit: null });
      await isHeld();
      await replicas[0]!.must("/budget/update", { budget_id: "silent", max_budget: 100 });
      await until(async () => (await passing({ user: `n${Math.random()}` }, 6)) === 6);
      await replicas[0]!.must("/budget/delete", { id: "silent" });
      await isHeld();
      for (const replica of replicas) replica.writeConfig(configOf(""));
    },
  );

  stored("count on after a restart", async () => {
    const config = configOf(LIMITS);
    const first = replicas[0]!;
    const dataDirectory = `${first.dataDirectory}-again`;
    const again = () => startTestGateway({ config, environment, dataDirectory });
    const one = (gateway: TestGateway) =>
      gateway.call("/v1/chat/completions", {
        body: { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }], user: "again" },
      });
    let gateway = await again();
    for (let calls = 0; calls < MAX + 1; calls += 1) await one(gateway);
    expect((await one(gateway)).status).toBe(402);
    await gateway.close();
    gateway = await again();
    expect((await one(gateway)).status).toBe(402);
    await gateway.close();
  });
});

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgresStore, openSqliteStore } from "../src/platform/store/open-store.ts";
import { porticoProgram, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { encrypted, hashed, LiteLlmTables } from "./support/litellm-database.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

const SALT = "sk-salt-of-litellm";
const KEY = "sk-made-by-litellm-1";
const MODEL = "house-model";
const later = new Date(Date.now() + 86_400_000);
const earlier = new Date(Date.now() - 86_400_000);

interface TableReport {
  readonly kind: string;
  readonly rows: number;
  readonly taken: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly not_taken: number;
  readonly reasons: readonly { reason: string; count: number; examples: string[] }[];
  readonly taken_without: readonly { reason: string }[];
  readonly unknown_columns: readonly string[];
}

interface Report {
  readonly dry_run: boolean;
  readonly tables: readonly TableReport[];
  readonly not_taken: readonly { table: string; rows: number; reason: string }[];
}

describe.skipIf(!hasPostgres)("portico import litellm", () => {
  let postgres: TestDatabases;
  let simulator: Awaited<ReturnType<typeof startSimulator>>;
  let folder: string;
  const running: TestGateway[] = [];
  const databases: LiteLlmTables[] = [];

  beforeAll(async () => {
    [postgres, simulator] = await Promise.all([openDatabases(), startSimulator()]);
  });
  afterAll(async () => {
    await simulator?.close();
    await postgres?.stop();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-import-test-"));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.close()));
    await Promise.all(databases.splice(0).map((database) => database.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function litellm(only?: readonly string[]): Promise<LiteLlmTables> {
    const database = await LiteLlmTables.make(await postgres.createDatabase("empty"), only);
    databases.push(database);
    return database;
  }

  /** What the command prints, in the environment of an operator who moves. */
  async function run(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; out: string; err: string }> {
    const args = [
      ...(await porticoProgram()),
      "import",
      "litellm",
      ...words,
      "--data-dir",
      join(folder, "data"),
    ];
    const env = { PATH: process.env.PATH, LITELLM_SALT_KEY: SALT, ...environment };
    return new Promise((done) => {
      execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (error, out, err) =>
        done({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, out, err }),
      );
    });
  }

  async function imported(url: string, more: readonly string[] = [], env = {}): Promise<Report> {
    const { code, out, err } = await run([url, "--json", ...more], env);
    expect(err, err).not.toMatch(/Error|portico:/);
    expect(code).toBe(0);
    return JSON.parse(out) as Report;
  }

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
    const gateway = await startTestGateway({
      dataDirectory: join(folder, "data"),
      environment: { LITELLM_SALT_KEY: SALT, ...environment },
    });
    running.push(gateway);
    return gateway;
  }

  async function stop(gateway: TestGateway): Promise<void> {
    running.splice(running.indexOf(gateway), 1);
    await gateway.close();
  }

  function chat(gateway: TestGateway, key: string, more: object = {}): Promise<Response> {
    const messages = [{ role: "user", content: "hello" }];
    return gateway.call("/v1/chat/completions", { key, body: { model: MODEL, messages, ...more } });
  }

  async function json(answer: Response | Promise<Response>) {
    return (await (await answer).json()) as { [name: string]: never } & { info: { [name: string]: unknown } };
  }

  /** A small company. */
  async function fill(source: LiteLlmTables): Promise<void> {
    const params = {
      model: "openai/gpt-4o",
      api_base: `${simulator.url}/openai/v1`,
      litellm_credential_name: "house",
    };
    await source.add(
      "LiteLLM_BudgetTable",
      { budget_id: "b-org", max_budget: 100, budget_duration: "30d", budget_reset_at: later },
      { budget_id: "b-member", max_budget: 5, tpm_limit: 1_000_000 },
      { budget_id: "b-past", max_budget: 1, budget_duration: "1d", budget_reset_at: earlier },
    );
    await source.add("LiteLLM_OrganizationTable", {
      organization_id: "o1",
      organization_alias: "Org",
      budget_id: "b-org",
      spend: 12.5,
    });
    await source.add(
      "LiteLLM_UserTable",
      {
        user_id: "u1",
        user_email: "Ann@Example.com",
        user_role: "internal_user",
        spend: 3,
        password: "scrypt:x",
      },
      { user_id: "u2", user_email: "ann@example.com", user_role: "proxy_admin" },
    );
    await source.add("LiteLLM_ModelTable", { id: 7, aliases: { short: MODEL } });
    await source.add("LiteLLM_TeamTable", {
      team_id: "t1",
      team_alias: "Team",
      organization_id: "o1",
      members_with_roles: JSON.stringify([
        { user_id: "u1", role: "admin" },
        { user_id: "u3", role: "user" },
      ]),
      metadata: { model_rpm_limit: { [MODEL]: 500 }, guardrails: ["pii"], owner: "Ann" },
      max_budget: 50,
      spend: 8,
      model_id: 7,
      tpd_limit: 10,
    });
    await source.add("LiteLLM_TeamMembership", {
      user_id: "u1",
      team_id: "t1",
      spend: 2,
      budget_id: "b-member",
    });
    await source.add("LiteLLM_OrganizationMembership", {
      user_id: "u1",
      organization_id: "o1",
      user_role: "org_admin",
    });
    await source.add("LiteLLM_EndUserTable", { user_id: "c1", alias: "Customer", spend: 1.5, blocked: true });
    await source.add("LiteLLM_TagTable", { tag_name: "prod", description: "Production", spend: 4 });
    await source.add("LiteLLM_CredentialsTable", {
      credential_id: "1",
      credential_name: "house",
      credential_values: { api_key: encrypted("sim-openai-key", SALT) },
      credential_info: { custom_llm_provider: "openai" },
    });
    await source.add("LiteLLM_ProxyModelTable", {
      model_id: "m1",
      model_name: MODEL,
      litellm_params: Object.fromEntries(
        Object.entries(params).map(([name, text]) => [name, encrypted(text, SALT)]),
      ),
      model_info: { id: "m1", db_model: true },
    });
    await source.add("LiteLLM_AccessGroupTable", {
      access_group_id: "g1",
      access_group_name: "house-group",
      access_model_names: [MODEL],
    });
    await source.add(
      "LiteLLM_VerificationToken",
      {
        token: hashed(KEY),
        key_name: "sk-...ey-1",
        key_alias: "main",
        team_id: "t1",
        user_id: "u1",
        spend: 2,
        max_budget: 10,
        models: [],
      },
      { token: hashed("sk-blocked"), key_alias: "blocked", blocked: true },
      { token: hashed("sk-expired"), key_alias: "expired", expires: earlier },
      {
        token: hashed("sk-spent"),
        key_alias: "spent",
        max_budget: 1,
        spend: 1,
        budget_duration: "30d",
        budget_reset_at: later,
      },
      {
        token: hashed("sk-over"),
        key_alias: "over",
        max_budget: 1,
        spend: 9,
        budget_duration: "30d",
        budget_reset_at: earlier,
      },
      { token: hashed("sk-group"), key_alias: "group", models: ["gone"], access_group_ids: ["g1"] },
      { token: hashed("sk-console"), key_alias: "console", team_id: "litellm-dashboard" },
    );
    await source.add("LiteLLM_DeprecatedVerificationToken", {
      id: "d1",
      token: hashed("sk-before"),
      active_token_id: hashed(KEY),
      revoke_at: later,
    });
    await source.add("LiteLLM_GuardrailsTable", { guardrail_id: "1", guardrail_name: "pii" });
  }

  for (const target of ["SQLite", "PostgreSQL"])
    it(`takes over what calls need, so that the old keys work, on ${target}`, async () => {
      const source = await litellm();
      await fill(source);
      const env: Record<string, string> =
        target === "SQLite" ? {} : { DATABASE_URL: await postgres.createDatabase() };
      const planned = await imported(source.url, ["--dry-run"], env);
      expect(existsSync(join(folder, "data"))).toBe(false);
      const report = await imported(source.url, [], env);
      const counts = ({ tables }: Report) =>
        tables.map(({ kind, rows, taken, not_taken }) => ({ kind, rows, taken, not_taken }));
      expect(counts(planned)).toEqual(counts(report));
      expect(report.tables.map(({ kind, taken }) => `${kind} ${taken}`)).toEqual([
        "budgets 3",
        "organizations 1",
        "users 2",
        "teams 1",
        "customers 1",
        "tags 1",
        "members of organizations 1",
        "members of teams 2",
        "credentials 1",
        "models 1",
        "access groups 1",
        "keys 6",
        "old texts of renewed keys 1",
      ]);
      const said = JSON.stringify(report);
      for (const each of [
        "guardrails, which is not enforced",
        "tpd_limit, which",
        "user_email, which another",
        "session of LiteLLM's console",
      ])
        expect(said).toContain(each);
      expect(report.not_taken).toMatchObject([{ table: "LiteLLM_GuardrailsTable", rows: 1 }]);
      expect(said).not.toMatch(/sim-openai-key|sk-salt|scrypt/);

      const gateway = await start(env);
      for (const key of [KEY, "sk-before", "sk-over", "sk-group"])
        expect((await chat(gateway, key)).status, key).toBe(200);
      expect((await chat(gateway, KEY, { model: "short" })).status).toBe(200);
      expect((await chat(gateway, "sk-blocked")).status).toBe(403);
      expect((await chat(gateway, "sk-expired")).status).toBe(401);
      expect((await chat(gateway, "sk-spent")).status).toBe(402);
      expect((await chat(gateway, "sk-console")).status).toBe(401);
      expect((await chat(gateway, KEY, { user: "c1" })).status).toBe(403);

      const { info } = await json(gateway.call(`/key/info?key=${KEY}`));
      expect(info).toMatchObject({ key_alias: "main", team_id: "t1", user_id: "u1", max_budget: 10 });
      expect(info.spend).toBeGreaterThan(2);
      expect((await json(gateway.call("/organization/info?organization_id=o1"))).spend).toBeGreaterThan(12.5);
      const team = await json(gateway.call("/team/info?team_id=t1"));
      expect(JSON.stringify(team)).toContain('"owner":"Ann"');
      expect(JSON.stringify(team)).toContain('"max_budget_in_team":5');
      expect((await json(gateway.call("/customer/info?end_user_id=c1"))).spend).toBe(1.5);
      // The team's admin is one here, too.
      expect((await gateway.call("/team/info?team_id=t1", { key: KEY })).status).toBe(200);
    });

  it("leaves out what has the text of the master key or of a key of the configuration", async () => {
    const source = await litellm();
    const [configured, generated] = ["sk-master-0123456789", "sk-generated-0123456789"];
    const add = (token: string) => source.add("LiteLLM_VerificationToken", { token: hashed(token) });
    for (const token of [configured, generated, "sk-in-the-file-0123456789", KEY]) await add(token);
    await source.add("LiteLLM_DeprecatedVerificationToken", {
      id: "d1",
      token: hashed(configured),
      active_token_id: hashed(KEY),
      revoke_at: later,
    });
    await source.add("LiteLLM_TeamTable", { team_id: "t1", team_alias: "Team" });
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data/master-key"), generated, { mode: 0o600 });
    const file = join(folder, "config.yaml");
    writeFileSync(file, "keys: [{key: sk-in-the-file-0123456789}]\n");
    const left = ({ tables }: Report) =>
      tables
        .filter(({ kind }) => kind.includes("keys"))
        .map(({ not_taken, reasons }) => [not_taken, reasons[0]?.reason]);
    const reason = "it is the master key or a key of the configuration here, which rules";
    const named = await imported(source.url, ["--config", file], { LITELLM_MASTER_KEY: configured });
    expect(left(named)).toEqual([
      [2, reason],
      [1, reason],
    ]);
    // The one that was made is in force without another; what came before stays.
    const made = await imported(source.url, ["--config", file]);
    expect(left(made)[0]).toEqual([2, reason]);
  });

  it("counts what was spent in the windows that run here, also in a time zone", async () => {
    const source = await litellm();
    await fill(source);
    const file = join(folder, "config.yaml");
    // Fourteen hours ahead, all year.
    writeFileSync(file, "litellm_settings: {timezone: Pacific/Kiritimati}\n");
    const monthThere = (): number => {
      const now = new Date(Date.now() + 14 * 3_600_000);
      return Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) - 14 * 3_600_000;
    };
    const before = monthThere();
    await imported(source.url, ["--config", file]);
    const store = await openSqliteStore(join(folder, "data"));
    const windows = await store.db
      .selectFrom("budget_windows")
      .selectAll()
      .where("key_hash", "=", hashed("sk-spent"))
      .execute();
    await store.close();
    expect(windows).toMatchObject([{ spend: 1 }]);
    expect([before, monthThere()]).toContain(windows[0]!.window_start);
  });

  it("may be run again: what is new there comes, what was changed or spent here stays", async () => {
    const source = await litellm();
    await fill(source);
    await imported(source.url);
    let gateway = await start();
    await chat(gateway, KEY);
    const spent = (await json(gateway.call(`/key/info?key=${KEY}`))).info.spend as number;
    await gateway.call("/key/update", { body: { key: KEY, max_budget: 99 } });
    await gateway.call("/team/update", { body: { team_id: "t1", max_budget: 77 } });
    await gateway.call("/key/delete", { body: { key_aliases: ["group"] } });
    await stop(gateway);

    const again = await imported(source.url);
    expect(again.tables.map(({ taken, updated }) => taken + updated)).toEqual(again.tables.map(() => 0));

    await source.run(
      `update "LiteLLM_VerificationToken" set max_budget = 11, spend = 3 where key_alias = 'main'`,
    );
    await source.run(`update "LiteLLM_VerificationToken" set blocked = false where key_alias = 'blocked'`);
    await source.add("LiteLLM_VerificationToken", { token: hashed("sk-new"), key_alias: "new" });
    const third = await imported(source.url);
    const keys = third.tables.find(({ kind }) => kind === "keys")!;
    expect(keys).toMatchObject({ taken: 1, updated: 1 });
    const reasons = keys.reasons.map(({ reason }) => reason).join("; ");
    expect(reasons).toContain("changed there and here");
    expect(reasons).toContain("deleted here");
    gateway = await start();
    expect((await chat(gateway, "sk-new")).status).toBe(200);
    expect((await chat(gateway, "sk-blocked")).status).toBe(200);
    expect((await chat(gateway, "sk-group")).status).toBe(401);
    const { info } = await json(gateway.call(`/key/info?key=${KEY}`));
    expect(info.max_budget).toBe(99);
    expect(info.spend).toBeGreaterThanOrEqual(spent);
    const teamNow = JSON.stringify(await json(gateway.call("/team/info?team_id=t1")));
    expect(teamNow).toContain('"max_budget":77');
  });

  it("takes older and newer versions as far as it knows their columns", async () => {
    const old = await litellm(["LiteLLM_VerificationToken", "LiteLLM_TeamTable"]);
    await old.run(
      'alter table "LiteLLM_VerificationToken" drop column total_spend, drop column metadata, drop column blocked',
    );
    await old.add("LiteLLM_VerificationToken", { token: hashed("sk-old"), spend: 1 });
    expect((await imported(old.url)).tables.find(({ kind }) => kind === "keys")!.taken).toBe(1);

    const next = await litellm();
    await next.run('alter table "LiteLLM_VerificationToken" add column from_tomorrow text');
    await next.run('create table "LiteLLM_Tomorrow" (id text); insert into "LiteLLM_Tomorrow" values (1)');
    await next.add("LiteLLM_VerificationToken", { token: hashed("sk-next") });
    const report = await imported(next.url, ["--source", "next"]);
    expect(report.tables.find(({ kind }) => kind === "keys")).toMatchObject({
      taken: 1,
      unknown_columns: ["from_tomorrow"],
    });
    expect(report.not_taken.map(({ table }) => table)).toEqual(["LiteLLM_Tomorrow"]);
    const gateway = await start();
    const model = "claude-sonnet-4-5";
    expect((await chat(gateway, "sk-old", { model })).status).toBe(200);
    expect((await chat(gateway, "sk-next", { model })).status).toBe(200);
  });

  it("bears odd rows: whoever would have less limits than there is not taken", async () => {
    const source = await litellm();
    const long = "x".repeat(300);
    await source.add("LiteLLM_BudgetTable", {
      budget_id: "odd",
      max_budget: 1,
      budget_duration: "now and then",
    });
    await source.add("LiteLLM_UserTable", { user_id: "odd", user_email: "no address", user_role: "emperor" });
    await source.add("LiteLLM_TeamTable", { team_id: long, team_alias: "long" });
    await source.add("LiteLLM_TeamTable", {
      team_id: "t",
      members_with_roles: { not: "a list" },
      metadata: JSON.stringify("text"),
    });
    await source.add(
      "LiteLLM_VerificationToken",
      { token: hashed("sk-1"), key_alias: "twice", budget_id: "odd" },
      { token: hashed("sk-2"), key_alias: "same" },
      { token: hashed("sk-3"), key_alias: "same" },
      { token: hashed("sk-4"), key_alias: long },
      { token: hashed("sk-5"), key_alias: "minus", max_budget: -1 },
      { token: hashed("sk-6"), key_alias: "endless", max_budget: Number.POSITIVE_INFINITY },
      { token: "sk-in-clear-text", key_alias: "clear" },
      { token: hashed("sk-7"), key_alias: "of-long-team", team_id: long },
      { token: hashed("sk-8"), key_alias: "wrong", metadata: { model_rpm_limit: { [MODEL]: "many" } } },
    );
    await source.add("LiteLLM_ProxyModelTable", {
      model_id: "m",
      model_name: "sealed",
      litellm_params: { model: encrypted("openai/gpt-4o", "another salt key") },
    });
    const report = await imported(source.url);
    const keys = report.tables.find(({ kind }) => kind === "keys")!;
    expect(keys).toMatchObject({ rows: 9, taken: 6, not_taken: 3 });
    expect(keys.reasons.flatMap(({ examples }) => examples).sort()).toEqual([
      "of-long-team",
      "twice",
      "wrong",
    ]);
    const models = report.tables.find(({ kind }) => kind === "models")!;
    expect(models.reasons[0]!.reason).toContain("LITELLM_SALT_KEY");
    expect(JSON.stringify(report)).not.toContain("sk-in-clear-text");
    const gateway = await start();
    const model = "claude-sonnet-4-5";
    const statuses = await Promise.all(
      ["sk-1", "sk-2", "sk-3", "sk-4", "sk-5", "sk-6", "sk-in-clear-text", "sk-7", "sk-8"].map(
        async (key) => (await chat(gateway, key, { model })).status,
      ),
    );
    expect(statuses).toEqual([401, 200, 200, 200, 402, 200, 200, 401, 401]);
  });

  for (const target of ["SQLite", "PostgreSQL"])
    it(`takes the spend log page by page, each row once, on ${target}`, async () => {
      const source = await litellm();
      await fill(source);
      const env: Record<string, string> =
        target === "SQLite" ? {} : { DATABASE_URL: await postgres.createDatabase() };
      await source.run(`insert into "LiteLLM_SpendLogs" (request_id, call_type, api_key, spend, prompt_tokens,
          completion_tokens, "startTime", "endTime", model, model_group, custom_llm_provider, team_id, status, request_tags, metadata)
        select 'r' || n, 'acompletion', '${hashed(KEY)}', 0.5, 10, 5, timestamp '2026-03-01' + n * interval '1 hour',
          timestamp '2026-03-01' + n * interval '1 hour' + interval '2 seconds', 'gpt-4o', '${MODEL}', 'openai', 't1',
          case when n % 100 = 0 then 'failure' else 'success' end, '["prod"]', '{"additional_usage_values": {"cache_read_input_tokens": 3}}'
        from generate_series(1, 2400) as n`);
      const left = (await imported(source.url, ["--dry-run"], env)).not_taken;
      expect(left.find(({ table }) => table === "LiteLLM_SpendLogs")?.reason).toContain("--spend-log");
      const rowsOf = (report: Report) => report.tables.find(({ kind }) => kind === "rows of the spend log")!;
      const log = ["--spend-log"];
      expect(rowsOf(await imported(source.url, [...log, "--dry-run"], env))).toMatchObject({ taken: 2400 });
      expect(rowsOf(await imported(source.url, [...log, "--since", "2026-06-01"], env))).toMatchObject({
        rows: 2400 - 2207,
        taken: 2400 - 2207,
        unknown_columns: [],
      });
      expect(rowsOf(await imported(source.url, log, env))).toMatchObject({ rows: 2400, taken: 2207 });
      // Rows of yesterday may still have come.
      await source.add(
        "LiteLLM_SpendLogs",
        { request_id: "late", startTime: new Date("2026-06-08T23:00:00Z"), api_key: KEY, model: "m" },
        { request_id: "odd", startTime: new Date("2026-06-09T00:00:00Z"), spend: -1, model: "\ud83d x" },
        { request_id: "never", startTime: null, request_tags: JSON.stringify('["a"]') },
        {
          request_id: "endless",
          startTime: new Date("2026-06-09T00:00:00Z"),
          spend: Number.POSITIVE_INFINITY,
        },
      );
      const third = rowsOf(await imported(source.url, log, env));
      expect(third).toMatchObject({ taken: 3, not_taken: 0 });
      expect(third.rows).toBeLessThan(50);

      const gateway = await start(env);
      const asked = "start_date=2026-03-01&end_date=2026-06-30";
      const report = JSON.stringify(await json(gateway.call(`/team/daily/activity?${asked}&page_size=1000`)));
      expect(report).toContain('"total_spend":1200');
      expect(report).toContain('"total_successful_requests":2376');
      // What the key has spent came with the key, and does not count twice.
      expect((await json(gateway.call(`/key/info?key=${KEY}`))).info.spend).toBe(2);
      const { data } = (await json(gateway.call("/spend/logs?request_id=r1"))) as unknown as {
        data: Record<string, unknown>[];
      };
      expect(data).toMatchObject([
        { model: MODEL, custom_llm_provider: "openai", spend: 0.5, team_id: "t1", prompt_tokens: 10 },
      ]);
    });

  it("is advised by a gateway that is started in LiteLLM's own database", async () => {
    const warned = async (url: string): Promise<string> => {
      const lines: string[] = [];
      const store = await openPostgresStore(url, pino({}, { write: (line) => void lines.push(line) }));
      await store.close();
      return lines.join("");
    };
    expect(await warned((await litellm()).url)).toContain("run portico import litellm");
    expect(await warned(await postgres.createDatabase())).toBe("");
  });

  it("says what is wrong with an address, and has a help", async () => {
    const empty = await postgres.createDatabase("empty");
    const words = [
      [[empty], "no table LiteLLM_VerificationToken"],
      [["mysql://localhost/x"], "begins with postgres://"],
      [["postgres://nobody:secret-word@127.0.0.1:1/x"], "cannot be read"],
      [[], "needs the address"],
    ] as const;
    for (const [args, sentence] of words) {
      const { code, err } = await run(args);
      expect(code, err).toBeGreaterThan(0);
      expect(err).toContain(sentence);
      expect(err).not.toContain("secret-word");
    }
    for (const flags of [
      ["--since", "2026-01-01"],
      ["--spend-log", "--since", "yesterday"],
    ])
      expect((await run(["postgres://127.0.0.1:1/x", ...flags])).err).toContain("--since");
    expect((await run(["--help"])).out).toContain("--dry-run");
  });
});

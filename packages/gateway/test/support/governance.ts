import { afterAll, beforeAll, expect, it } from "vitest";
import { type DeploymentKind, expectSoon, type StartDeployment } from "./deployments.ts";
import type { CallInit, TestGateway } from "./gateway.ts";

const config = `
model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
  - model_name: claude
    litellm_params: {model: anthropic/claude, api_key: sk-provider-secret}
`;

type Answer = Record<string, unknown> & { readonly status: number };

/** Asks a gateway for what is managed. */
function askerOf(gateway: () => TestGateway) {
  return async (path: string, init: CallInit = {}): Promise<Answer> => {
    const response = await gateway().call(path, init);
    const body = (await response.json()) as object;
    return Array.isArray(body)
      ? { list: body, status: response.status }
      : { ...body, status: response.status };
  };
}

/** A call of a model, which is answered here. */
function callOf(model: string, key: string, more: object = {}): [string, CallInit] {
  const messages = [{ role: "user", content: "hi" }];
  return ["/v1/chat/completions", { key, body: { model, messages, mock_response: "hello", ...more } }];
}

/** What stands above keys: organizations, teams, users, their limits and roles. */
export function governanceSuite(start: StartDeployment, kind: DeploymentKind): void {
  const soon = <T>(look: () => Promise<T>, right: T): Promise<void> => expectSoon(kind, look, right);
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await start({ config });
  });
  afterAll(() => gateway?.close());
  const ask = askerOf(() => gateway);
  const post = (path: string, body: object, init: CallInit = {}) => ask(path, { ...init, body });

  async function keyOf(fields: object): Promise<string> {
    const made = await post("/key/generate", fields);
    expect(made).toMatchObject({ status: 200 });
    return made.key as string;
  }

  it("holds calls to the models of key, team, member and organization at once", async () => {
    await post("/organization/new", {
      organization_id: "o-models",
      organization_alias: "o",
      models: ["gpt-*", "claude"],
    });
    await post("/team/new", {
      team_id: "t-models",
      organization_id: "o-models",
      models: ["gpt-4o", "other"],
    });
    await post("/team/member_add", {
      team_id: "t-models",
      member: { user_id: "narrow", role: "user" },
      allowed_models: ["other"],
    });
    const key = await keyOf({ team_id: "t-models" });
    expect((await ask(...callOf("gpt-4o", key))).status).toBe(200);
    expect((await ask(...callOf("claude", key))).status).toBe(403);
    const narrow = await keyOf({ team_id: "t-models", user_id: "narrow" });
    expect((await ask(...callOf("gpt-4o", narrow))).status).toBe(403);
    const all = await keyOf({ team_id: "t-models", models: ["all-team-models"] });
    expect((await ask(...callOf("gpt-4o", all))).status).toBe(200);
    await post("/team/model/add", { team_id: "t-models", models: ["claude"] });
    await soon(async () => (await ask(...callOf("claude", key))).status, 200);
    await post("/team/model/delete", { team_id: "t-models", models: ["claude", "other"] });
    await soon(async () => (await ask(...callOf("claude", key))).status, 403);
    // Without a list a team could call everything.
    const emptied = await post("/team/model/delete", { team_id: "t-models", models: ["gpt-4o"] });
    expect(emptied.status).toBe(400);
    await ask("/organization/update", {
      method: "PATCH",
      body: { organization_id: "o-models", models: ["claude"] },
    });
    await soon(async () => (await ask(...callOf("gpt-4o", key))).status, 403);
  });

  it("refuses the keys of a blocked team, user or organization with 403, and only them", async () => {
    await post("/organization/new", { organization_id: "o-block", organization_alias: "o" });
    await post("/team/new", { team_id: "t-block", organization_id: "o-block" });
    await post("/user/new", { user_id: "u-block", auto_create_key: false });
    const [ofTeam, ofUser] = [await keyOf({ team_id: "t-block" }), await keyOf({ user_id: "u-block" })];
    const statuses = async () => [
      (await ask("/v1/models", { key: ofTeam })).status,
      (await ask("/v1/models", { key: ofUser })).status,
    ];
    await post("/team/block", { team_id: "t-block" });
    await soon(statuses, [403, 200]);
    await post("/team/unblock", { team_id: "t-block" });
    await soon(statuses, [200, 200]);
    await post("/user/update", { user_id: "u-block", blocked: true });
    await soon(statuses, [200, 403]);
    await ask("/organization/update", {
      method: "PATCH",
      body: { organization_id: "o-block", blocked: true },
    });
    await soon(statuses, [403, 403]);
  });

  it("restricts routes, addresses and fields at every level", async () => {
    await post("/team/new", {
      team_id: "t-rules",
      allowed_routes: ["llm_api_routes"],
      enforced_params: ["user"],
    });
    const key = await keyOf({ team_id: "t-rules" });
    expect((await ask("/key/info", { key })).status).toBe(403);
    expect((await ask(...callOf("gpt-4o", key))).status).toBe(400);
    expect((await ask(...callOf("gpt-4o", key, { user: "u" }))).status).toBe(200);
    await post("/team/update", { team_id: "t-rules", allowed_ips: ["10.0.0.0/8"] });
    await soon(async () => (await ask(...callOf("gpt-4o", key, { user: "u" }))).status, 403);
  });

  it("takes a team's names for models after the key's own, and its tags beside them", async () => {
    await post("/team/new", { team_id: "t-names", model_aliases: { quick: "claude", team: "gpt-4o" } });
    const key = await keyOf({ team_id: "t-names", aliases: { quick: "gpt-4o" }, models: ["gpt-4o"] });
    expect((await ask(...callOf("quick", key))).status).toBe(200);
    expect((await ask(...callOf("team", key))).status).toBe(200);
  });

  it("gives keys the limits of the budget that they name, and keeps it while they do", async () => {
    await post("/budget/new", { budget_id: "b-small", rpm_limit: 1 });
    const key = await keyOf({ budget_id: "b-small" });
    expect((await ask(...callOf("gpt-4o", key))).status).toBe(200);
    // Without Redis each replica counts alone.
    await soon(async () => (await ask(...callOf("gpt-4o", key))).status, 429);
    expect((await post("/budget/delete", { id: "b-small" })).status).toBe(400);
    await post("/key/delete", { keys: [key] });
    expect((await post("/budget/delete", { id: "b-small" })).status).toBe(200);
  });

  it("is changed by members, renamed, listed and deleted with its keys", async () => {
    const made = await post("/team/new", {
      team_id: "t-life",
      team_alias: "life",
      members_with_roles: [{ user_id: "boss", role: "admin" }],
    });
    expect(made).toMatchObject({ status: 200, admins: ["boss"], members: [] });
    await post("/team/member_add", {
      team_id: "t-life",
      member: [{ user_email: "Ann@Example.com", role: "user" }],
    });
    const user = await ask("/user/list?user_email=ann@example.com");
    expect(user).toMatchObject({ total: 1, users: [{ user_email: "ann@example.com", teams: ["t-life"] }] });
    const changed = await post("/team/member_update", {
      team_id: "t-life",
      user_email: "ann@example.com",
      role: "admin",
    });
    expect(changed).toMatchObject({ status: 200, role: "admin" });
    const key = await keyOf({ team_id: "t-life" });
    const info = await ask("/team/info?team_id=t-life");
    expect(info).toMatchObject({
      team_info: { team_alias: "life" },
      keys: [{ team_id: "t-life" }],
      team_memberships: [{ user_id: "boss" }, { role: "admin" }],
    });
    expect(JSON.stringify(info)).not.toContain(key);
    expect(await ask("/v2/team/list?team_alias=life")).toMatchObject({ total: 1 });
    expect((await post("/team/delete", { team_ids: ["t-life", "nowhere"] })).status).toBe(404);
    // One that is missing leaves all as they are.
    expect((await ask("/v1/models", { key })).status).toBe(200);
    expect(await post("/team/delete", { team_ids: ["t-life"] })).toMatchObject({ deleted_teams: ["t-life"] });
    await soon(async () => (await ask("/v1/models", { key })).status, 401);
    expect((await ask("/team/info?team_id=t-life")).status).toBe(404);
  });

  it("refuses unknown parents, taken names, fields of every wrong type and limits that nobody enforces", async () => {
    for (const [path, body] of [
      ["/key/generate", { team_id: "nowhere" }],
      ["/key/generate", { organization_id: "nowhere" }],
      ["/key/generate", { budget_id: "nowhere" }],
      ["/team/new", { organization_id: "nowhere" }],
      ["/user/new", { organizations: ["nowhere"] }],
      ["/user/new", { teams: ["nowhere"] }],
      ["/user/new", { user_email: "nobody" }],
      ["/team/new", { team_id: "a\u0000b" }],
      ["/team/new", { team_id: 5 }],
      ["/team/new", { models: "gpt-4o" }],
      ["/team/new", { blocked: "yes" }],
      ["/team/new", { metadata: [] }],
      ["/team/new", { members_with_roles: [{ user_id: "a", role: "king" }] }],
      ["/team/new", { members_with_roles: [{ role: "user" }] }],
      ["/team/new", { team_member_permissions: ["/team/delete"] }],
      ["/team/new", { max_budgets: 1 }],
      ["/team/new", { allowed_ips: ["nowhere"] }],
      ["/budget/new", { max_budget: -1 }],
      ["/budget/new", { rpm_limit: 1e300 }],
      ["/budget/new", { budget_duration: "soon" }],
      ["/tag/new", {}],
      ["/customer/new", { user_id: "" }],
      ["/organization/new", {}],
    ] as const)
      expect([path, body, (await post(path, body)).status]).toEqual([path, body, 400]);
    await post("/team/new", { team_id: "taken" });
    expect((await post("/team/new", { team_id: "taken" })).status).toBe(400);
    for (const path of ["/team/info?team_id=%00", "/team/list?team_id=%00", "/key/list?team_id=%00"])
      expect([path, (await ask(path)).status]).toEqual([path, 400]);
  });

  it("takes two changes at the same moment one after the other", async () => {
    await post("/team/new", { team_id: "t-both" });
    const names = Array.from({ length: 10 }, (_, index) => `m${index}`);
    const changes = names.map((name) => post("/team/model/add", { team_id: "t-both", models: [name] }));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(names.map(() => 200));
    const { team_info } = (await ask("/team/info?team_id=t-both")) as { team_info?: { models: string[] } };
    expect(team_info!.models.toSorted()).toEqual(names);
    const twins = await Promise.all([1, 2].map(() => post("/team/new", { team_id: "t-twin" })));
    expect(twins.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it("writes every change into the audit log, with who, from where, before and after, and no secrets", async () => {
    const { key } = await post("/user/new", { user_id: "changer", user_role: "proxy_admin" });
    const by = { key: key as string };
    await post("/team/new", { team_id: "t-audit", metadata: { api_key: "sk-in-metadata-1" } }, by);
    await post("/team/update", { team_id: "t-audit", team_alias: "=cmd()" }, by);
    await post("/team/delete", { team_ids: ["t-audit"] }, by);
    const log = await ask("/audit?object_id=t-audit&sort_order=asc");
    expect(log).toMatchObject({
      total: 3,
      audit_logs: [
        { action: "created", before_value: null, updated_values: { team_id: "t-audit" } },
        { action: "updated", before_value: { team_alias: null }, updated_values: { team_alias: "=cmd()" } },
        { action: "deleted", updated_values: null },
      ].map((entry) => ({
        ...entry,
        changed_by: "changer",
        changed_by_api_key: expect.stringMatching(/^[0-9a-f]{64}$/),
        address: "127.0.0.1",
        table_name: "LiteLLM_TeamTable",
      })),
    });
    const { audit_logs } = log as unknown as { audit_logs: { id: string }[] };
    expect(await ask(`/audit/${audit_logs[0]!.id}`)).toMatchObject({ action: "created" });
    expect((await ask("/audit/nothing")).status).toBe(404);
    const csv = await gateway.call("/audit?object_id=t-audit&format=csv");
    const text = await csv.text();
    expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
    expect(text.trim().split("\r\n")).toHaveLength(4);
    const everything = await (await gateway.call("/audit?format=csv")).text();
    for (const secret of [key as string, "sk-in-metadata-1", gateway.masterKey])
      expect(everything + JSON.stringify(log)).not.toContain(secret);
    // A refused change leaves no entry.
    const before = (await ask("/audit")).total;
    await post("/team/new", { team_id: "t-none", organization_id: "nowhere" });
    expect((await ask("/audit")).total).toBe(before);
  });
}

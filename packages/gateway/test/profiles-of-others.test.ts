import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import {
  type DeploymentKind,
  describeOnReplicas,
  expectSoon,
  type StartDeployment,
} from "./support/deployments.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

/** What a user is, has and spends is for itself, for those who administer the whole of it, and for no one else. */
const config = `
model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret, max_budget: 31415, budget_duration: 1d}}
gateway_settings: {max_budget: 98765}
general_settings: {master_key: ${MASTER_KEY}}
`;

/** Nobody but the user itself and its administrators is to read these. */
const PRIVATE = ["ann.private@example.com", "private note", "org-two", "4321"];

function suite(start: StartDeployment, kind: DeploymentKind): void {
  let gateway: TestGateway;
  const keys: Record<string, string> = {};

  async function ask(path: string, key: string, body?: JsonObject) {
    const answer = await gateway.call(path, { key, ...(body && { body }) });
    return { status: answer.status, text: await answer.text() };
  }
  async function done(path: string, body: JsonObject, key = gateway.masterKey): Promise<JsonObject> {
    const { status, text } = await ask(path, key, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text) as JsonObject;
  }

  beforeAll(async () => {
    gateway = await start({ config });
    for (const organization_id of ["org-one", "org-two"])
      await done("/organization/new", { organization_id, organization_alias: organization_id });
    const user = async (user_id: string, organizations: string[], more: JsonObject = {}) => {
      keys[user_id] = (await done("/user/new", { user_id, organizations, ...more })).key as string;
    };
    await user("ann", ["org-one", "org-two"], {
      user_email: PRIVATE[0]!,
      metadata: { note: PRIVATE[1]! },
      max_budget: 4321,
    });
    await user("boss", ["org-one"]);
    await user("chief", ["org-one"], { user_role: "proxy_admin_viewer" });
    await user("plain", ["org-one"], { user_email: "plain@example.com" });
    await user("lead", ["org-one"]);
    await user("mate", ["org-one"]);
    await done("/organization/member_add", {
      organization_id: "org-one",
      member: { user_id: "boss", role: "org_admin" },
    });
    await done("/key/generate", { user_id: "chief", key_alias: "personal of chief" });
    await done("/key/generate", { user_id: "plain", key_alias: "personal of plain" });
    await done("/team/new", {
      team_id: "t",
      organization_id: "org-one",
      admins: ["lead"],
      members: ["mate"],
      team_member_budget: 10,
      team_member_budget_duration: "1d",
      team_member_max_rollover: 5,
    });
  });
  afterAll(() => gateway?.close());

  it("By a key that a team's admin has made for somebody nobody reads or changes who that is elsewhere", async () => {
    const member = { user_id: "ann", role: "user" };
    await done("/team/member_add", { team_id: "t", member }, keys.lead);
    const made = await done("/key/generate", { team_id: "t", user_id: "ann" }, keys.lead);
    const key = made.key as string;
    for (const path of [
      "/user/info",
      "/user/info?user_id=ann",
      "/v2/user/info",
      "/spend/users",
      "/key/list",
    ]) {
      const { text } = await ask(path, key);
      for (const secret of PRIVATE) expect(`${path}: ${text}`).not.toContain(secret);
    }
    const named = await ask("/user/update", key, { user_id: "ann", user_alias: "Mallory" });
    expect(named.status).toBe(404);
    // Ann's own key for the same team, and her personal one, are hers.
    const own = (await done("/key/generate", { team_id: "t", user_id: "ann" })).key as string;
    for (const by of [own, keys.ann!]) {
      const { status, text } = await ask("/user/info", by);
      expect([status, text]).toEqual([200, expect.stringContaining(PRIVATE[0]!)]);
    }
    await done("/user/update", { user_id: "ann", user_alias: "Ann" }, keys.ann);
  });

  it("Lists show an organization's admin the users that it may look at one by one", async () => {
    for (const path of ["/user/list", "/user/list?user_ids=ann,plain,boss", "/spend/users"]) {
      const { text } = await ask(path, keys.boss!);
      for (const secret of PRIVATE) expect(`${path}: ${text}`).not.toContain(secret);
      for (const seen of ["plain", "boss"]) expect(`${path}: ${text}`).toContain(`"${seen}"`);
    }
    expect((await ask("/spend/users?user_id=ann", keys.boss!)).status).toBe(404);
    const all = await ask("/user/list", gateway.masterKey);
    expect(all.text).toContain(PRIVATE[0]!);
    const { total } = JSON.parse((await ask("/user/list?page_size=1", keys.boss!)).text) as JsonObject;
    const { users } = JSON.parse((await ask("/user/list", keys.boss!)).text) as { users: JsonObject[] };
    expect(total).toBe(users.length);
  });

  it("An organization's admin sees no personal key of an administrator", async () => {
    expect((await ask("/user/info?user_id=plain", keys.boss!)).text).toContain("personal of plain");
    const { status, text } = await ask("/user/info?user_id=chief", keys.boss!);
    expect([status, text]).toEqual([200, expect.not.stringContaining("personal of chief")]);
    expect((await ask("/user/info?user_id=chief", gateway.masterKey)).text).toContain("personal of chief");
  });

  it("What the operator may spend in all is told to administrators alone", async () => {
    const shown = async (key: string) => JSON.parse((await ask("/global/spend", key)).text) as JsonObject;
    for (const by of ["boss", "lead", "mate"])
      expect([by, await shown(keys[by]!)]).toEqual([by, { spend: 0, max_budget: null }]);
    for (const by of [gateway.masterKey, keys.chief!]) expect((await shown(by)).max_budget).toBe(98765);
    for (const path of ["/model/info", "/v1/model/info", "/v2/model/info"]) {
      expect([path, (await ask(path, keys.boss!)).text]).toEqual([
        path,
        expect.not.stringContaining("31415"),
      ]);
      expect([path, (await ask(path, keys.chief!)).text]).toEqual([path, expect.stringContaining("31415")]);
    }
  });

  it("A team that moves to another organization takes its keys along", async () => {
    await done("/organization/new", {
      organization_id: "org-three",
      organization_alias: "three",
      models: ["x"],
    });
    await done("/team/new", { team_id: "mover", organization_id: "org-one" });
    const { key } = await done("/key/generate", { team_id: "mover", organization_id: "org-one" });
    const call = async () => {
      const body = { model: "m", messages: [{ role: "user", content: "hi" }], mock_response: "hello" };
      return (await ask("/v1/chat/completions", key as string, body)).status;
    };
    const seen = async () => (await ask(`/key/info?key=${key}`, keys.boss!)).status;
    expect([await call(), await seen()]).toEqual([200, 200]);
    await done("/team/update", { team_id: "mover", organization_id: "org-three" });
    await expectSoon(kind, call, 403);
    expect(await seen()).toBe(404);
    expect((await ask("/key/list?return_full_object=true&size=100", keys.boss!)).text).not.toContain("mover");
    await done("/team/update", { team_id: "mover", organization_id: null });
    await expectSoon(kind, call, 200);
  });

  it("A member sees its own figures in a team, and nobody else's", async () => {
    const { text } = await ask("/team/info?team_id=t", keys.mate!);
    const { team_memberships } = JSON.parse(text) as { team_memberships: JsonObject[] };
    for (const { user_id, ...each } of team_memberships)
      for (const figure of ["spend", "rolled_over"])
        expect([user_id, figure, figure in each]).toEqual([user_id, figure, user_id === "mate"]);
  });
}

describe("A user's own", () => suite(startTestGateway, "embedded"));
describeOnReplicas("A user's own", suite);

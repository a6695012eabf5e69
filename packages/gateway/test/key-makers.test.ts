import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

const settings = {
  team_key_generation: { allowed_team_member_roles: ["admin"], required_params: ["tags"] },
  personal_key_generation: { allowed_user_roles: ["proxy_admin"] },
};

describe("key_generation_settings", () => {
  let gateway: TestGateway;
  const keys: Record<string, string> = {};
  const configOf = (makers: object): string => `model_list: []
general_settings: {master_key: ${MASTER_KEY}}
litellm_settings: {key_generation_settings: ${JSON.stringify(makers)}}
`;
  async function ask(path: string, body: object, key?: string) {
    const answer = await gateway.call(path, { body, ...(key && { key }) });
    return {
      status: answer.status,
      ...((await answer.json()) as { key?: string; error?: { message: string } }),
    };
  }
  beforeAll(async () => {
    gateway = await startTestGateway({ config: configOf(settings) });
    for (const user_id of ["lead", "member"]) keys[user_id] = (await ask("/user/new", { user_id })).key!;
    for (const team_id of ["t", "u"])
      await ask("/team/new", {
        team_id,
        team_member_permissions: ["/key/generate", "/key/update", "/key/service-account/generate"],
        members_with_roles: [
          { user_id: "lead", role: "admin" },
          { user_id: "member", role: "user" },
        ],
      });
  });
  afterAll(() => gateway?.close());

  it("say whose role makes keys without a team, and within one", async () => {
    for (const key of [keys.lead, keys.member]) {
      const { status, error } = await ask("/key/generate", {}, key);
      expect([status, error?.message]).toEqual([403, expect.stringContaining("made by proxy_admin")]);
    }
    const inTeam = { team_id: "t", tags: ["x"] };
    expect((await ask("/key/generate", inTeam, keys.lead)).status).toBe(200);
    for (const path of ["/key/generate", "/key/service-account/generate"]) {
      const { status, error } = await ask(path, { ...inTeam, key_alias: path }, keys.member);
      expect([path, status, error?.message]).toEqual([
        path,
        403,
        expect.stringContaining("admin, proxy_admin"),
      ]);
    }
    expect((await ask("/key/generate", { user_id: "member" })).status).toBe(200);
  });

  it("say what a new key must have", async () => {
    for (const tags of [undefined, null]) {
      const { status, error } = await ask("/key/generate", { team_id: "t", tags }, keys.lead);
      expect([status, error?.message]).toEqual([400, expect.stringContaining("tags")]);
    }
    expect((await ask("/key/generate", { team_id: "t" })).status).toBe(200);
  });

  it("hold whoever moves a key into another team, and let it be renewed", async () => {
    const { key } = await ask("/key/generate", { team_id: "t", user_id: "member" });
    const moved = await ask("/key/update", { key, team_id: "u" }, keys.member);
    expect([moved.status, moved.error?.message]).toEqual([
      403,
      expect.stringContaining("key_generation_settings"),
    ]);
    expect((await ask("/key/regenerate", { key }, key)).status).not.toBe(403);
  });

  it("let a team's admin move no key into a team in which its user is no member", async () => {
    const member = { user_id: "guest", role: "user" };
    await ask("/team/member_add", { team_id: "t", member });
    const { key } = await ask("/key/generate", { team_id: "t", user_id: "guest" });
    const move = async () => (await ask("/key/update", { key, team_id: "u" }, keys.lead)).status;
    expect(await move()).toBe(403);
    await ask("/team/member_add", { team_id: "u", member });
    expect(await move()).toBe(200);
  });

  it("let nobody make keys in a team for users of an organization that the team is not of", async () => {
    await ask("/organization/new", { organization_id: "p", organization_alias: "p" });
    const { key } = await ask("/user/new", { user_id: "both", organizations: ["p"] });
    await ask("/user/new", { user_id: "of p", organizations: ["p"] });
    const boss = { user_id: "both", role: "org_admin" };
    await ask("/organization/member_add", { organization_id: "p", member: boss });
    await ask("/team/member_add", { team_id: "u", member: { user_id: "both", role: "admin" } });
    const make = async () =>
      (await ask("/key/generate", { team_id: "u", user_id: "of p", tags: ["x"] }, key)).status;
    expect(await make()).toBe(403);
    await ask("/team/member_add", { team_id: "u", member: { user_id: "of p", role: "user" } }, key);
    expect(await make()).toBe(200);
  });

  it("hold who makes a user with a key", async () => {
    await ask("/organization/new", { organization_id: "o", organization_alias: "o" });
    const boss = await ask("/user/new", { user_id: "boss", organizations: ["o"] });
    await ask("/organization/member_add", {
      organization_id: "o",
      member: { user_id: "boss", role: "org_admin" },
    });
    const make = (more: object) => ask("/user/new", { organizations: ["o"], ...more }, boss.key);
    const { status, error } = await make({});
    expect([status, error?.message]).toEqual([403, expect.stringContaining("key_generation_settings")]);
    expect((await make({ auto_create_key: false })).status).toBe(200);
  });

  it("are none where nothing is said", async () => {
    gateway.writeConfig(configOf({}));
    await expect.poll(async () => (await ask("/key/generate", {}, keys.member)).status).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { chat } from "./support/token-calls.ts";
import { startTokenIssuer, type TokenIssuer } from "./support/token-issuer.ts";

type Answer = Record<string, unknown>;

const configOf = (settings: string): string =>
  `model_list: [{model_name: m, litellm_params: {model: openai/gpt-4o, api_key: x}}]\ngeneral_settings: {master_key: sk-test-master-key-0123456789}\nlitellm_settings: {${settings}}\n`;

describe("The budget of new internal users", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      config: configOf("max_internal_user_budget: 2.5, internal_user_budget_duration: 7d"),
    });
  });
  afterAll(() => gateway?.close());

  const budgetOf = async (user: string) => {
    const { max_budget, budget_duration } = (await gateway.must(`/user/info?user_id=${user}`))
      .user_info as Answer;
    return [max_budget, budget_duration];
  };

  it("is the configuration's, whoever makes them, unless something else is said", async () => {
    const made = async (user_id: string, fields: object = {}) => {
      await gateway.must("/user/new", { user_id, auto_create_key: false, ...fields });
      return budgetOf(user_id);
    };
    const member = (user_id: string) => ({ user_id, role: "user" });
    const none = [undefined, undefined];
    expect(await made("plain")).toEqual([2.5, "7d"]);
    // As LiteLLM's console sends it.
    expect(await made("null", { max_budget: null, budget_duration: null })).toEqual([2.5, "7d"]);
    expect(await made("own", { max_budget: 1 })).toEqual([1, "7d"]);
    expect(await made("own window", { budget_duration: "1d" })).toEqual([2.5, "1d"]);
    expect(await made("nothing", { max_budget: 0 })).toEqual([0, "7d"]);
    expect(await made("viewer", { user_role: "internal_user_viewer" })).toEqual([2.5, "7d"]);
    expect(await made("no role", { user_role: null })).toEqual([2.5, "7d"]);
    expect(await made("admin", { user_role: "proxy_admin" })).toEqual(none);
    await gateway.must("/budget/new", { budget_id: "b", max_budget: 9 });
    expect(await made("named", { budget_id: "b" })).toEqual(none);
    await gateway.must("/team/new", { team_id: "t", members_with_roles: [member("of a new team")] });
    expect(await budgetOf("of a new team")).toEqual([2.5, "7d"]);
    await gateway.must("/team/member_add", { team_id: "t", member: member("of a team") });
    expect(await budgetOf("of a team")).toEqual([2.5, "7d"]);
    await gateway.must("/organization/new", { organization_id: "o", organization_alias: "o" });
    const inOrganization = {
      organization_id: "o",
      member: { user_id: "of an organization", role: "internal_user" },
    };
    await gateway.must("/organization/member_add", inOrganization);
    expect(await budgetOf("of an organization")).toEqual([2.5, "7d"]);
  });

  it("holds their calls, and stays with them when the configuration changes", async () => {
    const { key } = await gateway.must("/user/new", { user_id: "caller" });
    const { key: spent } = await gateway.must("/user/new", { user_id: "spent", max_budget: 0 });
    const body = { model: "m", messages: [{ role: "user", content: "x" }], mock_response: "hi" };
    const call = async (by: unknown) =>
      (await gateway.call("/v1/chat/completions", { key: by as string, body })).status;
    expect(await call(spent)).toBe(402);
    expect(await call(key)).toBe(200);
    gateway.writeConfig(configOf(""));
    await expect
      .poll(async () => {
        const user_id = `u${Math.random()}`;
        await gateway.must("/user/new", { user_id, auto_create_key: false });
        return budgetOf(user_id);
      })
      .toEqual([undefined, undefined]);
    expect(await budgetOf("caller")).toEqual([2.5, "7d"]);
  });
});

describe("What new internal users and teams have", () => {
  let gateway: TestGateway;
  let issuer: TokenIssuer;
  const configOfAll = (settings: object): string => {
    const general = {
      master_key: MASTER_KEY,
      enable_scim: true,
      enable_jwt_auth: true,
      litellm_jwtauth: {
        issuers: [
          { issuer: issuer.url, audience: "portico", user_id_jwt_field: "sub", team_id_jwt_field: "group" },
        ],
        user_id_upsert: true,
        team_id_upsert: true,
      },
    };
    const model = { model_name: "m", litellm_params: { model: "openai/gpt-4o", api_key: "x" } };
    return `model_list: ${JSON.stringify([model])}
general_settings: ${JSON.stringify(general)}
litellm_settings: ${JSON.stringify(settings)}
`;
  };
  const defaults = {
    default_internal_user_params: {
      user_role: "internal_user_viewer",
      max_budget: 3,
      budget_duration: "1d",
      models: ["m"],
      rpm_limit: 7,
    },
    max_internal_user_budget: 100,
    default_team_params: { max_budget: 40, tpm_limit: 9000, team_member_permissions: ["/key/info"] },
  };
  beforeAll(async () => {
    issuer = await startTokenIssuer();
    gateway = await startTestGateway({ config: configOfAll(defaults) });
  });
  afterAll(() => Promise.all([gateway?.close(), issuer?.close()]));

  const user = async (id: string) =>
    (await gateway.must(`/user/info?user_id=${encodeURIComponent(id)}`)).user_info as Answer;
  const team = async (id: string) => (await gateway.must(`/team/info?team_id=${id}`)).team_info as Answer;

  const ofUsers = {
    user_role: "internal_user_viewer",
    max_budget: 3,
    budget_duration: "1d",
    models: ["m"],
    rpm_limit: 7,
  };
  const ofTeams = { max_budget: 40, tpm_limit: 9000, team_member_permissions: ["/key/info"] };

  it("is what the configuration says, whoever makes them", async () => {
    await gateway.must("/user/new", { user_id: "made", auto_create_key: false });
    await gateway.must("/team/new", {
      team_id: "by hand",
      members_with_roles: [{ user_id: "member", role: "user" }],
    });
    await gateway.must("/scim/v2/Users", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      userName: "of-scim",
    });
    await gateway.must("/scim/v2/Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: "group",
      externalId: "g-scim",
    });
    const [path, init] = chat(await issuer.token({ sub: "of-token", group: "g-token" }));
    await gateway.call(path, init);
    for (const id of ["made", "member", "of-scim", "of-token"])
      expect(await user(id), id).toMatchObject(ofUsers);
    for (const id of ["g-scim", "g-token"]) expect(await team(id), id).toMatchObject(ofTeams);
    // Teams that somebody makes have what they were given.
    expect((await team("by%20hand")).max_budget).not.toBe(40);
  });

  it("gives way to what whoever makes them says, and is nobody's who has another role", async () => {
    await gateway.must("/user/new", { user_id: "own", auto_create_key: false, max_budget: 1, models: ["a"] });
    expect(await user("own")).toMatchObject({ ...ofUsers, max_budget: 1, models: ["a"] });
    await gateway.must("/user/new", { user_id: "admin", auto_create_key: false, user_role: "proxy_admin" });
    expect((await user("admin")).max_budget ?? undefined).toBeUndefined();
    await gateway.must("/budget/new", { budget_id: "b", max_budget: 9 });
    await gateway.must("/user/new", { user_id: "named", auto_create_key: false, budget_id: "b" });
    const { max_budget, models } = await user("named");
    expect([max_budget ?? undefined, models]).toEqual([undefined, ["m"]]);
  });

  it("is everybody's who is no administrator, whatever role and whatever nothing was said", async () => {
    const told = [{ user_role: "internal_user" }, { user_role: null, models: null }, { models: [] }];
    for (const [index, fields] of told.entries()) {
      const user_id = `told ${index}`;
      await gateway.must("/user/new", { user_id, auto_create_key: false, ...fields });
      const user_role = fields.user_role ?? ofUsers.user_role;
      expect(await user(user_id), user_id).toMatchObject({ ...ofUsers, user_role });
    }
  });

  it("never makes an administrator", async () => {
    const { default_internal_user_params: given } = defaults;
    const config = {
      default_internal_user_params: {
        ...given,
        user_role: "proxy_admin",
        teams: ["t"],
        available_teams: ["t"],
      },
    };
    gateway.writeConfig(configOfAll(config));
    await expect
      .poll(async () => {
        const user_id = `u${Math.random()}`;
        await gateway.must("/user/new", { user_id, auto_create_key: false });
        return (await user(user_id)).user_role;
      })
      .toBe("internal_user");
    expect(gateway.log()).toContain("default_internal_user_params.user_role: is NOT ENFORCED here");
    for (const name of ["teams", "available_teams"])
      expect(gateway.log()).toContain(`default_internal_user_params.${name}: is NOT ENFORCED here`);
  });
});

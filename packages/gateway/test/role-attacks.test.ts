import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { newTeamBody, teamFields } from "../src/features/teams/schema.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

/** What somebody who administers a little was given, and must not change by leaving out, taking away or waiting. */
const config = `
model_list:
  - model_name: cheap
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
  - model_name: dear
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
general_settings: {master_key: ${MASTER_KEY}}
`;

type Answer = JsonObject & { readonly status: number };

let gateway: TestGateway;
let made = 0;
beforeAll(async () => {
  gateway = await startTestGateway({ config });
});
afterAll(() => gateway?.close());

async function ask(path: string, key: string, body?: JsonObject): Promise<Answer> {
  const answer = await gateway.call(path, { key, ...(body && { body }) });
  const parsed = (await answer.json()) as object;
  return { ...(Array.isArray(parsed) ? { list: parsed } : parsed), status: answer.status };
}

async function done(path: string, body: JsonObject, key = gateway.masterKey): Promise<Answer> {
  const answer = await ask(path, key, body);
  expect([path, answer]).toEqual([path, expect.objectContaining({ status: 200 })]);
  return answer;
}

/** An organization with its admin, a team with two admins and a member; each has a personal key. */
async function world(team: JsonObject = {}) {
  const name = `world-${++made}`;
  const id = (what: string) => `${name}-${what}`;
  const organizations = [id("org")];
  await done("/organization/new", { organization_id: id("org"), organization_alias: name });
  const personal = async (what: string) =>
    (await done("/user/new", { user_id: id(what), organizations })).key as string;
  const [boss, lead, second, member] = [
    await personal("boss"),
    await personal("lead"),
    await personal("second"),
    await personal("member"),
  ];
  const roles = { lead: "admin", second: "admin", member: "user" };
  const named = { user_id: id("boss"), role: "org_admin" };
  await done("/organization/member_add", { organization_id: id("org"), member: named });
  await done("/team/new", {
    team_id: id("team"),
    organization_id: id("org"),
    members_with_roles: Object.entries(roles).map(([user, role]) => ({ user_id: id(user), role })),
    ...team,
  });
  return { id, boss, lead, second, member };
}

/** A value for every field that a team can be given, so that each is something that can be taken away. */
const everything: JsonObject = {
  metadata: { agents: ["one"], priority: "high", note: "n" },
  tags: ["paid"],
  model_aliases: { alias: "cheap" },
  team_member_permissions: ["/key/info"],
  max_budget: 3,
  soft_budget: 2,
  budget_duration: "30d",
  max_rollover: 1,
  rpm_limit: 7,
  tpm_limit: 70,
  max_parallel_requests: 5,
  temp_budget_increase: 1,
  temp_budget_expiry: "2199-12-31",
  budget_id: "role-attacks",
  model_max_budget: { cheap: { max_budget: 1 } },
  model_rpm_limit: { cheap: 1 },
  model_tpm_limit: { cheap: 10 },
  team_member_budget: 1,
  team_member_budget_duration: "1d",
  team_member_max_rollover: 1,
  team_member_rpm_limit: 1,
  team_member_tpm_limit: 10,
  models: ["cheap"],
  allowed_model_region: "eu",
  blocked: true,
  allowed_routes: ["/v1/*"],
  enforced_params: ["user"],
  allowed_ips: ["127.0.0.1"],
  allowed_passthrough_routes: ["/openai/v1/files"],
};

describe("A team's admin", () => {
  const OWN = ["team_alias", "metadata", "team_member_permissions"];
  const LISTS = ["team_id", "organization_id", "members_with_roles", "admins", "members"];
  let team: Awaited<ReturnType<typeof world>>;
  beforeAll(async () => {
    await done("/budget/new", { budget_id: "role-attacks", max_budget: 9 });
    team = await world(everything);
  });
  const stored = async () => {
    const { team_info } = await ask(`/team/info?team_id=${team.id("team")}`, gateway.masterKey);
    const { updated_at: _, updated_by: __, ...rest } = team_info as JsonObject;
    return rest;
  };

  it("is tried with every field that a team has", () => {
    const given = Object.keys(teamFields.fields).filter((name) => !LISTS.includes(name));
    expect(Object.keys({ ...everything, team_alias: "" }).sort()).toEqual(given.sort());
    expect(Object.keys(newTeamBody.properties ?? {})).toEqual(expect.arrayContaining(given));
  });

  it.each(Object.keys(everything).filter((name) => !OWN.includes(name)))(
    "takes away nothing of the %s that its organization gave it",
    async (field) => {
      const before = await stored();
      const empty = Array.isArray(everything[field]) ? [] : {};
      for (const value of [null, empty, false, 1e9, everything[field] as never]) {
        const { status } = await ask("/team/update", team.lead, { team_id: team.id("team"), [field]: value });
        expect([value, [400, 403].includes(status)]).toEqual([value, true]);
        expect(await stored()).toEqual(before);
      }
    },
  );

  it("gives its team no agents and no priority, and takes none", async () => {
    const team_id = team.id("team");
    for (const by of [team.lead, team.boss])
      for (const metadata of [{ agents: ["all"], priority: "high" }, { agents: ["one"] }, {}, null])
        expect((await ask("/team/update", by, { team_id, metadata: metadata as never })).status).toBe(403);
    const metadata = { ...(everything.metadata as JsonObject), note: "other" };
    for (const by of [team.lead, team.boss]) await done("/team/update", { team_id, metadata }, by);
    const made = { organization_id: team.id("org"), metadata: { agents: ["all"] } };
    expect((await ask("/team/new", team.boss, made)).status).toBe(403);
  });

  it("takes null for what its team does not have, as clients send it", async () => {
    const { id, lead } = await world();
    const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, null]));
    await done("/team/update", { ...nothing, team_id: id("team"), team_alias: "renamed" }, lead);
  });

  it("takes no other admin away by adding it as something less", async () => {
    const { id, lead, boss } = await world();
    const member = { user_id: id("second"), role: "user" };
    for (const [path, body] of [
      ["/team/member_add", { team_id: id("team"), member }],
      ["/team/member_add", { team_id: id("team"), member: [member] }],
      ["/team/bulk_member_add", { team_id: id("team"), members: [member] }],
      ["/team/member_update", { team_id: id("team"), ...member }],
    ] as const)
      expect([path, (await ask(path, lead, body as JsonObject)).status]).toEqual([path, 403]);
    const { team_info } = await ask(`/team/info?team_id=${id("team")}`, lead);
    expect((team_info as JsonObject).admins).toEqual([id("lead"), id("second")]);
    await done("/team/member_add", { team_id: id("team"), member }, boss);
  });
});

it("A member makes no key of nobody, which its budget in the team does not bind, by leave to make its own", async () => {
  const { id, lead, member } = await world();
  const [team_id, user_id] = [id("team"), id("member")];
  const permit = (...team_member_permissions: string[]) =>
    done("/team/permissions_update", { team_id, team_member_permissions }, lead);
  await permit("/key/generate", "/key/update", "/key/regenerate");
  const service = { metadata: { service_account_id: "x" } };
  for (const more of [
    { user_id: null },
    service,
    { ...service, user_id: null },
    { metadata: { x: "service_account_id" } },
  ])
    expect([more, (await ask("/key/generate", member, { team_id, ...more })).status]).toEqual([more, 403]);
  const own = await done("/key/generate", { team_id }, member);
  expect(own.user_id).toBe(user_id);
  for (const path of ["/key/update", "/key/regenerate"])
    expect((await ask(path, member, { key: own.key as string, user_id: null })).status).toBe(403);
  expect((await ask("/key/service-account/generate", member, { team_id })).status).toBe(403);
  await permit("/key/service-account/generate");
  await done("/key/service-account/generate", { team_id }, member);
});

it("Whoever leaves a team or an organization has no key there any more", async () => {
  const { id, lead, boss, member } = await world();
  const [organization_id, team_id, user_id] = [id("org"), id("team"), id("member")];
  const [ofTeam, ofOrganization, elsewhere] = [
    await done("/key/generate", { team_id, user_id }),
    await done("/key/generate", { organization_id, user_id }),
    await done("/key/generate", { user_id }),
  ];
  const statuses = () =>
    Promise.all(
      [ofTeam.key, ofOrganization.key, elsewhere.key, member].map(
        async (key) => (await ask("/v1/models", key as string)).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await done("/team/member_delete", { team_id, user_id }, lead);
  expect(await statuses()).toEqual([401, 200, 200, 200]);
  const left = await gateway.call("/organization/member_delete", {
    method: "DELETE",
    key: boss,
    body: { organization_id, user_id },
  });
  expect([left.status, await statuses()]).toEqual([200, [401, 401, 200, 200]]);
});

describe("A user who becomes a proxy administrator", () => {
  it("makes none of whoever has the text of one of its keys", async () => {
    const { id, lead, boss, member, second } = await world({
      team_member_permissions: ["/key/regenerate", "/key/generate"],
    });
    const [team_id, user_id] = [id("team"), id("member")];
    const own = await done("/key/generate", {}, member);
    const renewed = await done("/key/generate", { user_id });
    const ofTeam = await done("/key/generate", { team_id, user_id });
    const free = await done("/key/generate", { team_id }, lead);
    const held = {
      "made for it by its team's admin": await done("/key/generate", { team_id, user_id }, lead),
      "made for it by its organization's admin": await done("/key/generate", { user_id }, boss),
      "renewed by its organization's admin": await done(
        "/key/regenerate",
        { key: renewed.key as string },
        boss,
      ),
      "renewed by its team's admin": await done("/key/regenerate", { key: ofTeam.key as string }, second),
      "given to it": { key: free.key },
      "made with it": await done("/user/new", { user_id: id("new"), organizations: [id("org")] }, boss),
    };
    // Who has its text asks with it, too.
    const made = async () => (await done("/key/generate", { team_id, user_id }, lead)).key as string;
    const [asking, renewing] = [await made(), await made()];
    const further = {
      "renewed by itself": await done("/key/regenerate", { key: renewing }, renewing),
      "renewed by another one": await done("/key/regenerate", { key: await made() }, asking),
      "made by another one": await done("/key/generate", { team_id }, asking),
    };
    Object.assign(held, further);
    await done("/key/update", { key: free.key as string, user_id }, lead);
    // What its own hands have is its own.
    const byAdministrator = await done("/key/generate", { user_id });
    for (const user of [user_id, id("new")])
      await done("/user/update", { user_id: user, user_role: "proxy_admin" });
    for (const [how, { key }] of Object.entries(held)) {
      expect([how, (await ask("/budget/list", key as string)).status]).toEqual([how, 403]);
      // Nor does it become one by what else is done with it.
      await done("/key/update", { key: key as string, key_alias: `${user_id} ${how}` });
      expect([how, (await ask("/budget/list", key as string)).status]).toEqual([how, 403]);
    }
    for (const key of [own.key, member, byAdministrator.key])
      expect((await ask("/budget/list", key as string)).status).toBe(200);
    // Whoever renews it for itself alone has it for itself; while its old text is accepted others have it too.
    for (const more of [{ grace_period: "1h" }, {}]) {
      const again = await done(
        "/key/regenerate",
        { key: held["given to it"].key as string, ...more },
        member,
      );
      expect([more, (await ask("/budget/list", again.key as string)).status]).toEqual([more, 403]);
      held["given to it"] = { key: again.key };
    }
    const { key: madeForIt } = held["made for it by its team's admin"];
    const { key: alone } = await done("/key/regenerate", { key: madeForIt as string }, member);
    expect((await ask("/budget/list", alone as string)).status).toBe(200);
    expect((await ask("/budget/list", madeForIt as string)).status).toBe(401);
  });

  it("has keys of its own that no organization's admin sees or changes", async () => {
    const { id, boss, member } = await world();
    await done("/user/update", { user_id: id("member"), user_role: "proxy_admin_viewer" });
    expect((await ask(`/key/info?key=${member}`, boss)).status).toBe(404);
    for (const [path, body] of [
      ["/key/update", { key: member, metadata: { logging: [] } }],
      ["/key/block", { key: member }],
      ["/key/delete", { keys: [member] }],
      ["/key/regenerate", { key: member }],
    ] as const)
      expect([path, [403, 404].includes((await ask(path, boss, body as JsonObject)).status)]).toEqual([
        path,
        true,
      ]);
    expect((await ask("/v1/models", member)).status).toBe(200);
  });
});

describe("What an organization may use up", () => {
  /** What a key may call says whether its organization's limits hold for it. */
  const escapes = async (key: string): Promise<boolean> => {
    const body = { model: "dear", messages: [{ role: "user", content: "hi" }], mock_response: "x" };
    return (await ask("/v1/chat/completions", key, body)).status === 200;
  };
  let all: Awaited<ReturnType<typeof world>>;
  let bound: Readonly<Record<"boss" | "member", string>>;
  beforeAll(async () => {
    all = await world();
    const organization_id = all.id("org");
    const limited = await gateway.call("/organization/update", {
      method: "PATCH",
      body: { organization_id, models: ["cheap"] },
    });
    expect(limited.status).toBe(200);
    const boundTo = async (user: string) =>
      (await done("/key/generate", { organization_id, user_id: all.id(user) })).key as string;
    bound = { boss: await boundTo("boss"), member: await boundTo("member") };
  });

  it.each<[string, (by: Record<string, string>) => Promise<Answer>]>([
    ["a new user's key", () => done("/user/new", { organizations: [all.id("org")] }, all.boss)],
    ["a key for a user", () => done("/key/generate", { user_id: all.id("member") }, all.boss)],
    [
      "the same by a key of the organization",
      () => done("/key/generate", { user_id: all.id("lead") }, bound.boss),
    ],
    ["a key for itself by one of the organization", () => ask("/key/generate", bound.boss, {})],
    ["a member's key for itself by one of the organization", () => ask("/key/generate", bound.member, {})],
    [
      "a personal key that one of the organization renews",
      () => ask("/key/regenerate", bound.member, { key: all.member }),
    ],
    ["the same by its admin's", () => ask("/key/regenerate", bound.boss, { key: all.member })],
    [
      "a key that leaves the organization",
      () => ask("/key/update", all.boss, { key: bound.member, organization_id: null }),
    ],
    [
      "one that leaves it when it is renewed",
      () => ask("/key/regenerate", all.boss, { key: bound.member, organization_id: null }),
    ],
    [
      "one that leaves its team",
      async () => {
        const { key } = await done("/key/generate", { team_id: all.id("team"), user_id: all.id("boss") });
        return ask("/key/update", all.boss, { key: key as string, team_id: null });
      },
    ],
  ])("is not escaped by %s", async (_, make) => {
    const { status, key } = await make(bound);
    if (status === 200) expect(await escapes(key as string)).toBe(false);
    else expect([403, 404]).toContain(status);
    for (const held of Object.values(bound)) expect(await escapes(held)).toBe(false);
  });

  it("binds no personal key that a proxy administrator made", async () => {
    for (const key of [all.boss, all.member]) expect(await escapes(key)).toBe(true);
  });
});

describe("An organization's admin", () => {
  it("changes none of its own limits, and none of its own keys'", async () => {
    const { id, boss } = await world();
    const user_id = id("boss");
    await done("/user/update", { user_id, max_budget: 5, models: ["cheap"] });
    for (const more of [
      { max_budget: null },
      { models: [] },
      { user_role: "internal_user" },
      { blocked: false },
    ])
      expect([more, (await ask("/user/update", boss, { user_id, ...more })).status]).toEqual([more, 403]);
    await done("/user/update", { user_id, user_alias: "renamed" }, boss);
    const limited = (await done("/key/generate", { user_id, max_budget: 1 })).key as string;
    for (const by of [boss, limited])
      for (const path of ["/key/update", "/key/regenerate"])
        expect([path, (await ask(path, by, { key: limited, max_budget: null })).status]).toEqual([path, 403]);
    expect((await ask("/key/generate", limited, {})).status).toBe(403);
    await done("/key/generate", {}, boss);
    await done("/key/update", { key: limited, key_alias: `${user_id} renamed` }, boss);
  });

  it("sees nothing of what its users are and have in teams of others", async () => {
    const [ours, theirs] = [await world(), await world()];
    const user_id = ours.id("member");
    const [team_id, mine] = [theirs.id("team"), ours.id("team")];
    await done("/team/member_add", { team_id, member: { user_id, role: "user" } }, theirs.lead);
    await done("/key/generate", { team_id, user_id, key_alias: `${team_id} secret` });
    await done("/key/generate", { team_id: mine, user_id, key_alias: `${mine} known` });
    for (const path of [`/user/info?user_id=${user_id}`, `/v2/user/info?user_id=${user_id}`, "/user/list"]) {
      const seen = JSON.stringify(await ask(path, ours.boss));
      expect(seen).toContain(mine);
      expect([path, seen.includes(team_id)]).toEqual([path, false]);
    }
    const own = await ask(`/user/info?user_id=${user_id}`, ours.member);
    expect(JSON.stringify(own)).toContain(`${team_id} secret`);
  });
});

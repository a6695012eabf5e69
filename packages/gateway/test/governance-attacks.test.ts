import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { describeOnEachDeployment, expectSoon } from "./support/deployments.ts";
import type { TestGateway } from "./support/gateway.ts";

/** Ways in which somebody who administers a little might get more: each must end in a refusal, and change nothing. */
const OF_FILE = "sk-of-the-file-0123456789";
const config = `
model_list:
  - model_name: cheap
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
general_settings: {master_key: sk-test-master-key-0123456789}
keys:
  - {key: ${OF_FILE}, user_id: of-the-file, team_id: team-of-the-file}
`;

type Answer = JsonObject & { readonly status: number };

describeOnEachDeployment("Whoever administers a little", (start, kind) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await start({ config });
  });
  afterAll(() => gateway?.close());

  async function ask(path: string, key: string, body?: JsonObject, method?: string): Promise<Answer> {
    const answer = await gateway.call(path, {
      key,
      ...(body && { body }),
      ...(method === undefined ? {} : { method }),
    });
    const parsed = (await answer.json()) as object;
    return { ...(Array.isArray(parsed) ? { list: parsed } : parsed), status: answer.status };
  }

  async function made(path: string, body: JsonObject, key = gateway.masterKey): Promise<Answer> {
    const answer = await ask(path, key, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer;
  }

  /** Two organizations, each with an admin, a team, the team's admin and a member; each has a personal key. */
  async function world(name: string) {
    const side = async (of: string) => {
      const id = (what: string) => `${name}-${of}-${what}`;
      const personal = async (what: string, more: JsonObject = {}) =>
        (await made("/user/new", { user_id: id(what), ...more })).key as string;
      await made("/organization/new", {
        organization_id: id("org"),
        organization_alias: of,
        models: ["cheap"],
      });
      const organizations = [id("org")];
      const boss = await personal("boss", { organizations });
      await made("/organization/member_add", {
        organization_id: id("org"),
        member: { user_id: id("boss"), role: "org_admin" },
      });
      const lead = await personal("lead", { organizations });
      const member = await personal("member", { organizations });
      await made("/team/new", {
        team_id: id("team"),
        organization_id: id("org"),
        members_with_roles: [
          { user_id: id("lead"), role: "admin" },
          { user_id: id("member"), role: "user" },
        ],
      });
      return { id, boss, lead, member };
    };
    return { ours: await side("ours"), theirs: await side("theirs") };
  }

  describe("A team's admin", () => {
    it("does not become its organization's admin, or another's, by a key for one", async () => {
      const { ours, theirs } = await world("promoted");
      for (const side of [ours, theirs]) {
        const [org, boss] = [side.id("org"), side.id("boss")];
        const member = { user_id: boss, role: "user" };
        await ask("/team/member_add", ours.lead, { team_id: ours.id("team"), member });
        const key = await ask("/key/generate", ours.lead, { team_id: ours.id("team"), user_id: boss });
        if (key.status !== 200) continue;
        const seen = await ask(`/organization/info?organization_id=${org}`, key.key as string);
        expect([403, 404]).toContain(seen.status);
        const team = await ask("/team/update", key.key as string, {
          team_id: side.id("team"),
          models: ["x"],
        });
        expect([403, 404]).toContain(team.status);
      }
    });

    it("takes over no other key of a user whom it put into its team", async () => {
      const { ours, theirs } = await world("taken");
      const victim = theirs.id("member");
      const member = { user_id: victim, role: "user" };
      await made("/team/member_add", { team_id: ours.id("team"), member }, ours.lead);
      const inTheirTeam = await made("/key/generate", { user_id: victim, team_id: theirs.id("team") });
      const minted = await made("/key/generate", { team_id: ours.id("team"), user_id: victim }, ours.lead);
      const own = minted.key as string;
      for (const key of [theirs.member, inTheirTeam.key as string]) {
        expect((await ask("/key/regenerate", own, { key })).status).toBe(404);
        expect((await ask("/key/delete", own, { keys: [key] })).status).toBe(404);
        expect((await ask(`/key/info?key=${key}`, own)).status).toBe(404);
        expect((await ask("/v1/models", key)).status).toBe(200);
      }
      const listed = await ask("/key/list?return_full_object=true", own);
      expect((listed.keys as JsonObject[]).map((each) => each.team_id)).toEqual([ours.id("team")]);
      const info = await ask(`/user/info?user_id=${victim}`, own);
      expect(JSON.stringify(info.keys ?? [])).not.toContain(theirs.id("team"));
      // Nor does it get out of the team, to what is the user's own.
      expect((await ask("/key/generate", own, {})).status).toBe(403);
    });

    it("renews no key with a role above its own", async () => {
      const { ours } = await world("renewed");
      const ofTeam = { team_id: ours.id("team") };
      const admin = ours.id("admin");
      await made("/user/new", { user_id: admin, user_role: "proxy_admin", auto_create_key: false });
      const keys = [
        await made("/key/generate", { ...ofTeam, user_id: admin }),
        await made("/key/generate", { ...ofTeam, user_role: "proxy_admin" }),
        await made("/key/generate", { ...ofTeam, user_role: "proxy_admin_viewer" }),
      ];
      for (const { key } of keys)
        for (const by of [ours.lead, ours.boss]) {
          const renewed = await ask("/key/regenerate", by, { key: key as string });
          expect([403, 404]).toContain(renewed.status);
          expect((await ask("/v1/models", key as string)).status).toBe(200);
        }
    });

    it("moves no key under another organization's budget and rules", async () => {
      const { ours, theirs } = await world("moved");
      const { key } = await made("/key/generate", { team_id: ours.id("team") });
      for (const by of [ours.lead, ours.boss]) {
        const moved = await ask("/key/update", by, { key: key as string, organization_id: theirs.id("org") });
        expect([400, 403, 404]).toContain(moved.status);
        const ofTeam = { team_id: ours.id("team"), organization_id: theirs.id("org") };
        expect([400, 403]).toContain((await ask("/key/generate", by, ofTeam)).status);
      }
      const { info } = await ask(`/key/info?key=${key}`, gateway.masterKey);
      expect((info as JsonObject).organization_id).not.toBe(theirs.id("org"));
    });

    it("sees and changes nothing of another team", async () => {
      const { ours, theirs } = await world("other");
      const team_id = theirs.id("team");
      const member = { user_id: ours.id("lead"), role: "user" };
      for (const [path, body] of [
        ["/team/update", { team_id, team_alias: "mine" }],
        ["/team/member_add", { team_id, member }],
        ["/team/bulk_member_add", { team_id, members: [member] }],
        ["/team/member_update", { team_id, user_id: theirs.id("member"), role: "user" }],
        ["/team/member_delete", { team_id, user_id: theirs.id("member") }],
        ["/team/permissions_update", { team_id, team_member_permissions: [] }],
        ["/team/block", { team_id }],
        ["/team/delete", { team_ids: [ours.id("team"), team_id] }],
        ["/key/generate", { team_id }],
        ["/key/delete", { keys: [theirs.member] }],
        ["/key/block", { key: theirs.member }],
        ["/key/regenerate", { key: theirs.member }],
        ["/key/update", { key: theirs.member, key_alias: "mine" }],
        [`/team/info?team_id=${team_id}`, undefined],
        [`/team/permissions_list?team_id=${team_id}`, undefined],
        [`/key/info?key=${theirs.member}`, undefined],
      ] as const)
        for (const by of [ours.lead, ours.member, ours.boss]) {
          const answer = await ask(path, by, body as JsonObject | undefined);
          expect([path, [403, 404].includes(answer.status)]).toEqual([path, true]);
        }
      for (const path of [
        "/team/list",
        "/v2/team/list",
        "/key/list",
        "/key/aliases",
        "/audit",
        "/organization/list",
      ])
        for (const by of [ours.lead, ours.member, ours.boss])
          expect(JSON.stringify(await ask(path, by))).not.toContain("other-theirs");
    });
  });

  describe("An organization's admin", () => {
    it("gets no say over a user of others by making it a member", async () => {
      const { ours, theirs } = await world("enlisted");
      const lonely = (await made("/user/new", { user_id: "enlisted-lonely" })).key as string;
      const email = "enlisted@example.com";
      await made("/user/update", { user_id: theirs.id("lead"), user_email: email });
      for (const named of [
        { user_id: theirs.id("member") },
        { user_email: email },
        { user_id: "enlisted-lonely" },
      ]) {
        const member = { ...named, role: "internal_user" };
        await ask("/organization/member_add", ours.boss, { organization_id: ours.id("org"), member });
        await ask("/team/member_add", ours.boss, {
          team_id: ours.id("team"),
          member: { ...named, role: "user" },
        });
      }
      for (const [user_id, key] of [
        [theirs.id("member"), theirs.member],
        [theirs.id("lead"), theirs.lead],
        ["enlisted-lonely", lonely],
      ] as const) {
        const about = `/user/info?user_id=${user_id}`;
        expect([user_id, (await ask(about, ours.boss)).status]).toEqual([user_id, 404]);
        for (const [path, body] of [
          ["/user/update", { user_id, blocked: true }],
          ["/user/delete", { user_ids: [user_id] }],
          ["/key/generate", { user_id }],
          ["/key/regenerate", { key }],
          ["/key/block", { key }],
        ] as const)
          expect([path, [403, 404].includes((await ask(path, ours.boss, body)).status)]).toEqual([
            path,
            true,
          ]);
        expect((await ask("/v1/models", key)).status).toBe(200);
      }
    });

    it("takes no id that means somebody already", async () => {
      const { ours } = await world("fresh");
      const organization_id = ours.id("org");
      await made("/team/new", { team_id: "fresh-gone" });
      await made("/team/delete", { team_ids: ["fresh-gone"] });
      await made("/user/new", { user_id: "fresh-gone-user" });
      await made("/user/delete", { user_ids: ["fresh-gone-user"] });
      // A key may name a user that the gateway knows nothing else of.
      const { key } = await made("/key/generate", { user_id: "fresh-unknown" });
      for (const team_id of ["fresh-gone", "team-of-the-file"])
        expect([team_id, (await ask("/team/new", ours.boss, { team_id, organization_id })).status]).toEqual([
          team_id,
          403,
        ]);
      for (const user_id of ["fresh-gone-user", "of-the-file", "fresh-unknown"]) {
        const member = { user_id, role: "user" };
        for (const [path, body] of [
          ["/user/new", { user_id, organizations: [organization_id] }],
          ["/organization/member_add", { organization_id, member: { user_id, role: "internal_user" } }],
          ["/team/member_add", { team_id: ours.id("team"), member }],
          ["/team/new", { organization_id, members: [user_id] }],
        ] as const)
          expect([path, user_id, (await ask(path, ours.boss, body)).status]).toEqual([path, user_id, 403]);
      }
      expect((await ask("/v1/models", key as string)).status).toBe(200);
      expect((await ask("/v1/models", OF_FILE)).status).toBe(200);
      // New names are free.
      await made("/user/new", { user_id: "fresh-new", organizations: [organization_id] }, ours.boss);
      await made("/team/new", { team_id: "fresh-team", organization_id }, ours.boss);
      // Nothing is refused to those who administer everything.
      await made("/team/new", { team_id: "fresh-gone" });
    });
  });

  describe("A user", () => {
    it("makes no key that is nobody's, free of its own rules", async () => {
      const { key } = await made("/user/new", { user_id: "bound", models: ["cheap"] });
      for (const body of [
        { user_id: null },
        { metadata: { service_account_id: "x" } },
        { user_id: null, metadata: { service_account_id: "x" } },
      ]) {
        const free = await ask("/key/generate", key as string, body);
        if (free.status === 200) {
          const { info } = await ask(`/key/info?key=${free.key}`, gateway.masterKey);
          expect([body, (info as JsonObject).user_id]).toEqual([body, "bound"]);
        } else expect([body, free.status]).toEqual([body, 403]);
      }
    });

    it("changes nothing of its own rules", async () => {
      const { ours } = await world("self");
      const user_id = ours.id("member");
      for (const more of [
        { user_role: "proxy_admin" },
        { user_role: null },
        { models: [] },
        { models: null },
        { blocked: false },
        { allowed_ips: null },
        { allowed_routes: null },
        { metadata: {} },
      ])
        for (const by of [ours.member, ours.lead])
          expect([
            more,
            [403, 404].includes((await ask("/user/update", by, { user_id, ...more })).status),
          ]).toEqual([more, true]);
      for (const more of [
        { max_budget: 1e9 },
        { models: ["cheap"] },
        { user_id: null },
        { blocked: false, models: ["x"] },
        { duration: "10y" },
        { allowed_routes: [], allowed_ips: null, rpm_limit: 5 },
        { key_type: "management" },
        { metadata: { agents: ["all"] } },
      ]) {
        expect([more, (await ask("/key/update", ours.member, { key: ours.member, ...more })).status]).toEqual(
          [more, 403],
        );
        const renewed = await ask("/key/regenerate", ours.member, { key: ours.member, ...more });
        expect([more, renewed.status]).toEqual([more, 403]);
      }
    });

    it("gets no text of another key from one that is limited", async () => {
      const { key: free } = await made("/user/new", { user_id: "limited" });
      const { key } = await made("/key/generate", { user_id: "limited", max_budget: 1 });
      expect((await ask("/key/regenerate", key as string, { key: free as string })).status).toBe(403);
      expect((await ask("/key/regenerate", key as string, { key: key as string })).status).toBe(200);
      await made("/key/regenerate", { key: free as string }, free as string);
    });

    it("makes no key without the limits of the one that it has", async () => {
      await made("/user/new", { user_id: "bounded" });
      const limits: JsonObject = {
        ...{ models: ["cheap"], allowed_ips: ["127.0.0.1", "::1"], enforced_params: ["user"] },
        ...{ allowed_routes: ["management_routes"], allowed_cache_controls: ["ttl"], duration: "1d" },
        ...{
          max_budget: 1,
          rpm_limit: 9,
          tpm_limit: 9,
          max_parallel_requests: 9,
          allowed_model_region: "eu",
        },
        ...{ model_max_budget: { cheap: { max_budget: 1 } } },
        ...{ model_rpm_limit: { cheap: 1 }, model_tpm_limit: { cheap: 1 } },
      };
      const makes = async (limit: JsonObject): Promise<number> => {
        const { key } = await made("/key/generate", { user_id: "bounded", ...limit });
        return (await ask("/key/generate", key as string, {})).status;
      };
      expect(await makes({})).toBe(200);
      for (const [limit, value] of Object.entries(limits))
        expect([limit, await makes({ [limit]: value })]).toEqual([limit, 403]);
    });

    it("takes no key of an admin's by what its team permits", async () => {
      const { ours } = await world("permitted");
      const team_id = ours.id("team");
      const ofLead = await made("/key/generate", { team_id, user_id: ours.id("lead") });
      const paths = ["/key/regenerate", "/key/generate", "/key/update", "/key/info"];
      await made("/team/permissions_update", { team_id, team_member_permissions: paths });
      const renewed = await ask("/key/regenerate", ours.member, { key: ofLead.key as string });
      expect(renewed.status).toBe(403);
      const foreign = await ask("/key/generate", ours.member, { team_id, user_id: ours.id("lead") });
      expect(foreign.status).toBe(403);
    });

    it("leaves nothing alive when it or its team is blocked, deleted or left", async () => {
      const { ours } = await world("ended");
      const team_id = ours.id("team");
      const { key } = await made("/key/generate", { team_id, user_id: ours.id("member") });
      const renewed = await made("/key/regenerate", { key: key as string, grace_period: "1h" });
      const statuses = async () =>
        Promise.all([key, renewed.key].map(async (each) => (await ask("/v1/models", each as string)).status));
      await expectSoon(kind, statuses, [200, 200]);
      await made("/team/block", { team_id });
      await expectSoon(kind, statuses, [403, 403]);
      await made("/team/unblock", { team_id });
      await made("/user/update", { user_id: ours.id("member"), blocked: true });
      await expectSoon(kind, statuses, [403, 403]);
      await made("/user/update", { user_id: ours.id("member"), blocked: false });
      await made("/key/block", { key: renewed.key as string });
      await expectSoon(kind, statuses, [403, 403]);
      await made("/key/unblock", { key: renewed.key as string });
      await made("/team/member_delete", { team_id, user_id: ours.id("member") });
      await expectSoon(kind, statuses, [401, 401]);
      // A key that is made at the same moment as its team ends does not outlive it.
      const [, late] = await Promise.all([
        made("/team/delete", { team_ids: [team_id] }),
        ask("/key/generate", gateway.masterKey, { team_id }),
      ]);
      const status = async () => (await ask("/v1/models", late.key as string)).status;
      if (late.status === 200) await expectSoon(kind, status, 401);
      else expect(late.status).toBe(400);
    });
  });
});

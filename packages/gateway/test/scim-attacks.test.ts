import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { patch, type ScimGateway, startScim, USER } from "./support/scim.ts";
import { hasPostgres } from "./support/services.ts";

/** Ways in which what others say of themselves, or paths that choose little, might change more than was meant. */

const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const ofMember = (member: object) => expect.objectContaining(member);

describe.each(["SQLite", "PostgreSQL"] as const)("SCIM attacked on %s", (store) => {
  const isHere = store === "SQLite" || hasPostgres;
  let provider: ScimGateway;
  let gateway: TestGateway;
  const scim: ScimGateway["scim"] = (...asked) => provider.scim(...asked);
  const find: ScimGateway["find"] = (...asked) => provider.find(...asked);
  const calls: ScimGateway["calls"] = (credential) => provider.calls(credential);
  beforeAll(async () => {
    if (!isHere) return;
    provider = await startScim(store);
    gateway = provider.gateway;
  });
  afterAll(() => provider?.close());

  it.runIf(isHere)("ends the keys of whoever leaves a group, whichever way", async () => {
    const members = ["g1", "g2", "g3"].map((value) => ({ value }));
    for (const { value } of members) await scim("POST", "/Users", { userName: value });
    await scim("POST", "/Groups", { displayName: "Left", externalId: "left", members });
    const keyOf = async (user_id: string, team_id?: string) => {
      const made = await gateway.call("/key/generate", { body: { user_id, ...(team_id && { team_id }) } });
      return ((await made.json()) as { key: string }).key;
    };
    const own = await keyOf("g1");
    for (const leave of [
      patch({ op: "remove", path: 'members[value eq "g1"]' }),
      patch({ op: "remove", path: "members", value: [{ value: "g1" }] }),
      patch({ op: "remove", path: "members.value", value: "g1" }),
      patch({ op: "replace", path: "members", value: [{ value: "g2" }, { value: "g3" }] }),
      patch({ op: "replace", value: { [`${GROUP}:members`]: [{ value: "g2" }, { value: "g3" }] } }),
      patch({ op: "replace", path: 'members[value eq "g1"]', value: { value: "g2" } }),
    ]) {
      const [leaves, stays] = [await keyOf("g1", "left"), await keyOf("g2", "left")];
      expect([await calls(leaves), await calls(stays)]).toEqual([200, 200]);
      const { code, members: left } = await scim("PATCH", "/Groups/left", leave);
      expect([leave, code, left]).toEqual([leave, 200, [{ value: "g2" }, { value: "g3" }].map(ofMember)]);
      expect([await calls(leaves), await calls(stays), await calls(own)]).toEqual([401, 200, 200]);
      const put = await scim("PUT", "/Groups/left", { displayName: "Left", members });
      expect(put.members).toHaveLength(3);
    }
    const [leaves, put] = [await keyOf("g1", "left"), { displayName: "Left", members: members.slice(1) }];
    await scim("PUT", "/Groups/left", put);
    expect(await calls(leaves)).toBe(401);
  });

  it.runIf(isHere)(
    "knows users and groups by the names that it gave, whatever these call themselves",
    async () => {
      for (const userName of ["i-mallory", "i-leaver"]) await scim("POST", "/Users", { userName });
      await scim("POST", "/Groups", { displayName: "I-Admins", externalId: "i-admins" });
      await scim("POST", "/Groups", {
        displayName: "I-Others",
        externalId: "i-others",
        members: [{ value: "i-mallory" }],
      });
      const role = { team_id: "i-others", user_id: "i-mallory", role: "admin" };
      await gateway.call("/team/member_update", { body: role });
      const made = await gateway.call("/key/generate", { body: { user_id: "i-mallory" } });
      const { key: own } = (await made.json()) as { key: string };
      const idsOf = async (path: string, filter: string) =>
        ((await find(path, filter)).Resources as { id: string }[]).map((each) => each.id);
      const active = (value: boolean) => patch({ op: "replace", path: "active", value });
      for (const taken of ["i-leaver", "I-LEAVER", "i-boss@example.com", "I-Admins", "I-Later"]) {
        const named = { user_id: "i-mallory", user_alias: taken };
        expect((await gateway.call("/user/update", { key: own, body: named })).status).toBe(200);
        const team = { team_id: "i-others", team_alias: taken };
        expect((await gateway.call("/team/update", { key: own, body: team })).status).toBe(200);
        const users = /leaver/i.test(taken) ? ["i-leaver"] : [];
        expect(await idsOf("/Users", `userName eq "${taken}"`)).toEqual(users);
        const groups = taken === "I-Admins" ? ["i-admins"] : [];
        expect(await idsOf("/Groups", `displayName eq "${taken}"`)).toEqual(groups);
        const leaves = await scim("PATCH", "/Users/i-leaver", active(false));
        expect(leaves).toMatchObject({ code: 200, active: false, userName: "i-leaver" });
        const stays = await scim("PATCH", "/Users/i-mallory", active(true));
        expect(stays).toMatchObject({ code: 200, userName: "i-mallory" });
      }
      expect((await scim("POST", "/Users", { userName: "i-boss@example.com" })).code).toBe(201);
      // Who was there before is known by its id, and keeps its alias.
      const before = { user_id: "I-Before", user_alias: "Before", auto_create_key: false };
      await gateway.call("/user/new", { body: before });
      expect(await idsOf("/Users", 'userName eq "i-before"')).toEqual(["I-Before"]);
      await scim("PATCH", "/Users/I-Before", patch({ op: "replace", path: "externalId", value: "x-before" }));
      const shown = await (await gateway.call("/user/info?user_id=I-Before")).json();
      expect(shown).toMatchObject({ user_info: { user_alias: "Before" } });
      // A name that was given up is nobody's.
      const renamed = patch({ op: "replace", path: "userName", value: "i-renamed" });
      await scim("PATCH", "/Users/i-mallory", renamed);
      expect(await idsOf("/Users", 'userName eq "i-mallory"')).toEqual([]);
      expect(await idsOf("/Users", 'userName eq "I-RENAMED"')).toEqual(["i-mallory"]);
    },
  );

  it.runIf(isHere)("gives addresses to its users, whoever was named by them before", async () => {
    const user_email = "j-boss@example.com";
    await gateway.call("/team/new", { body: { team_id: "j" } });
    const invited = { team_id: "j", member: { user_email, role: "user" } };
    expect((await gateway.call("/team/member_add", { body: invited })).status).toBe(200);
    const before = { user_id: "j-before", user_email: "j-before@example.com" };
    expect((await gateway.call("/user/new", { body: before })).status).toBe(200);
    const known = { userName: "j-known", emails: [{ value: before.user_email }] };
    expect(await scim("POST", "/Users", known)).toMatchObject({ code: 409, scimType: "uniqueness" });
    const emails = [{ value: user_email, primary: true }];
    const boss = await scim("POST", "/Users", { userName: "j-boss", emails });
    expect(boss).toMatchObject({ code: 201, id: "j-boss", emails });
    expect(await find("/Users", `emails.value eq "${user_email}"`)).toMatchObject({ totalResults: 1 });
    const twin = await scim("POST", "/Users", { userName: "j-twin", emails });
    expect(twin).toMatchObject({ code: 409, scimType: "uniqueness" });
    const other = await scim("POST", "/Users", { userName: "j-other" });
    expect(other.code).toBe(201);
    expect((await scim("PUT", "/Users/j-other", { userName: "j-other", emails })).code).toBe(409);
  });

  it.runIf(isHere)(
    "takes away no more than a path chooses, and unblocks nobody by what it leaves out",
    async () => {
      const members = ["h1", "h2"].map((value) => ({ value }));
      for (const { value } of members) await scim("POST", "/Users", { userName: value });
      await scim("POST", "/Groups", { displayName: "Chosen", externalId: "chosen", members });
      for (const path of [
        'members[display eq "h1"]',
        'members[type eq "User"]',
        'members[value eq "nobody"]',
        "members.display",
      ])
        for (const op of ["remove", "replace"]) {
          await scim("PATCH", "/Groups/chosen", patch({ op, path, value: { value: "h2" } }));
          expect([op, path, await scim("GET", "/Groups/chosen")]).toMatchObject([op, path, { members }]);
        }
      await scim("PATCH", "/Users/h1", patch({ op: "replace", value: { [`${USER}:active`]: false } }));
      for (const change of [
        { op: "remove", path: "active" },
        { op: "replace", path: "active", value: null },
        { op: "replace", value: { active: null } },
        { op: "replace", path: "active.value", value: true },
        { op: "replace", path: 'active[value eq "x"]', value: true },
        { op: "replace", value: { "active.value": true } },
      ]) {
        await scim("PATCH", "/Users/h1", patch(change));
        expect([change, (await scim("GET", "/Users/h1")).active]).toEqual([change, false]);
      }
    },
  );
});

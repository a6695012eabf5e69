import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { type Json, patch, type ScimGateway, startScim, USER } from "./support/scim.ts";
import { hasPostgres } from "./support/services.ts";
import { startTokenIssuer, type TokenIssuer } from "./support/token-issuer.ts";

describe.each(["SQLite", "PostgreSQL"] as const)("SCIM on %s", (store) => {
  const isHere = store === "SQLite" || hasPostgres;
  let issuer: TokenIssuer;
  let provider: ScimGateway;
  let gateway: TestGateway;
  const scim: ScimGateway["scim"] = (...asked) => provider.scim(...asked);
  const find: ScimGateway["find"] = (...asked) => provider.find(...asked);
  const calls: ScimGateway["calls"] = (credential) => provider.calls(credential);
  let key: string;
  beforeAll(async () => {
    if (!isHere) return;
    issuer = await startTokenIssuer();
    provider = await startScim(store, {
      enable_jwt_auth: true,
      litellm_jwtauth: { issuers: [{ issuer: issuer.url, audience: "portico", user_id_jwt_field: "sub" }] },
    });
    ({ gateway, key } = provider);
  });
  afterAll(async () => {
    await provider?.close();
    await issuer?.close();
  });

  it.runIf(isHere)("provisions a user and removes it, whose keys and tokens end at once", async () => {
    const made = await scim("POST", "/Users", {
      schemas: [USER],
      userName: "Ann@example.com",
      externalId: "e-1",
      name: { givenName: "Ann", familyName: "Lee" },
      emails: [{ value: "other@example.com" }, { value: "Ann@example.com", primary: true, type: "work" }],
      active: true,
    });
    expect(made).toMatchObject({ code: 201, id: "Ann@example.com", active: true, externalId: "e-1" });
    expect(made.headers.get("location")).toBe((made.meta as Json).location);
    const twin = await scim("POST", "/Users", { userName: "ann@EXAMPLE.com" });
    expect(twin).toMatchObject({ code: 409, status: "409", scimType: "uniqueness" });
    const path = "/Users/Ann@example.com";
    const body = { user_id: "Ann@example.com" };
    const ofUser = ((await (await gateway.call("/key/generate", { body })).json()) as { key: string }).key;
    const token = await issuer.token({ sub: "Ann@example.com" });
    expect([await calls(ofUser), await calls(token)]).toEqual([200, 200]);
    // Entra's spelling, and Okta's.
    const entra = patch({ op: "Replace", path: "active", value: "False" });
    expect(await scim("PATCH", path, entra)).toMatchObject({ code: 200, active: false });
    expect([await calls(ofUser), await calls(token)]).toEqual([403, 403]);
    const okta = patch({ op: "replace", value: { active: true } });
    expect(await scim("PATCH", path, okta)).toMatchObject({ code: 200, active: true });
    expect([await calls(ofUser), await calls(token)]).toEqual([200, 200]);
    expect((await scim("DELETE", path)).code).toBe(204);
    expect([await calls(ofUser), await calls(token)]).toEqual([401, 403]);
    expect(await scim("GET", path)).toMatchObject({ code: 404, status: "404" });
    const audit = await (await gateway.call("/audit?object_id=Ann@example.com")).text();
    expect(audit).toMatch(/"action":"deleted"/);
  });

  it.runIf(isHere)("changes users by PUT and PATCH, in versions", async () => {
    const { id, headers } = await scim("POST", "/Users", { userName: "bob", displayName: "Bob" });
    const version = headers.get("etag")!;
    const changes = patch(
      { op: "add", path: 'emails[type eq "work"].value', value: "bob@example.com" },
      { op: "Add", path: "name.familyName", value: "Lee" },
      { op: "replace", path: `${USER}:externalId`, value: "e-bob" },
      {
        op: "replace",
        path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
        value: "x",
      },
      { op: "remove", path: "displayName" },
    );
    const changed = await scim("PATCH", `/Users/${id as string}`, changes, { "if-match": version });
    expect(changed).toMatchObject({
      code: 200,
      emails: [{ value: "bob@example.com" }],
      name: { familyName: "Lee" },
      externalId: "e-bob",
    });
    expect(changed.displayName).toBeUndefined();
    const stale = await scim("PUT", `/Users/${id as string}`, { userName: "bob" }, { "if-match": version });
    expect(stale.code).toBe(412);
    const put = { userName: "bobby", active: false };
    expect(await scim("PUT", `/Users/${id as string}`, put)).toMatchObject({
      id,
      userName: "bobby",
      active: false,
    });
    expect((await scim("GET", `/Users/${id as string}`)).externalId).toBeUndefined();
  });

  it.runIf(isHere)("compares members of what it keeps, and nothing that reads like them", async () => {
    const { id } = await scim("POST", "/Groups", { displayName: "Kept", externalId: "kept-group" });
    const { id: user } = await scim("POST", "/Users", { userName: "kept-user", externalId: "kept-id" });
    // What others wrote, with characters that databases read in ways of their own.
    const odd = "\u0000 \ud800 \\u0000";
    const like = { scim: { external_id: "kept-id", display_name: "Like" }, blocked: true, odd };
    const more = { user_role: "proxy_admin", budget_id: "like-a-budget", key_type: "session" };
    for (const [path, body] of [
      ["/user/new", { user_id: "like-user", auto_create_key: false, metadata: { ...like, ...more } }],
      [
        "/team/new",
        { team_id: "like-team", metadata: { scim: { external_id: "kept-group" }, ...more, odd } },
      ],
      ["/budget/new", { budget_id: "like-a-budget", max_budget: 1 }],
    ] as const)
      expect([path, (await gateway.call(path, { body })).status]).toEqual([path, 200]);
    const idsOf = async (path: string, filter: string) =>
      ((await find(path, filter)).Resources as { id: string }[]).map((each) => each.id);
    expect(await idsOf("/Users", 'externalId eq "kept-id"')).toEqual([user]);
    expect(await idsOf("/Groups", 'externalId eq "kept-group"')).toEqual([id]);
    expect(await idsOf("/Users", 'displayName eq "Like"')).toEqual([]);
    expect(await idsOf("/Users", 'active eq true and id eq "like-user"')).toEqual(["like-user"]);
    expect(await idsOf("/Users", 'active eq false and id eq "like-user"')).toEqual([]);
    expect(await idsOf("/Users", 'externalId eq "\\u0000" or userName eq "\\ud800"')).toEqual([]);
    const admins = await (await gateway.call("/user/list?role=proxy_admin&page_size=100")).text();
    expect(admins).not.toContain("like-user");
    const deleted = await gateway.call("/budget/delete", { body: { id: "like-a-budget" } });
    expect(deleted.status).toBe(200);
  });

  it.runIf(isHere)("finds by filters, in pages", async () => {
    for (const name of ["c1", "c2", "c3"])
      await scim("POST", "/Users", { userName: name, externalId: `x-${name}` });
    expect(await find("/Users", 'userName eq "C2"')).toMatchObject({
      totalResults: 1,
      Resources: [{ id: "c2" }],
    });
    expect(await find("/Users", 'externalId eq "x-c3"')).toMatchObject({ Resources: [{ id: "c3" }] });
    const both = 'userName eq "c1" or userName eq "c2" and externalId eq "x-c2"';
    expect(await find("/Users", both)).toMatchObject({ totalResults: 2 });
    expect(await find("/Users", 'userName eq "c1" and active eq false')).toMatchObject({ totalResults: 0 });
    expect(await find("/Users", 'userName eq "x\\" or 1=1 --"')).toMatchObject({
      code: 200,
      totalResults: 0,
    });
    const page = await scim("GET", "/Users?startIndex=2&count=1");
    expect(page).toMatchObject({ startIndex: 2, itemsPerPage: 1 });
    expect(await scim("GET", "/Users?count=0")).toMatchObject({ itemsPerPage: 0, Resources: [] });
  });

  it
    .runIf(isHere)
    .each([
      "userName",
      'userName sw "a"',
      '(userName eq "a")',
      'userName eq "a" and',
      'or userName eq "a"',
      'userName eq "a" userName eq "b"',
      'password eq "a"',
      "userName eq 'a'",
      'userName eq "a',
      `${"(".repeat(500)}`,
      `userName eq "${"a".repeat(2000)}"`,
      Array.from({ length: 30 }, () => 'id eq "a"').join(" or "),
    ])("refuses the filter %j", async (filter) => {
    expect(await find("/Users", filter)).toMatchObject({ code: 400, scimType: "invalidFilter" });
  });

  it.runIf(isHere)("keeps groups as teams, with their members", async () => {
    for (const name of ["d1", "d2"]) await scim("POST", "/Users", { userName: name });
    const made = await scim("POST", "/Groups", {
      displayName: "Reds",
      externalId: "g-1",
      members: [{ value: "d1" }],
    });
    expect(made).toMatchObject({ code: 201, id: "g-1", displayName: "Reds", members: [{ value: "d1" }] });
    const path = "/Groups/g-1";
    await scim("PATCH", path, patch({ op: "Add", path: "members", value: [{ value: "d2" }] }));
    const team = (await (await gateway.call("/team/info?team_id=g-1")).json()) as { team_info: Json };
    expect(team.team_info).toMatchObject({ team_alias: "Reds", members: ["d1", "d2"] });
    const removed = patch({ op: "remove", path: 'members[value eq "d1"]' });
    expect((await scim("PATCH", path, removed)).members).toMatchObject([{ value: "d2" }]);
    const entra = patch({ op: "Remove", path: "members", value: [{ value: "d2" }] });
    expect((await scim("PATCH", path, entra)).members).toEqual([]);
    const okta = patch({ op: "replace", value: { id: "g-1", displayName: "Blues" } });
    expect(await scim("PATCH", path, okta)).toMatchObject({ displayName: "Blues" });
    const unknown = patch({ op: "replace", path: "members", value: [{ value: "nobody" }] });
    expect(await scim("PATCH", path, unknown)).toMatchObject({ code: 400, scimType: "invalidValue" });
    expect(await scim("PUT", path, { displayName: "Blues", members: [{ value: "d1" }] })).toMatchObject({
      code: 200,
    });
    expect(await find("/Groups", 'displayName eq "blues"')).toMatchObject({
      Resources: [{ members: [{ value: "d1" }] }],
    });
    const short = await scim("GET", "/Groups?excludedAttributes=members");
    expect((short.Resources as Json[])[0]!.members).toBeUndefined();
    expect((await scim("DELETE", path)).code).toBe(204);
    expect((await scim("GET", path)).code).toBe(404);
  });

  it.runIf(isHere).each([
    [{}, "invalidValue"],
    [{ userName: 1 }, "invalidValue"],
    [{ userName: "a".repeat(300) }, "invalidValue"],
    [{ userName: "a\nb" }, "invalidValue"],
    [{ userName: "f", emails: "a@b" }, "invalidValue"],
    [{ userName: "f", active: "maybe" }, "invalidValue"],
  ])("refuses the user %j", async (body, scimType) => {
    expect(await scim("POST", "/Users", body)).toMatchObject({ code: 400, scimType });
  });

  it.runIf(isHere).each([
    [patch(), "invalidValue"],
    [patch({ op: "move", path: "active" }), "invalidSyntax"],
    [patch({ op: "remove" }), "noTarget"],
    [patch({ op: "replace", path: "a[b", value: 1 }), "invalidPath"],
    [patch({ op: "replace", path: "x".repeat(500), value: 1 }), "invalidPath"],
    [patch({ op: "remove", path: "userName" }), "mutability"],
    [patch({ op: "replace", value: "text" }), "invalidValue"],
    [{ Operations: Array.from({ length: 1001 }, () => ({ op: "remove", path: "active" })) }, "invalidValue"],
  ])("refuses the change %#", async (body, scimType) => {
    await scim("POST", "/Users", { userName: "patched" });
    expect(await scim("PATCH", "/Users/patched", body)).toMatchObject({ code: 400, scimType });
  });

  it.runIf(isHere)("is for administrators' keys alone; a key bound to it can do nothing else", async () => {
    expect((await gateway.call("/team/list", { key })).status).toBe(403);
    expect(await calls(key)).toBe(403);
    const plain = await gateway.call("/key/generate", { body: { allowed_routes: ["/scim/*"] } });
    const other = ((await plain.json()) as { key: string }).key;
    const routes = [
      "Users",
      "Users/x",
      "Groups",
      "Groups/x",
      "ServiceProviderConfig",
      "ResourceTypes",
      "Schemas",
    ];
    for (const name of routes) {
      expect((await gateway.call(`/scim/v2/${name}`, { key: other })).status).toBe(403);
      expect((await fetch(`${gateway.url}/scim/v2/${name}`)).status).toBe(401);
    }
    for (const name of routes.slice(4)) expect((await scim("GET", `/${name}`)).code).toBe(200);
  });
});

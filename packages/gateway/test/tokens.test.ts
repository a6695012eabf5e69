import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { askerOf, chat, configOf } from "./support/token-calls.ts";
import { now, startTokenIssuer, type TokenIssuer } from "./support/token-issuer.ts";
import { until } from "./support/until.ts";

describe("Tokens of an issuer", () => {
  let issuer: TokenIssuer;
  let gateway: TestGateway;
  beforeAll(async () => {
    issuer = await startTokenIssuer();
    const settings = {
      user_id_jwt_field: "sub",
      user_email_jwt_field: "email",
      team_ids_jwt_field: "groups",
      org_id_jwt_field: "org",
      end_user_id_jwt_field: "customer.id",
      roles_jwt_field: "realm.roles",
      role_mappings: [
        { role: "viewers-*", internal_role: "proxy_admin_viewer" },
        { role: "boss", internal_role: "proxy_admin" },
      ],
      user_id_upsert: true,
      public_key_ttl: 0.05,
    };
    gateway = await startTestGateway({ config: configOf([issuer], settings) });
  });
  afterAll(() => Promise.all([gateway?.close(), issuer?.close()]));
  const ask = askerOf(() => gateway);
  const post = (path: string, body: object, init: CallInit = {}) => ask(path, { ...init, body });

  it("stand for a user, whose limits, blocks and rows hold for them", async () => {
    const token = await issuer.token({ sub: "ann", email: "Ann@example.com" });
    expect((await ask(...chat(token))).status).toBe(200);
    const shown = await ask("/user/info?user_id=ann");
    expect(shown.user_info).toMatchObject({ user_email: "ann@example.com", user_role: "internal_user" });
    const own = await ask("/user/info", { key: token });
    expect(own).toMatchObject({ status: 200, user_id: "ann" });
    await post("/user/update", { user_id: "ann", models: ["claude"] });
    expect((await ask(...chat(token))).status).toBe(403);
    await post("/user/update", { user_id: "ann", models: [], rpm_limit: 0 });
    expect((await ask(...chat(token))).status).toBe(429);
    await post("/user/update", { user_id: "ann", rpm_limit: null, blocked: true });
    const refused = await ask(...chat(token));
    expect(refused).toMatchObject({ status: 403, error: { message: expect.stringContaining("blocked") } });
    await post("/user/update", { user_id: "ann", blocked: false });
    expect((await ask(...chat(token))).status).toBe(200);
    const logs = await (await gateway.call("/spend/logs?user_id=ann")).text();
    expect(JSON.parse(logs).data).not.toHaveLength(0);
    const audit = await ask("/audit?object_id=ann");
    expect(JSON.stringify(audit)).toContain('"changed_by":"ann"');
    expect(logs + gateway.log() + JSON.stringify(audit)).not.toContain(token);
    expect(gateway.log()).not.toContain(token.split(".")[2]!);
  });

  it("say nothing by an address that is not verified", async () => {
    for (const [email_verified, kept] of [
      [false, null],
      ["false", null],
      [true, "carl@example.com"],
    ] as const) {
      const sub = `carl ${email_verified}`;
      const token = await issuer.token({ sub, email: "carl@example.com", email_verified });
      expect((await ask(...chat(token))).status).toBe(200);
      const shown = await ask(`/user/info?user_id=${sub}`);
      expect([sub, (shown.user_info as { user_email: unknown }).user_email]).toEqual([sub, kept]);
    }
    for (const settings of [
      { user_id_jwt_field: "email" },
      { user_email_jwt_field: "email", user_allowed_email_domain: "example.com" },
    ]) {
      const other = await startTestGateway({
        config: configOf([issuer], { user_id_upsert: true, ...settings }),
      });
      const statusOf = async (email_verified: unknown) => {
        const key = await issuer.token({ sub: "x", email: "dan@example.com", email_verified });
        return (await other.call("/v1/models", { key })).status;
      };
      try {
        expect([settings, await statusOf(true), await statusOf(false)]).toEqual([settings, 200, 401]);
      } finally {
        await other.close();
      }
    }
  });

  it("name teams by aliases that proxy administrators alone give, where they do", async () => {
    const settings = { user_id_jwt_field: "sub", user_id_upsert: true };
    for (const more of [{}, { team_alias_jwt_field: "team" }]) {
      const other = await startTestGateway({ config: configOf([issuer], { ...settings, ...more }) });
      const statusOf = async (path: string, body: object, key?: string) =>
        (await other.call(path, { body, ...(key === undefined ? {} : { key }) })).status;
      try {
        const member = { user_id: "lead", role: "admin" };
        const made = await other.call("/user/new", { body: { user_id: "lead" } });
        const { key } = (await made.json()) as { key: string };
        for (const team_id of ["ours", "theirs"])
          expect(await statusOf("/team/new", { team_id, team_alias: team_id })).toBe(200);
        expect(await statusOf("/team/member_add", { team_id: "ours", member })).toBe(200);
        const isNamed = "team_alias_jwt_field" in more;
        for (const team_alias of ["theirs", "not there yet"])
          expect(await statusOf("/team/update", { team_id: "ours", team_alias }, key)).toBe(
            isNamed ? 403 : 200,
          );
        const alias = isNamed ? "ours" : "not there yet";
        const unchanged = { team_id: "ours", team_alias: alias, metadata: {} };
        expect(await statusOf("/team/update", unchanged, key)).toBe(200);
      } finally {
        await other.close();
      }
    }
  });

  it("stand for the team that they name, as its member", async () => {
    await post("/team/new", { team_id: "red", models: ["claude"], team_member_rpm_limit: 0 });
    await post("/team/new", { team_id: "blue" });
    const token = await issuer.token({ sub: "bob", groups: ["nothing", "red", "blue"] });
    expect((await ask(...chat(token))).status).toBe(403);
    expect((await ask(...chat(token, { model: "claude" }))).status).toBe(429);
    const [path, init] = chat(token);
    const chosen = (team: string) => ask(path, { ...init, headers: { "x-litellm-team-id": team } });
    expect((await chosen("blue")).status).toBe(200);
    expect((await chosen("green")).status).toBe(403);
    expect(await ask("/team/info?team_id=blue")).toMatchObject({
      team_info: { members_with_roles: [{ user_id: "bob", role: "user" }] },
    });
    await post("/team/block", { team_id: "blue" });
    expect((await chosen("blue")).status).toBe(403);
    const strange = await issuer.token({ sub: "bob", groups: ["nothing"] });
    expect((await ask(...chat(strange))).status).toBe(403);
  });

  it("make administrators and viewers by scope and by role, within their routes", async () => {
    const admin = await issuer.token({ sub: "root", scope: "openid litellm_proxy_admin" });
    expect((await post("/team/new", { team_id: "by-token" }, { key: admin })).status).toBe(200);
    expect((await ask(...chat(admin))).status).toBe(403);
    const boss = await issuer.token({ sub: "boss", realm: { roles: ["x", "boss"] } });
    expect((await ask(...chat(boss))).status).toBe(200);
    expect((await post("/team/new", { team_id: "by-boss" }, { key: boss })).status).toBe(200);
    const viewer = await issuer.token({ sub: "eve", realm: { roles: "viewers-eu" } });
    expect((await ask("/team/list", { key: viewer })).status).toBe(200);
    expect((await post("/team/new", { team_id: "no" }, { key: viewer })).status).toBe(403);
    const user = await issuer.token({ sub: "bob", "realm.roles": ["other"] });
    expect((await post("/team/new", { team_id: "no" }, { key: user })).status).toBe(403);
  });

  it("let their users make keys of their own, and nobody who is restricted further", async () => {
    const token = await issuer.token({ sub: "maker" });
    const made = await post("/key/generate", { key_alias: "of-maker" }, { key: token });
    expect(made).toMatchObject({ status: 200, user_id: "maker" });
    expect((await ask(...chat(made.key as string))).status).toBe(200);
    await post("/team/new", { team_id: "bound" });
    const bound = await issuer.token({ sub: "maker", groups: ["bound"] });
    expect((await post("/key/generate", {}, { key: bound })).status).toBe(403);
  });

  it("count for the customer that they name, whatever the request says", async () => {
    await post("/customer/new", { user_id: "acme", blocked: true });
    const token = await issuer.token({ sub: "ann", customer: { id: "acme" } });
    expect((await ask(...chat(token, { user: "other" }))).status).toBe(403);
    expect((await ask(...chat(await issuer.token({ sub: "ann" })))).status).toBe(200);
  });

  it("must belong to their organization", async () => {
    expect((await ask(...chat(await issuer.token({ sub: "ann", org: "nowhere" })))).status).toBe(403);
    await post("/organization/new", { organization_id: "o-1", organization_alias: "o", models: ["claude"] });
    const token = await issuer.token({ sub: "ann", org: "o-1" });
    expect((await ask(...chat(token))).status).toBe(403);
    expect((await ask(...chat(token, { model: "claude" }))).status).toBe(200);
  });

  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claimsNow = () => ({ iss: issuer.url, aud: "portico", sub: "ann", exp: now() + 300 });
  const bad: readonly [string, () => Promise<string> | string][] = [
    ["no algorithm", () => `${part({ alg: "none" })}.${part(claimsNow())}.`],
    ["no algorithm, written otherwise", () => `${part({ alg: "nOnE" })}.${part(claimsNow())}.c2ln`],
    ["another audience", () => issuer.token({ sub: "ann", aud: "other" })],
    ["no audience", () => issuer.token({ sub: "ann", aud: undefined })],
    ["an audience that is no text", () => issuer.token({ sub: "ann", aud: { portico: true } })],
    ["another issuer", () => issuer.token({ sub: "ann", iss: `${issuer.url}/` })],
    ["no issuer", () => issuer.token({ sub: "ann", iss: undefined })],
    ["the end behind it", () => issuer.token({ sub: "ann", exp: now() - 61 })],
    ["no end", () => issuer.token({ sub: "ann", exp: undefined })],
    ["an end that is no number", () => issuer.token({ sub: "ann", exp: "9999999999" })],
    ["the beginning before it", () => issuer.token({ sub: "ann", nbf: now() + 90 })],
    ["an issue in the future", () => issuer.token({ sub: "ann", iat: now() + 90 })],
    ["an unknown key id", () => issuer.token({ sub: "ann" }, { header: { kid: "unknown" } })],
    ["a key id of another type", () => issuer.token({ sub: "ann" }, { header: { kid: "../../etc/passwd" } })],
    [
      "another's signature",
      async () => issuer.token({ sub: "ann" }, { key: (await generateKeyPair("ES256")).privateKey }),
    ],
    [
      "a key of its own in its head",
      async () => {
        const { publicKey, privateKey } = await generateKeyPair("ES256");
        const header = { jwk: await exportJWK(publicKey), jku: `${issuer.url}/evil`, kid: "evil" };
        return issuer.token({ sub: "ann" }, { key: privateKey, header });
      },
    ],
    [
      "a shared secret",
      () => issuer.token({ sub: "ann" }, { key: new Uint8Array(64), header: { alg: "HS256" } }),
    ],
    [
      "an extension that nobody knows",
      () =>
        issuer
          .token({ sub: "ann" }, { header: { crit: ["exp"], exp: 1 } })
          .catch(() => `${part({ alg: "ES256", crit: ["x"], x: 1 })}.${part(claimsNow())}.c2ln`),
    ],
    ["another type", () => issuer.token({ sub: "ann" }, { header: { typ: "logout+jwt" } })],
    [
      "a changed claim",
      async () => {
        const [head, , signature] = (await issuer.token({ sub: "ann" })).split(".");
        return `${head}.${part({ ...claimsNow(), sub: "root" })}.${signature}`;
      },
    ],
    ["no claims", () => `${part({ alg: "ES256", kid: "key-1" })}.${part([])}.c2ln`],
    ["no JSON", () => "eyJhbGciOiJub25lIn.eyJ.x"],
    ["three empty parts", () => "eyJ.."],
    ["no user", () => issuer.token({ groups: undefined })],
    ["an id with a line break", () => issuer.token({ sub: "ann\r\nx: y" })],
    ["an id that is a map", () => issuer.token({ sub: { $ne: "" } })],
    ["an id of a kilobyte", () => issuer.token({ sub: "a".repeat(1000) })],
    [
      "a thousand teams",
      () => issuer.token({ sub: "ann", groups: Array.from({ length: 1000 }, (_, at) => `t${at}`) }),
    ],
    ["more than 12 KiB", () => issuer.token({ sub: "ann", padding: "x".repeat(10_000) })],
  ];
  it.each(bad)("refuse one with %s", async (_, make) => {
    const token = await make();
    const refused = await ask(...chat(token));
    expect(refused.status).toBe(401);
    expect(JSON.stringify(refused)).not.toContain(token.slice(0, 100));
    expect(gateway.log()).not.toContain(token.split(".")[1] || "!");
  });

  it("may differ by a minute of the clock", async () => {
    expect((await ask(...chat(await issuer.token({ sub: "ann", exp: now() - 30 })))).status).toBe(200);
    expect((await ask(...chat(await issuer.token({ sub: "ann", nbf: now() + 30 })))).status).toBe(200);
  });

  it("are signed by the keys that the issuer has now; secrets and private parts among them are none", async () => {
    const old = await issuer.token({ sub: "ann" });
    const secret = Buffer.alloc(64, 7);
    issuer.extra = [
      { kty: "oct", kid: "shared", k: secret.toString("base64url"), alg: "HS256" },
      { kty: "RSA" },
      null as unknown as object,
    ];
    await issuer.rotate();
    const token = await issuer.token({ sub: "ann" });
    await until(async () => (await ask(...chat(token))).status === 200);
    expect((await ask(...chat(old))).status).toBe(200);
    const shared = await issuer.token(
      { sub: "ann" },
      { key: secret, header: { alg: "HS256", kid: "shared" } },
    );
    expect((await ask(...chat(shared))).status).toBe(401);
    await issuer.rotate(true);
    await until(async () => (await ask(...chat(old))).status === 401);
    issuer.extra = [];
  });

  it("stay what they are with keys: a key that looks like a token is none", async () => {
    expect((await ask(...chat("eyJ.not-a-token"))).status).toBe(401);
    expect((await ask(...chat(gateway.masterKey))).status).toBe(200);
  });
});

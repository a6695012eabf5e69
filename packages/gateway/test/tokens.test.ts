import { exportJWK, generateKeyPair } from "jose";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { now, startTokenIssuer, type TokenIssuer } from "./support/token-issuer.ts";
import { until } from "./support/until.ts";

type Answer = Record<string, unknown> & { readonly status: number; readonly error: { message: string } };

const NOWHERE = "http://127.0.0.1:9/v1";

const models = `
model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
  - model_name: claude
    litellm_params: {model: anthropic/claude, api_key: sk-provider-secret}
  - model_name: local
    litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${NOWHERE}"}
`;

function configOf(issuers: readonly TokenIssuer[], settings: object, more: readonly object[] = []): string {
  const entries = issuers.map(({ url }) => ({ issuer: url, audience: "portico" }));
  const general = {
    master_key: "sk-test-master-key-0123456789",
    enable_jwt_auth: true,
    litellm_jwtauth: { issuers: [...entries, ...more], ...settings },
  };
  return `${models}\ngeneral_settings: ${JSON.stringify(general)}\n`;
}

function askerOf(gateway: () => TestGateway) {
  return async (path: string, init: CallInit = {}): Promise<Answer> => {
    const response = await gateway().call(path, init);
    return { ...((await response.json()) as object), status: response.status } as Answer;
  };
}

const messages = [{ role: "user", content: "hi" }];
const chat = (key: string, more: object = {}): [string, CallInit] => [
  "/v1/chat/completions",
  { key, body: { model: "gpt-4o", messages, mock_response: "hello", ...more } },
];

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

describe("Issuers", () => {
  it("are told apart by name, each with its claims", async () => {
    const [first, second] = [await startTokenIssuer(), await startTokenIssuer()];
    const entry = {
      issuer: second.url,
      jwks_url: `${second.url}/keys`,
      disable_audience_validation: true,
      team_id_jwt_field: "sub",
    };
    const gateway = await startTestGateway({ config: configOf([first], { team_id_upsert: true }, [entry]) });
    const ask = askerOf(() => gateway);
    try {
      // Without a user to begin with, whoever is unknown stays out.
      expect((await ask(...chat(await first.token({ sub: "ann" })))).status).toBe(403);
      const workload = await second.token({ sub: "robots", aud: "elsewhere" });
      expect((await ask(...chat(workload))).status).toBe(200);
      expect((await ask("/key/generate", { key: workload, body: {} })).status).toBe(403);
      expect(await ask("/team/info?team_id=robots")).toMatchObject({ status: 200 });
      // One issuer's key does not sign for the other.
      expect((await ask(...chat(await first.token({ sub: "robots", iss: second.url })))).status).toBe(401);
    } finally {
      await Promise.all([gateway.close(), first.close(), second.close()]);
    }
  });

  it("that are down, slow or elsewhere hold up nobody else, and their known keys go on", async () => {
    const issuer = await startTokenIssuer();
    const settings = { user_id_upsert: true, public_key_ttl: 0.05, public_key_stale_ttl: 3600 };
    const gateway = await startTestGateway({ config: configOf([issuer], settings) });
    const ask = askerOf(() => gateway);
    try {
      issuer.answer = (response) => response.writeHead(302, { location: `${issuer.url}/elsewhere` }).end();
      const token = await issuer.token({ sub: "ann" });
      expect((await ask(...chat(token))).status).toBe(401);
      issuer.answer = (response) => response.end("x".repeat(2 ** 20));
      await until(async () => issuer.fetches() > 1 || (await ask(...chat(token))).status === 200);
      expect((await ask(...chat(token))).status).toBe(401);
      issuer.answer = undefined;
      await until(async () => (await ask(...chat(token))).status === 200);
      issuer.answer = (response) => response.writeHead(500).end();
      const before = issuer.fetches();
      await until(async () => {
        expect((await ask(...chat(token))).status).toBe(200);
        return issuer.fetches() > before;
      });
      // An issuer that never answers: calls with keys go on while one with a token waits.
      let asked = false;
      issuer.answer = () => {
        asked = true;
      };
      await until(async () => {
        void ask(...chat(token));
        return asked;
      });
      expect((await ask(...chat(gateway.masterKey))).status).toBe(200);
      // Whoever waited is let in with the keys that are known, once the time limit has passed.
      expect((await ask(...chat(token))).status).toBe(200);
    } finally {
      await Promise.all([gateway.close(), issuer.close()]);
    }
  });

  it("whose keys nobody knows let nobody in while they are down or silent, and hold up nobody else", async () => {
    const [down, silent] = [await startTokenIssuer(), await startTokenIssuer()];
    const gateway = await startTestGateway({ config: configOf([down, silent], { user_id_upsert: true }) });
    const ask = askerOf(() => gateway);
    try {
      const tokens = [await down.token({ sub: "ann" }), await silent.token({ sub: "ann" })];
      silent.answer = () => undefined;
      await down.close();
      const refused = tokens.map(async (token) => (await ask(...chat(token))).status);
      expect((await ask(...chat(gateway.masterKey))).status).toBe(200);
      expect(await Promise.all(refused)).toEqual([401, 401]);
    } finally {
      await Promise.all([gateway.close(), silent.close()]);
    }
  });

  it("are not asked for each forged key id", async () => {
    const issuer = await startTokenIssuer();
    const gateway = await startTestGateway({ config: configOf([issuer], { user_id_upsert: true }) });
    const ask = askerOf(() => gateway);
    try {
      expect((await ask(...chat(await issuer.token({ sub: "ann" })))).status).toBe(200);
      const forged = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          issuer.token({ sub: "ann" }, { header: { kid: `forged-${at}` } }),
        ),
      );
      const statuses = await Promise.all(forged.map(async (token) => (await ask(...chat(token))).status));
      expect(new Set(statuses)).toEqual(new Set([401]));
      expect(issuer.fetches()).toBeLessThanOrEqual(2);
    } finally {
      await Promise.all([gateway.close(), issuer.close()]);
    }
  });

  it("are needed once: what goes on afterwards needs no token", async () => {
    const [issuer, simulator] = await Promise.all([startTokenIssuer(), startSimulator()]);
    const config = configOf([issuer], { user_id_upsert: true });
    const gateway = await startTestGateway({ config: config.replace(NOWHERE, `${simulator.url}/compat/v1`) });
    const ask = askerOf(() => gateway);
    try {
      const token = await issuer.token({ sub: "ann" });
      const row = {
        custom_id: "1",
        method: "POST",
        url: "/v1/chat/completions",
        body: { model: "local", messages, n: 1 },
      };
      const form = new FormData();
      form.set("purpose", "batch");
      form.set("target_model_names", "local");
      form.set("file", new Blob([JSON.stringify(row)]), "rows.jsonl");
      const upload = await fetch(`${gateway.url}/v1/files`, {
        method: "POST",
        body: form,
        headers: { authorization: `Bearer ${token}` },
      });
      const uploaded = (await upload.json()) as { id: string };
      expect(uploaded).toMatchObject({ object: "file" });
      const { id } = uploaded;
      const batch = await ask("/v1/batches", {
        key: token,
        body: { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" },
      });
      expect(batch.error).toBeUndefined();
      const done = await until(
        () => ask(`/v1/batches/${batch.id as string}`, { key: token }),
        (shown) => shown.completed_at != null || shown.failed_at != null,
      );
      expect(done.request_counts).toMatchObject({ completed: 1, failed: 0 });
    } finally {
      await Promise.all([gateway.close(), issuer.close(), simulator.close()]);
    }
  });
});

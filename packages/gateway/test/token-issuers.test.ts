import { startSimulator } from "portico-simulator";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "./support/gateway.ts";
import { askerOf, chat, configOf, messages, NOWHERE } from "./support/token-calls.ts";
import { startTokenIssuer } from "./support/token-issuer.ts";
import { until } from "./support/until.ts";

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

  it("that have a prefix name nobody whose id does not begin so", async () => {
    const [first, second] = [await startTokenIssuer(), await startTokenIssuer()];
    const entry = {
      issuer: second.url,
      jwks_url: `${second.url}/keys`,
      audience: "portico",
      id_prefix: "partner/",
      user_email_jwt_field: "email",
      team_id_jwt_field: "team",
      org_id_jwt_field: "org",
      end_user_id_jwt_field: "customer",
    };
    const settings = {
      user_id_upsert: true,
      team_id_upsert: true,
      user_id_jwt_field: "sub",
      roles_jwt_field: "roles",
      role_mappings: [{ role: "admins", internal_role: "proxy_admin" }],
    };
    const gateway = await startTestGateway({ config: configOf([first], settings, [entry]) });
    const ask = askerOf(() => gateway);
    const statusOf = async (claims: object) => (await ask(...chat(await second.token(claims)))).status;
    try {
      await ask("/user/new", {
        body: { user_id: "chief", user_role: "proxy_admin", auto_create_key: false },
      });
      await ask("/organization/new", { body: { organization_id: "all", organization_alias: "all" } });
      await ask("/team/new", { body: { team_id: "red" } });
      await ask("/customer/new", { body: { user_id: "shop", blocked: true } });
      const chief = await second.token({ sub: "chief", email: "chief@example.com" });
      expect((await ask(...chat(chief))).status).toBe(200);
      // Neither the administrator of that name nor its rights.
      expect((await ask("/user/list", { key: chief })).status).toBe(403);
      expect(await ask("/user/info", { key: chief })).toMatchObject({
        user_id: "partner/chief",
        user_info: { user_email: null },
      });
      expect(await statusOf({ sub: "zoe", team: "red" })).toBe(200);
      expect(await ask("/team/info?team_id=partner/red")).toMatchObject({ status: 200 });
      expect(await ask("/team/info?team_id=red")).toMatchObject({
        team_info: { members_with_roles: [] },
      });
      expect(await statusOf({ sub: "zoe", customer: "shop" })).toBe(200);
      expect(await statusOf({ sub: "zoe", org: "all" })).toBe(403);
      expect(await statusOf({ sub: "zoe", roles: ["admins"] })).toBe(401);
      expect(await statusOf({ sub: "zoe", scope: "litellm_proxy_admin" })).toBe(401);
      expect(await statusOf({ sub: "z".repeat(250) })).toBe(401);
      // The other issuer names whom it names.
      const own = await first.token({ sub: "chief" });
      expect((await ask("/user/list", { key: own })).status).toBe(200);
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

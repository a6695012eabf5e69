import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallInit, MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import {
  Browser,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "./support/identity-provider.ts";
import { startTokenIssuer, type TokenIssuer } from "./support/token-issuer.ts";
import { until } from "./support/until.ts";

/** Ways to be somebody else, or to go on being somebody, by what is no key: sessions, tokens, provisioning. */
type Answer = Record<string, unknown> & { readonly status: number; readonly headers: Headers };

const VERIFIER = "v".repeat(43);
const FROM_CONSOLE = { "x-portico-console": "1" };

let provider: IdentityProvider;
let issuer: TokenIssuer;
let gateway: TestGateway;
let provisioner: string;
/** The gateway's configuration with other rules of signing in. */
let configWith: (sso: object | undefined) => string;
beforeAll(async () => {
  [provider, issuer] = await Promise.all([startIdentityProvider(), startTokenIssuer()]);
  const general = {
    master_key: MASTER_KEY,
    enable_scim: true,
    enable_jwt_auth: true,
    litellm_jwtauth: {
      issuers: [{ issuer: issuer.url, audience: "portico" }],
      user_id_jwt_field: "sub",
      end_user_id_jwt_field: "customer",
      user_id_upsert: true,
    },
    sso: {
      issuer: provider.url,
      client_id: "portico",
      client_secret: CLIENT_SECRET,
      scope: "openid email groups",
      roles_jwt_field: "groups",
      role_mappings: [{ role: "admins", internal_role: "proxy_admin" }],
    },
  };
  const model = "{model_name: m, litellm_params: {model: openai/m, api_key: k}}";
  configWith = (sso) => {
    const settings = JSON.stringify({ ...general, sso: sso && { ...general.sso, ...sso } });
    return `model_list:\n  - ${model}\ngeneral_settings: ${settings}\n`;
  };
  gateway = await startTestGateway({ config: configWith({}) });
  await provider.serve(gateway.url);
  provisioner = await gateway.newKey({ user_role: "proxy_admin", allowed_routes: ["/scim/*"] });
});
afterAll(() => Promise.all([gateway?.close(), issuer?.close(), provider?.close()]));

async function ask(path: string, init: CallInit = {}): Promise<Answer> {
  const response = await gateway.call(path, init);
  const text = await response.text();
  const body = text === "" ? {} : (JSON.parse(text) as object);
  return { ...body, status: response.status, headers: response.headers };
}
async function chat(key: string): Promise<number> {
  const messages = [{ role: "user", content: "hi" }];
  const body = { model: "m", messages, mock_response: "x" };
  return (await ask("/v1/chat/completions", { key, body })).status;
}
const scim = (method: string, path: string, body?: object) =>
  ask(`/scim/v2${path}`, { method, key: provisioner, ...(body === undefined ? {} : { body }) });

describe("A session of the console", () => {
  const signIn = (key: string) => ask("/ui/session", { body: { key }, headers: FROM_CONSOLE });
  const statusWith = async (cookie: string) =>
    (await fetch(`${gateway.url}/ui/session`, { headers: { cookie, ...FROM_CONSOLE } })).status;

  it("that begins with the old text of a renewed key ends with that text", async () => {
    const old = await gateway.newKey({ key_alias: "renewed" });
    const renewed = await ask("/key/regenerate", { body: { key: old, grace_period: "1h" } });
    const sessions = await Promise.all(
      [old, renewed.key as string].map(async (key) => {
        const { status, headers } = await signIn(key);
        expect(status).toBe(200);
        return headers.get("set-cookie")!.split(";")[0]!;
      }),
    );
    expect(await Promise.all(sessions.map(statusWith))).toEqual([200, 200]);
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 2 * 3_600_000);
    try {
      expect([await chat(old), ...(await Promise.all(sessions.map(statusWith)))]).toEqual([401, 401, 200]);
    } finally {
      clock.mockRestore();
    }
  });

  it("begins from no address from which its key may not be used", async () => {
    const elsewhere = await gateway.newKey({ allowed_ips: ["10.9.8.7"] });
    const here = await gateway.newKey({ allowed_ips: ["127.0.0.0/8"] });
    const { status, headers } = await signIn(elsewhere);
    expect([status, headers.get("set-cookie")]).toEqual([403, null]);
    expect((await signIn(here)).status).toBe(200);
    const all = await startTestGateway({
      config: `general_settings: {master_key: ${MASTER_KEY}, allowed_ips: ["10.9.8.7"]}\n`,
    });
    try {
      const body = { key: MASTER_KEY };
      expect((await all.call("/ui/session", { body, headers: FROM_CONSOLE })).status).toBe(403);
    } finally {
      await all.close();
    }
  });

  it("comes over https by the cookie alone that no other host can set", async () => {
    const key = `sk-session-${"x".repeat(40)}`;
    await ask("/key/generate", { body: { key } });
    const statuses = async (proto: string) =>
      Promise.all(
        ["portico_session", "__Host-portico_session"].map(
          async (name) =>
            (
              await fetch(`${gateway.url}/v1/models`, {
                headers: { cookie: `${name}=${key}`, "x-forwarded-proto": proto },
              })
            ).status,
        ),
      );
    expect(await statuses("https")).toEqual([401, 200]);
    expect(await statuses("http")).toEqual([200, 401]);
  });

  it("begins with no token", async () => {
    const { status, headers } = await signIn(await issuer.token({ sub: "ann" }));
    expect([status, headers.get("set-cookie")]).toEqual([401, null]);
  });
});

describe("A session of an administrator by group", () => {
  const signIn = async (user: string) => {
    const browser = new Browser();
    await browser.signIn(`${gateway.url}/sso/key/generate`, user);
    return async (): Promise<unknown> => {
      const response = await browser.get(`${gateway.url}/sso/session`);
      return response.status === 200 ? ((await response.json()) as Answer).user_role : response.status;
    };
  };

  it("loses the role with a change of the user's own", async () => {
    provider.groups.set("chief", ["admins"]);
    const role = await signIn("chief");
    expect(await role()).toBe("proxy_admin");
    await ask("/user/update", { body: { user_id: "chief", user_role: "internal_user_viewer" } });
    expect(await role()).toBe("internal_user_viewer");
  });

  it("ends when the next sign-in gives another role", async () => {
    provider.groups.set("boss", ["admins"]);
    const roles = [await signIn("boss"), await signIn("boss")];
    expect([await roles[0]!(), await roles[1]!()]).toEqual(["proxy_admin", "proxy_admin"]);
    provider.groups.set("boss", []);
    const later = await signIn("boss");
    expect([await roles[0]!(), await roles[1]!(), await later()]).toEqual([401, 401, "internal_user"]);
  });

  it("ends when the configuration gives the group another role, or has nobody sign in any more", async () => {
    provider.groups.set("mapped", ["admins"]);
    const role = await signIn("mapped");
    expect(await role()).toBe("proxy_admin");
    gateway.writeConfig(configWith({ session_hours: 3 }));
    await until(async () => (await ask("/health/readiness")).status === 200);
    expect(await role()).toBe("proxy_admin");
    gateway.writeConfig(configWith({ role_mappings: [{ role: "admins", internal_role: "internal_user" }] }));
    await until(role, (seen) => seen === 401);
    const other = await signIn("mapped");
    expect(await other()).toBe("internal_user");
    gateway.writeConfig(configWith(undefined));
    await until(other, (seen) => seen === 401);
    gateway.writeConfig(configWith({}));
    await until(async () => {
      const again = await signIn("mapped");
      return (await again()) === "proxy_admin";
    });
  });

  it("ends when provisioning takes the user out of a group, or the group away", async () => {
    provider.groups.set("lead", ["admins"]);
    provider.groups.set("plain", []);
    const [role, other] = [await signIn("lead"), await signIn("plain")];
    const members = ["lead", "plain"].map((value) => ({ value }));
    await scim("POST", "/Groups", { displayName: "Admins", externalId: "admins", members });
    expect(await role()).toBe("proxy_admin");
    const remove = { op: "remove", path: 'members[value eq "lead"]' };
    await scim("PATCH", "/Groups/admins", { Operations: [remove] });
    expect([await role(), await other()]).toEqual([401, "internal_user"]);
    const again = await signIn("lead");
    await scim("PUT", "/Groups/admins", { displayName: "Admins", externalId: "admins", members });
    expect(await again()).toBe("proxy_admin");
    expect((await scim("DELETE", "/Groups/admins")).status).toBe(204);
    expect([await again(), await other()]).toEqual([401, "internal_user"]);
  });

  it("is refused, and ends, with the user's end", async () => {
    provider.groups.set("left", ["admins"]);
    const role = await signIn("left");
    await ask("/user/update", { body: { user_id: "left", blocked: true } });
    expect(await role()).toBe(403);
    await ask("/user/update", { body: { user_id: "left", blocked: false } });
    await scim("PATCH", "/Users/left", { Operations: [{ op: "replace", path: "active", value: false }] });
    expect(await role()).toBe(401);
  });
});

it.each(["llm_api", "read_only", "management"])(
  "A key for %s sees sums of all as it sees rows",
  async (type) => {
    const key = await gateway.newKey({ user_role: "proxy_admin", key_type: type });
    const [sums, rows] = await Promise.all([ask("/ui/overview", { key }), ask("/spend/logs", { key })]);
    expect(sums.status).toBe(rows.status);
  },
);

describe("The master key's own user", () => {
  it("is nobody who comes with a token or by provisioning", async () => {
    expect(await chat(await issuer.token({ sub: "default_user_id" }))).toBe(401);
    expect((await scim("POST", "/Users", { userName: "default_user_id" })).status).toBe(409);
    expect((await scim("POST", "/Users", { userName: "Default_User_Id" })).status).toBe(201);
    const { response } = await new Browser().signIn(`${gateway.url}/sso/key/generate`, "default_user_id");
    expect(response.status).toBe(403);
  });

  it("is nobody whom an organization's admin makes", async () => {
    await ask("/organization/new", { body: { organization_id: "o", organization_alias: "o" } });
    const member = { user_id: "admin-of-o", role: "org_admin" };
    expect((await ask("/organization/member_add", { body: { organization_id: "o", member } })).status).toBe(
      200,
    );
    const key = await gateway.newKey({ user_id: "admin-of-o", organization_id: "o" });
    const user = { user_id: "default_user_id", role: "internal_user" };
    const own = { user_id: "of-o", role: "internal_user" };
    const add = async (each: object) =>
      (await ask("/organization/member_add", { key, body: { organization_id: "o", member: each } })).status;
    expect([await add(own), await add(user)]).toEqual([200, 403]);
    const body = { user_id: "default_user_id", organizations: ["o"] };
    expect((await ask("/user/new", { key, body })).status).toBe(403);
  });
});

it("A token whose calls count for a customer makes and renews no key without it", async () => {
  await ask("/customer/new", { body: { user_id: "shut", blocked: true } });
  const token = await issuer.token({ sub: "cid", customer: "shut" });
  const plain = await issuer.token({ sub: "cid" });
  expect(await chat(token)).toBe(403);
  const own = await ask("/key/generate", { key: plain, body: {} });
  expect(own.status).toBe(200);
  expect((await ask("/key/generate", { key: token, body: {} })).status).toBe(403);
  expect((await ask("/key/regenerate", { key: token, body: { key: own.key } })).status).toBe(403);
});

describe("Somebody who has left", () => {
  it("gets no session for the code of a command line", async () => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
    const challenge = Buffer.from(digest).toString("base64url");
    const start = `${gateway.url}/sso/key/generate?cli_port=9999&cli_state=${"s".repeat(20)}&cli_challenge=${challenge}`;
    const codeOf = async (user: string) => {
      const { url } = await new Browser().signIn(start, user, /127\.0\.0\.1:9999/);
      return new URL(url).searchParams.get("code");
    };
    const take = async (code: string | null) =>
      (await ask("/sso/cli/token", { body: { code, code_verifier: VERIFIER } })).status;
    const codes = await Promise.all(["removed", "made-anew", "blocked", "here"].map(codeOf));
    expect((await scim("DELETE", "/Users/removed")).status).toBe(204);
    expect((await scim("DELETE", "/Users/made-anew")).status).toBe(204);
    expect((await scim("POST", "/Users", { userName: "made-anew" })).status).toBe(201);
    await scim("PATCH", "/Users/blocked", { Operations: [{ op: "replace", path: "active", value: false }] });
    expect(await Promise.all(codes.map(take))).toEqual([403, 403, 403, 200]);
  });

  it("is not let in again by a provider that says nothing of it", async () => {
    expect((await scim("POST", "/Users", { userName: "out", active: false })).status).toBe(201);
    const token = await issuer.token({ sub: "out" });
    const put = async (body: object) => (await scim("PUT", "/Users/out", body)).active;
    expect([await put({ userName: "out" }), await chat(token)]).toEqual([false, 403]);
    expect([await put({ userName: "out", active: null }), await chat(token)]).toEqual([false, 403]);
    expect([await put({ userName: "out", active: true }), await chat(token)]).toEqual([true, 200]);
  });
});

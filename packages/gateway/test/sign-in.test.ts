import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { userCode } from "../src/util/user-code.ts";
import { type CallInit, MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import {
  Browser,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from "./support/identity-provider.ts";
import { until } from "./support/until.ts";

type Answer = Record<string, unknown> & { readonly status: number };

const COOKIE = "portico_session";
const START = "/sso/key/generate";

describe("Signing in", () => {
  let provider: IdentityProvider;
  let gateway: TestGateway;
  beforeAll(async () => {
    provider = await startIdentityProvider();
    const claims = { user_email_jwt_field: "email", team_ids_jwt_field: "groups" };
    const general = {
      master_key: MASTER_KEY,
      enable_jwt_auth: true,
      litellm_jwtauth: {
        public_key_ttl: 0.05,
        issuers: [
          { issuer: provider.url, audience: "https://portico.example", team_id_jwt_field: "client_id" },
        ],
        team_id_upsert: true,
      },
      sso: {
        issuer: provider.url,
        client_id: "portico",
        client_secret: CLIENT_SECRET,
        scope: "openid email groups",
        ...claims,
        roles_jwt_field: "groups",
        role_mappings: [{ role: "admins", internal_role: "proxy_admin" }],
      },
    };
    const config = `model_list:\n  - {model_name: m, litellm_params: {model: openai/m, api_key: k}}\ngeneral_settings: ${JSON.stringify(general)}\n`;
    gateway = await startTestGateway({ config });
    await provider.serve(gateway.url);
  });
  afterAll(() => Promise.all([gateway?.close(), provider?.close()]));

  async function ask(path: string, init: CallInit = {}): Promise<Answer> {
    const response = await gateway.call(path, init);
    return { ...((await response.json()) as object), status: response.status };
  }
  /** Asks as the page of a browser does. */
  async function page(browser: Browser, path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await browser.get(gateway.url + path, init);
    return { ...((await response.json()) as object), status: response.status };
  }
  const posted = (body: object, headers: object = {}): RequestInit => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

  it("gives a session of who they are, with the teams of their groups, which ends with the user", async () => {
    await ask("/team/new", { body: { team_id: "red" } });
    await ask("/team/new", { body: { team_id: "blue" } });
    provider.groups.set("ann", ["red", "blue", "unknown"]);
    const browser = new Browser();
    const { url } = await browser.signIn(`${gateway.url + START}?return_to=/sso/session`, "ann");
    expect(url).toBe(`${gateway.url}/sso/session`);
    expect(await page(browser, "/sso/session")).toMatchObject({
      status: 200,
      user_id: "ann",
      user_role: "internal_user",
    });
    const shown = await ask("/user/info?user_id=ann");
    expect(shown.user_info).toMatchObject({ user_email: "ann@example.com" });
    expect((shown.user_info as { teams: string[] }).teams.toSorted()).toEqual(["blue", "red"]);
    // A session is its user: it makes keys of its own and sees its teams.
    const made = await page(browser, "/key/generate", posted({ key_alias: "of-ann" }));
    expect(made).toMatchObject({ status: 200, user_id: "ann" });
    expect((await page(browser, "/team/info?team_id=red")).status).toBe(200);
    expect((await page(browser, "/team/new", posted({ team_id: "mine" }))).status).toBe(403);
    // The groups of the next sign-in are all that there are.
    provider.groups.set("ann", ["blue"]);
    await new Browser().signIn(gateway.url + START, "ann");
    expect((await ask("/user/info?user_id=ann")).user_info).toMatchObject({ teams: ["blue"] });
    expect((await page(browser, "/team/info?team_id=red")).status).toBe(404);
    await ask("/user/update", { body: { user_id: "ann", blocked: true } });
    expect((await page(browser, "/sso/session")).status).toBe(403);
    const { response } = await new Browser().signIn(gateway.url + START, "ann");
    expect(response.status).toBe(403);
    await ask("/user/delete", { body: { user_ids: ["ann"] } });
    expect((await page(browser, "/sso/session")).status).toBe(401);
    expect(gateway.log()).not.toContain(browser.cookie(gateway.url, COOKIE)!);
  });

  it("makes administrators by group", async () => {
    provider.groups.set("root", ["admins"]);
    const browser = new Browser();
    await browser.signIn(gateway.url + START, "root");
    expect((await page(browser, "/team/new", posted({ team_id: "by-root" }))).status).toBe(200);
  });

  it("is for pages of the gateway itself", async () => {
    const browser = new Browser();
    await browser.signIn(gateway.url + START, "bob");
    const from = (headers: object) => page(browser, "/key/generate", posted({}, headers));
    expect((await from({ origin: "https://evil.example", "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await from({ origin: "https://evil.example" })).status).toBe(403);
    expect((await from({ origin: "null" })).status).toBe(403);
    expect((await from({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await from({ origin: gateway.url, "sec-fetch-site": "same-origin" })).status).toBe(200);
    const { headers } = await browser.get(gateway.url + START);
    expect(headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
    expect(headers.get("location")).toMatch(/code_challenge_method=S256/);
    expect(headers.get("location")).toMatch(/nonce=.*/);
  });

  it("ends at once, for everybody who has its key", async () => {
    const browser = new Browser();
    await browser.signIn(gateway.url + START, "bob");
    const key = browser.cookie(gateway.url, COOKIE)!;
    expect((await ask("/sso/session", { key })).status).toBe(200);
    expect(
      (await page(browser, "/sso/logout", { method: "POST", headers: { origin: "https://evil.example" } }))
        .status,
    ).toBe(403);
    expect((await page(browser, "/sso/logout", { method: "POST" })).status).toBe(200);
    expect(browser.cookie(gateway.url, COOKIE)).toBeUndefined();
    expect((await ask("/sso/session", { key })).status).toBe(401);
    expect((await ask("/sso/logout", { method: "POST" })).status).toBe(400);
    // An administrator ends others' sessions as any other key.
    const again = new Browser();
    await again.signIn(gateway.url + START, "bob");
    await ask("/key/delete", { body: { keys: [again.cookie(gateway.url, COOKIE)] } });
    expect((await page(again, "/sso/session")).status).toBe(401);
  });

  it.each([
    "https://evil.example",
    "https:/evil.example",
    "https:evil.example",
    "//evil.example",
    "///evil.example",
    " //evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\n/evil.example",
    "@evil.example",
    "evil.example",
    "data:text/html,x",
    "/\t/evil.example",
    "javascript:alert(1)",
    "",
  ])("leads to no other site: %j", async (wanted) => {
    const browser = new Browser();
    const { url } = await browser.signIn(
      `${gateway.url + START}?return_to=${encodeURIComponent(wanted)}`,
      "bob",
    );
    expect(url).toBe(`${gateway.url}/docs`);
  });

  it("refuses answers that belong to no sign-in of this browser, and takes each once", async () => {
    const victim = new Browser();
    const { url } = await new Browser().signIn(gateway.url + START, "eve", /\/sso\/callback/);
    // Somebody else's code, brought to a browser that began nothing, or something else.
    expect((await victim.get(url)).status).toBe(401);
    await victim.get(gateway.url + START);
    expect((await victim.get(url)).status).toBe(401);
    const browser = new Browser();
    const own = await browser.signIn(gateway.url + START, "eve", /\/sso\/callback/);
    for (const change of [
      { state: "other" },
      { code: "other" },
      { iss: "https://evil.example" },
      { error: "access_denied", code: "" },
    ]) {
      const changed = new URL(own.url);
      for (const [name, value] of Object.entries(change)) changed.searchParams.set(name, value);
      expect((await browser.get(changed.href)).status).toBe(401);
    }
    const flow = browser.cookie(gateway.url, "portico_sign_in")!;
    for (const forged of [
      "",
      "x",
      Buffer.from('{"purpose":"sign-in","until":9e15,"value":{}}').toString("base64url"),
      flow.slice(0, -4),
    ]) {
      browser.setCookie(gateway.url, "portico_sign_in", forged);
      expect((await browser.get(own.url)).status).toBe(401);
    }
  });

  it("chooses each session's key anew, whatever key a browser brings", async () => {
    const browser = new Browser();
    await browser.get(gateway.url + START);
    browser.setCookie(gateway.url, COOKIE, "sk-session-chosen-by-somebody-else");
    await browser.signIn(gateway.url + START, "bob");
    const first = browser.cookie(gateway.url, COOKIE);
    expect(first).toMatch(/^sk-session-[\w-]{43}$/);
    await browser.signIn(gateway.url + START, "bob");
    expect(browser.cookie(gateway.url, COOKIE)).not.toBe(first);
  });

  it("gives one session for each code of a command line", async () => {
    const verifier = "v".repeat(43);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const challenge = Buffer.from(digest).toString("base64url");
    const start = `${gateway.url + START}?cli_port=9999&cli_state=${"s".repeat(20)}&cli_challenge=${challenge}`;
    const { url } = await new Browser().signIn(start, "cli-user", /127\.0\.0\.1:9999/);
    const body = { code: new URL(url).searchParams.get("code"), code_verifier: verifier };
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await ask("/sso/cli/token", { body })).status),
    );
    expect(statuses.toSorted()).toEqual([200, 401, 401]);
    // Not even when that session has ended.
    const { keys } = await ask("/key/list?user_id=cli-user");
    expect(await ask("/key/delete", { body: { keys } })).toMatchObject({ status: 200, deleted_keys: keys });
    expect((await ask("/sso/cli/token", { body })).status).toBe(401);
    expect(
      (await gateway.call(`${START}?cli_port=22&cli_state=${"s".repeat(20)}&cli_challenge=${challenge}`))
        .status,
    ).toBe(400);
    expect((await gateway.call(`${START}?cli_port=9999`)).status).toBe(400);
  });

  it("asks whoever is signed in before a command line gets a session", async () => {
    const challenge = "c".repeat(43);
    const start = `${gateway.url + START}?cli_port=9999&cli_state=${"s".repeat(20)}&cli_challenge=${challenge}`;
    const answerOf = async (browser: Browser, answer: string, headers = {}, by = browser) => {
      const { url } = await browser.signIn(start, "asked", /\/sso\/callback/);
      const page = await browser.get(url);
      const text = await page.text();
      // It leads nowhere by itself, and stands in no frame.
      expect([page.status, page.headers.get("location")]).toEqual([200, null]);
      expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      for (const shown of [userCode(challenge), "127.0.0.1:9999", "asked", new URL(gateway.url).host])
        expect(text).toContain(shown);
      const ticket = /name="ticket" value="([^"]+)"/.exec(text)![1]!;
      const body = new URLSearchParams({ ticket, answer });
      return by.get(`${gateway.url}/sso/cli/confirm`, { method: "POST", headers, body });
    };
    const browser = new Browser();
    expect((await answerOf(browser, "approve")).headers.get("location")).toMatch(
      /^http:\/\/127.0.0.1:9999\//,
    );
    const refused = await answerOf(browser, "deny");
    expect([refused.status, refused.headers.get("location")]).toEqual([200, null]);
    // Another site's form, and somebody else's answer to the question.
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }])
      expect((await answerOf(browser, "approve", headers)).status).toBe(403);
    expect((await answerOf(browser, "approve", {}, new Browser())).status).toBe(401);
    const none = { method: "POST", body: new URLSearchParams({ answer: "approve" }) };
    expect((await browser.get(`${gateway.url}/sso/cli/confirm`, none)).status).toBe(401);
  });

  it("is beside the provider's own tokens, whose keys change", async () => {
    const call = async (key: string) =>
      (
        await ask("/v1/chat/completions", {
          key,
          body: { model: "m", messages: [{ role: "user", content: "hi" }], mock_response: "x" },
        })
      ).status;
    const token = await provider.token();
    expect(await call(token)).toBe(200);
    expect(await ask("/team/info?team_id=workload")).toMatchObject({ status: 200 });
    await provider.rotate();
    const next = await provider.token();
    await until(async () => (await call(next)) === 200);
    await until(async () => (await call(token)) === 401);
  });
});

it("takes LiteLLM's variables of a provider that tells by an endpoint who signed in", async () => {
  const provider = await startIdentityProvider();
  const gateway = await startTestGateway({
    config: "model_list: []",
    environment: {
      GENERIC_CLIENT_ID: "portico",
      GENERIC_CLIENT_SECRET: CLIENT_SECRET,
      GENERIC_AUTHORIZATION_ENDPOINT: `${provider.url}/auth`,
      GENERIC_TOKEN_ENDPOINT: `${provider.url}/token`,
      GENERIC_USERINFO_ENDPOINT: `${provider.url}/me`,
      GENERIC_SCOPE: "openid email",
      GENERIC_USER_ID_ATTRIBUTE: "email",
    },
  });
  try {
    await provider.serve(gateway.url);
    const browser = new Browser();
    const { url } = await browser.signIn(
      `${gateway.url + START}?return_to=/sso/session`,
      "ann",
      /\/sso\/callback/,
    );
    const changed = new URL(url);
    changed.searchParams.set("state", "other");
    const wrong = await browser.get(changed.href);
    expect(wrong.status).toBe(401);
    expect((await browser.get(url)).status).toBe(303);
    const shown = await browser.get(`${gateway.url}/sso/session`);
    expect(await shown.json()).toMatchObject({ user_id: "ann@example.com", user_role: "internal_user" });
  } finally {
    await Promise.all([gateway.close(), provider.close()]);
  }
});

it("answers 502 while the provider is down, and 404 without one", async () => {
  const provider = await startIdentityProvider();
  const general = { master_key: MASTER_KEY, sso: { issuer: provider.url, client_id: "portico" } };
  const gateway = await startTestGateway({
    config: `model_list: []\ngeneral_settings: ${JSON.stringify(general)}\n`,
  });
  const without = await startTestGateway({ config: "model_list: []" });
  try {
    expect((await gateway.call(START)).status).toBe(502);
    expect((await gateway.call("/sso/callback?code=x")).status).toBe(401);
    expect((await without.call(START)).status).toBe(404);
  } finally {
    await Promise.all([gateway.close(), without.close(), provider.close()]);
  }
});

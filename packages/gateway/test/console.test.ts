import { createCipheriv, hkdfSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const fromConsole = { "x-portico-console": "1" };

/** A request of the console's page, or of somebody who would like to pass for it. */
function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    redirect: "manual",
    ...init,
    headers: { ...fromConsole, ...init.headers },
  });
}

async function signIn(key: string): Promise<string> {
  const response = await ask("/ui/session", { method: "POST", body: JSON.stringify({ key }) });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.headers.get("set-cookie")!.split(";")[0]!;
}

/** What somebody seals who knows no secret, or another one. */
function sealed(text: string, secret: string): string {
  const nonce = Buffer.alloc(12, 1);
  const cipher = createCipheriv(
    "aes-256-gcm",
    Buffer.from(hkdfSync("sha256", secret, "", "portico stored secrets", 32)),
    nonce,
  );
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
    "base64",
  );
}

describe("A session of the console", () => {
  it("begins with a key, in a cookie that neither scripts nor other sites can use", async () => {
    const response = await ask("/ui/session", {
      method: "POST",
      body: JSON.stringify({ key: gateway.masterKey }),
    });
    expect(await response.json()).toMatchObject({
      role: "proxy_admin",
      user_id: null,
      key_name: "master key",
      by: "key",
      may: { "POST /team/new": { all: true } },
    });
    const cookie = response.headers.get("set-cookie")!;
    expect(cookie).toMatch(/^portico_console=[\w+/=]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    expect(cookie).not.toContain(gateway.masterKey);
    const secure = await ask("/ui/session", {
      method: "POST",
      body: JSON.stringify({ key: gateway.masterKey }),
      headers: { "x-forwarded-proto": "https" },
    });
    const ofHttps = secure.headers.get("set-cookie")!;
    expect(ofHttps).toMatch(/^__Host-portico_console=[\w+/=]+; Path=\/; .*; Secure$/);
    // Over https the plain name may be what another host of the same site has set.
    const statusWith = async (cookie: string) =>
      (await ask("/ui/session", { headers: { cookie: cookie.split(";")[0]!, "x-forwarded-proto": "https" } }))
        .status;
    expect([await statusWith(ofHttps), await statusWith(ofHttps.replace("__Host-", ""))]).toEqual([200, 401]);
  });

  it("is its key's at every endpoint", async () => {
    const cookie = await signIn(await gateway.newKey({ key_alias: "plain", user_id: "ann" }));
    const who = await ask("/ui/session", { headers: { cookie } });
    const told = { role: "internal_user", user_id: "ann", key_name: "plain", by: "key" };
    expect(await who.json()).toMatchObject(told);
    expect((await ask("/audit", { headers: { cookie } })).status).toBe(403);
    expect((await ask("/ui/overview", { headers: { cookie } })).status).toBe(200);
  });

  it.each(["sk-unknown", "", "x".repeat(10_000)])("begins with no wrong key (%#)", async (key) => {
    const response = await ask("/ui/session", { method: "POST", body: JSON.stringify({ key }) });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it.each([
    { "x-portico-console": "" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ])("counts for no request of another site: %o", async (headers) => {
    const cookie = await signIn(gateway.masterKey);
    for (const [method, path] of [
      ["GET", "/key/list"],
      ["POST", "/key/generate"],
      ["GET", "/ui/session"],
    ])
      expect((await ask(path!, { method: method!, headers: { cookie, ...headers } })).status).toBe(401);
    for (const method of ["POST", "DELETE"]) {
      const init = method === "POST" ? { body: JSON.stringify({ key: gateway.masterKey }) } : {};
      expect((await ask("/ui/session", { method, headers, ...init })).status).toBe(403);
    }
  });

  it("gives way to a key that the request carries", async () => {
    const cookie = await signIn(gateway.masterKey);
    expect((await ask("/audit", { headers: { cookie, authorization: "Bearer sk-unknown" } })).status).toBe(
      401,
    );
  });

  it("ends with its key: deleted, blocked or renewed", async () => {
    for (const path of ["/key/delete", "/key/block", "/key/regenerate"]) {
      const key = await gateway.newKey();
      const cookie = await signIn(key);
      await gateway.call(path, { body: path === "/key/delete" ? { keys: [key] } : { key } });
      expect([401, 403]).toContain((await ask("/ui/session", { headers: { cookie } })).status);
    }
  });

  it("cannot be forged", async () => {
    const cookie = await signIn(gateway.masterKey);
    const value = cookie.slice(cookie.indexOf("=") + 1);
    const { token } = (await (await gateway.call("/key/generate", { body: {} })).json()) as { token: string };
    const plain = JSON.stringify({ session: token, until: Date.now() + 1e6 });
    const past = JSON.stringify({ session: token, until: Date.now() - 1 });
    const forgeries = [
      plain,
      Buffer.from(plain).toString("base64"),
      sealed(plain, ""),
      sealed(plain, "sk-1234"),
      sealed(past, MASTER_KEY),
      `${value.slice(0, -6)}AAAA==`,
      value.slice(0, 20),
      "",
      "=",
    ];
    for (const forgery of forgeries)
      expect((await ask("/ui/session", { headers: { cookie: `portico_console=${forgery}` } })).status).toBe(
        401,
      );
  });

  it("is taken back when somebody signs out", async () => {
    const response = await ask("/ui/session", { method: "DELETE" });
    expect(response.headers.get("set-cookie")).toMatch(/^portico_console=; .*Max-Age=0/);
  });
});

describe("The console's files", () => {
  it("are a page with a policy of its own for each answer, and what it names", async () => {
    expect(await (await ask("/ui")).text()).toContain('content="0; url=ui/"');
    const [one, other] = await Promise.all([ask("/ui/"), ask("/ui/")]);
    const policy = one.headers.get("content-security-policy")!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(other.headers.get("content-security-policy")).not.toBe(policy);
    const html = await one.text();
    const names = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names)
      for (const encoding of ["gzip", "identity"]) {
        const file = await ask(`/ui/${name}`, { headers: { "accept-encoding": encoding } });
        expect(file.headers.get("cache-control")).toContain("immutable");
        expect((await file.text()).length).toBeGreaterThan(100);
      }
  });

  it.each([
    "nothing.js",
    "..%2Findex.html",
    "index.html",
    "..%2F..%2Fpackage.json",
    "a.js%00",
    "%2e%2e%2fx.js",
  ])("are these alone: %s is not found", async (name) => {
    expect((await ask(`/ui/assets/${name}`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("The console's overview", () => {
  it("sums what was called, over time and by model, and shows others their own alone", async () => {
    const message = { max_tokens: 10, messages: [{ role: "user", content: "hi" }] };
    const key = await gateway.newKey();
    await gateway.call("/v1/messages", { key, body: { model: "claude-sonnet-4-5", ...message } });
    await gateway.call("/v1/messages", { body: { model: "claude-sonnet-4-5", ...message } });
    const overviewOf = async (asker: string) => {
      const response = await gateway.call("/ui/overview?hours=1", { method: "GET", key: asker });
      return (await response.json()) as {
        totals: { requests: number; completion_tokens: number };
        series: { time: string; requests: number }[];
        models: { model: string; requests: number }[];
        start: string;
        end: string;
        step: number;
      };
    };
    const own = await overviewOf(key);
    expect(own.totals.requests).toBe(1);
    expect(own.models).toMatchObject([{ model: "claude-sonnet-4-5", requests: 1 }]);
    const all = await overviewOf(gateway.masterKey);
    expect(all.totals.requests).toBeGreaterThanOrEqual(2);
    expect(all.series.reduce((sum, { requests }) => sum + requests, 0)).toBe(all.totals.requests);
    for (const { time } of all.series) expect(Date.parse(time) % (all.step * 1000)).toBe(0);
    expect(Date.parse(all.end) - Date.parse(all.start)).toBe(3_600_000);
  });

  it.each(["0", "721", "x", "-1", "1e9", "1.5"])("refuses %s hours", async (hours) => {
    expect((await gateway.call(`/ui/overview?hours=${hours}`, { method: "GET" })).status).toBe(400);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SPEND_COLUMNS, spendLine } from "../src/features/spend/spend-lines.ts";
import { startWholeGateway } from "./rules/everything.ts";
import { type Operation, operationsOf } from "./rules/operations.ts";
import type { TestGateway } from "./support/gateway.ts";

/** What somebody can do who has a page that an operator of the console visits, or a name that the console shows. */
let gateway: TestGateway;
let operations: readonly Operation[];
beforeAll(async () => {
  gateway = await startWholeGateway();
  operations = await operationsOf(gateway);
});
afterAll(() => gateway?.close());

const CONSOLE = { "x-portico-console": "1" };

/** Signs in to the console. @returns the cookie */
async function signIn(
  key = gateway.masterKey,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(`${gateway.url}/ui/session`, {
    method: "POST",
    headers: { ...CONSOLE, "content-type": "application/json", ...headers },
    body: JSON.stringify({ key }),
  });
  expect(answer.status).toBe(200);
  return answer.headers.get("set-cookie")!.split(";")[0]!;
}

const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, "x");

/** What a browser sends of another site's page: by a form, by a script that asks nobody, or by one that pretends. */
const FORGED: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    "a form",
    { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" },
    "key=x",
  ],
  ["a script without a preflight", { "content-type": "text/plain", origin: "https://evil.example" }, "{}"],
  [
    "a script with the console's header",
    { ...CONSOLE, "content-type": "application/json", "sec-fetch-site": "cross-site" },
    "{}",
  ],
  [
    "another host of the site",
    { ...CONSOLE, "content-type": "application/json", "sec-fetch-site": "same-site" },
    "{}",
  ],
];

describe("Another site", () => {
  it.each(FORGED)("reaches nothing with the operator's cookie: %s", async (_, headers, body) => {
    const cookie = await signIn();
    const closed = operations.filter(({ access }) => access !== "public");
    expect(closed.length).toBeGreaterThan(150);
    const reached: string[] = [];
    for (const operation of closed) {
      const { method } = operation;
      const answer = await fetch(gateway.url + pathOf(operation), {
        method,
        headers: { ...headers, cookie },
        redirect: "manual",
        ...(method === "GET" ? {} : { body }),
      });
      await answer.body?.cancel();
      if (answer.status !== 401) reached.push(`${method} ${operation.path}: ${answer.status}`);
    }
    expect(reached).toEqual([]);
    // Nothing of it ended the session either.
    const still = await fetch(`${gateway.url}/ui/session`, { headers: { ...CONSOLE, cookie } });
    expect(still.status).toBe(200);
  });

  it("changes nothing by what needs no key", async () => {
    const cookie = await signIn();
    const open = operations.filter(({ access, method }) => access === "public" && method !== "GET");
    for (const operation of open)
      for (const [, headers, body] of FORGED) {
        const answer = await fetch(gateway.url + pathOf(operation), {
          method: operation.method,
          headers: { ...headers, cookie },
          body,
          redirect: "manual",
        });
        await answer.body?.cancel();
        expect(answer.headers.getSetCookie(), `${operation.method} ${operation.path}`).toEqual([]);
        expect(answer.status, `${operation.method} ${operation.path}`).toBeGreaterThanOrEqual(400);
      }
  });

  it("gets no leave to send the console's header, or to read an answer with the cookie", async () => {
    for (const { method, path } of operations.filter(({ access }) => access !== "public")) {
      const answer = await fetch(gateway.url + path.replaceAll(/\{\w+\}/g, "x"), {
        method: "OPTIONS",
        headers: {
          origin: "https://evil.example",
          "access-control-request-method": method,
          "access-control-request-headers": "x-portico-console",
        },
      });
      await answer.body?.cancel();
      expect(answer.headers.get("access-control-allow-credentials"), path).not.toBe("true");
    }
  });

  it("puts no page of the gateway into a frame", async () => {
    const pages: string[] = [];
    for (const operation of operations.filter(
      ({ method, access }) => method === "GET" && access === "public",
    )) {
      const answer = await fetch(gateway.url + pathOf(operation), {
        headers: { accept: "text/html" },
        redirect: "manual",
      });
      await answer.body?.cancel();
      if (answer.headers.get("content-type")?.startsWith("text/html") !== true) continue;
      pages.push(operation.path);
      expect(answer.headers.get("content-security-policy"), operation.path).toContain(
        "frame-ancestors 'none'",
      );
    }
    expect(pages).toEqual(expect.arrayContaining(["/ui", "/ui/"]));
  });
});

describe("A session of the console", () => {
  it("is never one that somebody else chose", async () => {
    const other = ((await (await gateway.call("/key/generate", { body: {} })).json()) as { key: string }).key;
    const planted = await signIn(other);
    for (const cookie of [planted, "portico_console=chosen", `portico_console=${"A".repeat(200)}`]) {
      const own = await signIn(gateway.masterKey, { cookie });
      expect(own).not.toBe(cookie);
      const whose = async (held: string) => {
        const answer = await fetch(`${gateway.url}/ui/session`, { headers: { ...CONSOLE, cookie: held } });
        return answer.status === 200 ? ((await answer.json()) as { role: string }).role : answer.status;
      };
      expect(await whose(own)).toBe("proxy_admin");
      // What was planted did not become the operator's.
      expect(await whose(cookie)).toBe(cookie === planted ? "internal_user" : 401);
    }
    expect(await signIn()).not.toBe(await signIn());
  });

  it("comes from no address, no header of a proxy and no body", async () => {
    const value = (await signIn()).split("=").slice(1).join("=");
    const asked = [
      [`/ui/session?portico_console=${encodeURIComponent(value)}`, {}],
      [`/ui/session;portico_console=${encodeURIComponent(value)}`, {}],
      ["/ui/session", { portico_console: value }],
      ["/ui/session", { "set-cookie": `portico_console=${value}` }],
    ] as const;
    for (const [path, headers] of asked) {
      const answer = await fetch(gateway.url + path, { headers: { ...CONSOLE, ...headers } });
      await answer.body?.cancel();
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("An export of the console", () => {
  it("begins no cell with what a spreadsheet takes for a formula", () => {
    const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠1"];
    const row = {
      id: "1",
      request_id: "r",
      key_hash: "k",
      provider: "p",
      call_type: "c",
      status: "success",
      ...{ prompt_tokens: 1, completion_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, spend: 0.5 },
      ...{ started_at: 0, ended_at: 1, model_id: null, organization_id: null, tags: null },
    };
    const lines = formulas.map((text) => {
      const of = { user_id: text, team_id: text, model: text, end_user: text, session_id: text };
      const details = JSON.stringify({ tools: [text], metadata: { [text]: text } });
      return spendLine({ ...row, ...of, details }, [...SPEND_COLUMNS, "metadata", "tools"]);
    });
    for (const [at, formula] of formulas.entries()) expect(lines[at]).toContain(`'${formula}`);
    expect(lines.join("")).not.toMatch(/(?:^|,)"?[=+\-@\t\r\n＝＋－＠]/);
  });
});

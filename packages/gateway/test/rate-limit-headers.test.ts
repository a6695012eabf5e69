import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

type Answer = Record<string, unknown>;

/** The tight limit, which is at another level each time, and that of all others. */
const LIMIT = 2;
const LOOSE = 1000;

/** A way to call: what is asked, and what the dialect's clients read of limits. */
interface Dialect {
  readonly path: string;
  readonly body: object;
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
  /** What a refusal has, and where it says when to come back. */
  refused(body: Answer): unknown;
  readonly refusal: unknown;
}

const openai = {
  limit: "x-ratelimit-limit-requests",
  remaining: "x-ratelimit-remaining-requests",
  reset: "x-ratelimit-reset-requests",
  refused: (body: Answer) => (body.error as Answer).type,
  refusal: "rate_limit_error",
};

const messages = [{ role: "user", content: "hi" }];
const dialects: Record<string, Dialect> = {
  "chat completions": { ...openai, path: "/v1/chat/completions", body: { messages } },
  responses: { ...openai, path: "/v1/responses", body: { input: "hi" } },
  embeddings: { ...openai, path: "/v1/embeddings", body: { input: "hi" } },
  messages: {
    path: "/v1/messages",
    body: { messages, max_tokens: 5 },
    limit: "anthropic-ratelimit-requests-limit",
    remaining: "anthropic-ratelimit-requests-remaining",
    reset: "anthropic-ratelimit-requests-reset",
    refused: (body) => [body.type, (body.error as Answer).type],
    refusal: ["error", "rate_limit_error"],
  },
  // Google has no such headers; what other clients of the gateway read stands there too.
  generateContent: {
    ...openai,
    path: "/v1beta/models/MODEL:generateContent",
    body: { contents: [{ parts: [{ text: "hi" }] }] },
    refused: (body) => {
      const { status, details } = body.error as { status: string; details: Answer[] };
      return [status, details.find((one) => String(one["@type"]).endsWith("RetryInfo"))?.retryDelay];
    },
    refusal: ["RESOURCE_EXHAUSTED", expect.stringMatching(/^[1-9]\d*s$/)],
  },
};

describe("Rate-limit headers and refusals", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.must("/budget/new", { budget_id: "tight", rpm_limit: LIMIT });
  });
  afterAll(() => gateway?.close());

  let made = 0;
  const tight = { rpm_limit: LIMIT };
  const loose = { rpm_limit: LOOSE };
  /** Levels, each with what has a key's calls counted there: the key, and what its requests say. */
  const levels: Record<string, (id: string, model: string) => Promise<{ key: string; headers?: object }>> = {
    key: async () => ({ key: await gateway.newKey(tight) }),
    "key's model": async (_, model) => ({
      key: await gateway.newKey({ ...loose, model_rpm_limit: { [model]: LIMIT } }),
    }),
    "key's budget": async () => ({ key: await gateway.newKey({ budget_id: "tight" }) }),
    user: async (user_id) => {
      await gateway.must("/user/new", { user_id, auto_create_key: false, ...tight });
      return { key: await gateway.newKey({ ...loose, user_id }) };
    },
    team: async (team_id) => {
      await gateway.must("/team/new", { team_id, ...tight });
      return { key: await gateway.newKey({ ...loose, team_id }) };
    },
    "team's model": async (team_id, model) => {
      await gateway.must("/team/new", { team_id, ...loose, model_rpm_limit: { [model]: LIMIT } });
      return { key: await gateway.newKey({ ...loose, team_id }) };
    },
    member: async (id) => {
      await gateway.must("/team/new", { team_id: id, ...loose });
      await gateway.must("/team/member_add", {
        team_id: id,
        member: { user_id: id, role: "user" },
        ...tight,
      });
      return { key: await gateway.newKey({ ...loose, team_id: id, user_id: id }) };
    },
    organization: async (id) => {
      await gateway.must("/organization/new", { organization_id: id, organization_alias: id, ...tight });
      await gateway.must("/team/new", { team_id: id, organization_id: id, ...loose });
      return { key: await gateway.newKey({ ...loose, team_id: id }) };
    },
    customer: async (user_id) => {
      await gateway.must("/customer/new", { user_id, ...tight });
      return { key: await gateway.newKey(loose), headers: { "x-litellm-customer-id": user_id } };
    },
    tag: async (name) => {
      await gateway.must("/tag/new", { name, ...tight });
      return { key: await gateway.newKey(loose), headers: { "x-litellm-tags": name } };
    },
  };

  const cases = Object.keys(levels).flatMap((level) =>
    Object.keys(dialects).map((name) => [level, name] as const),
  );
  it.each(cases)("tell of the limit of the %s, as clients of %s read it", async (level, name) => {
    const { path, body, limit, remaining, reset, refused, refusal } = dialects[name]!;
    const model = name === "embeddings" ? "text-embedding-3-small" : "gpt-4o";
    made += 1;
    const { key, headers = {} } = await levels[level]!(`${level} ${made}`, model);
    const ask = () =>
      gateway.call(path.replace("MODEL", model), {
        key,
        headers: headers as Record<string, string>,
        body: name === "generateContent" ? body : { model, ...body },
      });
    for (let left = LIMIT - 1; left >= 0; left -= 1) {
      const answer = await ask();
      expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
      expect(answer.headers.get(limit)).toBe(String(LIMIT));
      expect(answer.headers.get(remaining)).toBe(String(left));
      expect(answer.headers.get(reset)).toMatch(/^\d+s$|^\d{4}-\d\d-\d\dT/);
    }
    const answer = await ask();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get(limit)).toBe(String(LIMIT));
    expect(answer.headers.get(remaining)).toBe("0");
    expect(refused((await answer.json()) as Answer)).toEqual(refusal);
  });
});

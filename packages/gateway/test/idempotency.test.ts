import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url)}
keys:
  - {key: sk-tenant-one-0123456789, user_id: one}
  - {key: sk-tenant-two-0123456789, user_id: two}
`,
    environment: { OPENAI_API_KEY: "simulated", OPENAI_API_BASE: `${simulator.url}/openai/v1` },
  });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

beforeEach(() => simulator.reset());

let number = 0;
function newKey(): string {
  number += 1;
  return `key-${number}`;
}

function post(path: string, body: object, key: string, init: CallInit = {}): Promise<Response> {
  return gateway.call(path, { ...init, body, headers: { "idempotency-key": key, ...init.headers } });
}

/** Requests that the providers got; the gateway's own looks at batches are none. */
function sent(): number {
  return simulator.received().filter(({ method }) => method === "POST").length;
}

const messages = [{ role: "user", content: "hello" }];
const creates: readonly (readonly [string, object])[] = [
  ["/v1/chat/completions", { model: "claude", messages }],
  ["/v1/messages", { model: "gpt-4o", max_tokens: 100, messages }],
  ["/v1/responses", { model: "claude", input: "hello" }],
  ["/v1/responses", { model: "gpt-4o", input: "hello" }],
  ["/v1beta/models/claude:generateContent", { contents: [{ parts: [{ text: "hello" }] }] }],
  ["/v1beta/models/gpt-4o:streamGenerateContent", { contents: [{ parts: [{ text: "hello" }] }] }],
  ["/v1/containers", { name: "box" }],
  ["/v1/videos", { model: "sora-2", prompt: "a cat" }],
];

describe("A repeated request with the same Idempotency-Key", () => {
  it.each(creates)("gets the first one's answer from %s", async (path, body) => {
    const key = newKey();
    const first = await post(path, body, key);
    const text = await first.text();
    expect(first.status, text).toBe(200);
    const second = await post(path, body, key);
    expect(await second.text()).toBe(text);
    expect(second.headers.get("x-portico-idempotent-replay")).toBe("true");
    expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(sent()).toBe(1);
  });

  it("gets the first one's batch", async () => {
    const row = {
      custom_id: "1",
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "claude", messages },
    };
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new File([`${JSON.stringify(row)}\n`], "rows.jsonl"));
    const uploaded = await fetch(`${gateway.url}/v1/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.masterKey}` },
      body: form,
    });
    const { id } = (await uploaded.json()) as { id: string };
    const body = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const key = newKey();
    const first = await post("/v1/batches", body, key);
    const text = await first.text();
    expect(first.status, text).toBe(200);
    expect(await (await post("/v1/batches", body, key)).text()).toBe(text);
  });

  it.each(["/v1/chat/completions", "/v1/messages", "/v1/responses"])(
    "gets the same bytes of a stream from %s",
    async (path) => {
      const key = newKey();
      const body = { model: "claude", max_tokens: 99, messages, input: "hello", stream: true };
      const first = await (await post(path, body, key)).text();
      expect(await (await post(path, body, key)).text()).toBe(first);
      expect(sent()).toBe(1);
    },
  );

  it("attaches while the first one runs: one upstream call for many at the same moment", async () => {
    const key = newKey();
    const body = { model: "claude", messages: [{ role: "user", content: "[[sim:latency 300]] hello" }] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => (await post("/v1/chat/completions", body, key)).text()),
    );
    expect(new Set(answers).size).toBe(1);
    expect(sent()).toBe(1);
  });

  it("attaches to a stream that still runs", async () => {
    const key = newKey();
    const body = { model: "gpt-4o", input: "[[sim:tokens 40]] [[sim:delay 10]]", stream: true };
    const first = await post("/v1/responses", body, key);
    const second = await post("/v1/responses", body, key);
    const [one, two] = await Promise.all([first.text(), second.text()]);
    expect(two).toBe(one);
    expect(one).toContain("response.completed");
    expect(sent()).toBe(1);
  });

  it("finds the answer of a caller who left before it came", async () => {
    const key = newKey();
    const body = { model: "claude", messages: [{ role: "user", content: "[[sim:latency 1000]] hello" }] };
    const leaving = new AbortController();
    const left = post("/v1/chat/completions", body, key, { signal: leaving.signal }).catch(() => "left");
    await expect.poll(() => sent()).toBe(1);
    leaving.abort();
    expect(await left).toBe("left");
    const again = await post("/v1/chat/completions", body, key);
    expect(await again.json()).toMatchObject({ choices: [{ message: { content: "echo: hello" } }] });
    expect(sent()).toBe(1);
  });

  it("is billed once", async () => {
    const key = newKey();
    const init = { key: "sk-tenant-one-0123456789" };
    for (let round = 0; round < 3; round += 1)
      await (await post("/v1/responses", { model: "claude", input: "hello" }, key, init)).text();
    await expect
      .poll(async () => {
        const logs = await gateway.call("/spend/logs?user=one");
        return ((await logs.json()) as { data: unknown[] }).data.length;
      })
      .toBe(1);
  });
});

describe("An Idempotency-Key", () => {
  it.each([
    ["its key", async () => ({ rpm_limit: 2 })],
    [
      "its team",
      async () => {
        const made = await gateway.call("/team/new", { body: { rpm_limit: 2 } });
        return { team_id: ((await made.json()) as { team_id: string }).team_id };
      },
    ],
  ] as const)(
    "counts as a request of %s, and neither as tokens nor in budgets nor as running",
    async (_, limits) => {
      const fields = { ...(await limits()), max_parallel_requests: 1, max_budget: 0.000001 };
      const made = await gateway.call("/key/generate", { body: fields });
      const { key } = (await made.json()) as { key: string };
      const name = newKey();
      const body = { model: "claude", messages, max_tokens: 50 };
      const answers = [];
      for (let time = 0; time < 3; time += 1)
        answers.push(await post("/v1/chat/completions", body, name, { key }));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(answers[1]!.headers.get("x-portico-idempotent-replay")).toBe("true");
      expect(answers[1]!.headers.get("x-ratelimit-remaining-requests")).toBe("0");
      expect(await answers[2]!.json()).toMatchObject({ error: { type: "rate_limit_error" } });
      expect(sent()).toBe(1);
    },
  );

  it("attaches to a stream that runs in its key's one place", async () => {
    const made = await gateway.call("/key/generate", { body: { max_parallel_requests: 1 } });
    const { key } = (await made.json()) as { key: string };
    const body = {
      model: "claude",
      stream: true,
      messages: [{ role: "user", content: "[[sim:delay 300]] hi" }],
    };
    const name = newKey();
    const both = await Promise.all([1, 2].map(() => post("/v1/chat/completions", body, name, { key })));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [first, second] = await Promise.all(both.map((answer) => answer.text()));
    expect(second).toBe(first);
  });

  it("cannot be used for another request: 422", async () => {
    const key = newKey();
    await (await post("/v1/responses", { model: "claude", input: "hello" }, key)).text();
    const other = await post("/v1/responses", { model: "claude", input: "bye" }, key);
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({
      error: { type: "invalid_request_error", param: "Idempotency-Key", code: "422" },
    });
  });

  it.each([
    [
      "/v1beta/models/claude:streamGenerateContent",
      "?alt=sse",
      { contents: [{ parts: [{ text: "hello" }] }] },
    ],
    ["/v1/containers", "?custom_llm_provider=azure", { name: "box" }],
  ])("cannot be used for another query at %s: 422", async (path, query, body) => {
    const key = newKey();
    expect((await post(path, body, key)).status).toBe(200);
    expect((await post(path + query, body, key)).status).toBe(422);
  });

  it("cannot be used for another provider: 422", async () => {
    const key = newKey();
    expect((await post("/v1/containers", { name: "box" }, key)).status).toBe(200);
    const headers = { "custom-llm-provider": "azure" };
    expect((await post("/v1/containers", { name: "box" }, key, { headers })).status).toBe(422);
  });

  it("belongs to its tenant", async () => {
    const key = newKey();
    const body = { model: "claude", input: "hello" };
    const one = await post("/v1/responses", body, key, { key: "sk-tenant-one-0123456789" });
    const two = await post("/v1/responses", body, key, { key: "sk-tenant-two-0123456789" });
    const [first, second] = (await Promise.all([one.json(), two.json()])) as { id: string }[];
    expect(first!.id).not.toBe(second!.id);
    expect(sent()).toBe(2);
  });

  it("may be used again after an error", async () => {
    const key = newKey();
    const body = { model: "claude", input: "hello" };
    simulator.setFault({ method: "POST", path: "/anthropic", fault: "status=503", times: 1 });
    expect((await post("/v1/responses", body, key)).status).toBe(503);
    expect((await post("/v1/responses", body, key)).status).toBe(200);
  });

  it("must be plain text of at most 255 characters", async () => {
    const body = { model: "claude", input: "hello" };
    expect((await post("/v1/responses", body, "k".repeat(256))).status).toBe(400);
  });

  it("takes a form whose boundary differs for the same request", async () => {
    const key = newKey();
    const send = async (): Promise<string> => {
      const form = new FormData();
      form.set("model", "sora-2");
      form.set("prompt", "a cat");
      const answer = await fetch(`${gateway.url}/v1/videos`, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.masterKey}`, "idempotency-key": key },
        body: form,
      });
      expect(answer.status).toBe(200);
      return answer.text();
    };
    expect(await send()).toBe(await send());
  });
});

describe("Where hooks judge by the key, an answer", () => {
  const hooks = {
    preCall:
      "preCall({ data, principal }) { if (principal.keyAlias === 'strict') throw Object.assign(new Error('no'), { status: 403 }); return data; }",
    duringCall:
      "duringCall({ principal }) { if (principal.keyAlias === 'strict') throw Object.assign(new Error('no'), { status: 403 }); }",
    postCallSuccess:
      "postCallSuccess({ principal }, answer) { if (principal.keyAlias === 'strict') throw Object.assign(new Error('no'), { status: 403 }); return answer; }",
  };

  it.each(Object.keys(hooks))("is repeated for no other key past %s", async (moment) => {
    const folder = mkdtempSync(join(tmpdir(), "portico-hooks-"));
    const module = join(folder, "hooks.mjs");
    writeFileSync(module, `export function ${hooks[moment as keyof typeof hooks]}`);
    const judged = await startTestGateway({
      config: `${responsesConfig(simulator.url)}
gateway_settings: {callbacks: ["${module}"]}
keys:
  - {key: sk-strict-0123456789, key_alias: strict, team_id: crew}
  - {key: sk-plain-0123456789, key_alias: plain, team_id: crew}
`,
    });
    try {
      const headers = { "idempotency-key": "one" };
      const ask = (key: string): Promise<Response> =>
        judged.call("/v1/chat/completions", { key, headers, body: { model: "claude", messages } });
      const first = await ask("sk-plain-0123456789");
      expect(first.status).toBe(200);
      expect((await ask("sk-strict-0123456789")).status).toBe(403);
      expect(await (await ask("sk-plain-0123456789")).text()).toBe(await first.text());
      expect(sent()).toBe(moment === "preCall" ? 1 : 2);
    } finally {
      await judged.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Schema } from "../src/contract/schema.ts";
import { chatFields } from "../src/formats/chat/fields.ts";
import { embeddingFields } from "../src/formats/embeddings/fields.ts";
import { geminiFields } from "../src/formats/gemini/fields.ts";
import { messagesFields } from "../src/formats/messages/fields.ts";
import { responsesFields } from "../src/formats/responses/fields.ts";
import { fitting } from "./support/fitting-values.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startRedis } from "./support/redis.ts";
import { hasRedis } from "./support/services.ts";
import { until } from "./support/until.ts";

type Json = Record<string, unknown>;

function configuration(url: string, settings: string): string {
  return `
model_list:
  - model_name: gpt
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", api_key: simulated}
  - model_name: gemini
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", api_key: simulated}
  - model_name: embed
    litellm_params: {model: openai/text-embedding-3-small, api_base: "${url}/openai/v1", api_key: simulated}
litellm_settings: {cache: true, ${settings}}
general_settings: {master_key: sk-test-master-key-0123456789}
router_settings: {num_retries: 0}
`;
}

let simulator: Simulator;
let folder: string;
beforeAll(async () => {
  simulator = await startSimulator();
  folder = mkdtempSync(join(tmpdir(), "portico-cache-"));
});
afterAll(async () => {
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const user = { role: "user", content: "hello" };
const formats: Readonly<
  Record<string, { fields: Readonly<Record<string, Schema>>; path: string; body: Json }>
> = {
  chat: { fields: chatFields, path: "/v1/chat/completions", body: { model: "gpt", messages: [user] } },
  messages: {
    fields: messagesFields,
    path: "/v1/messages",
    body: { model: "claude", max_tokens: 50, messages: [user] },
  },
  responses: { fields: responsesFields, path: "/v1/responses", body: { model: "gpt", input: "hello" } },
  embeddings: { fields: embeddingFields, path: "/v1/embeddings", body: { model: "embed", input: "hello" } },
  gemini: {
    fields: geminiFields,
    path: "/v1beta/models/gemini:generateContent",
    body: { contents: [{ role: "user", parts: [{ text: "hello" }] }] },
  },
};

/** Says how the answer arrives, not what it is. */
const DELIVERY = new Set(["stream", "stream_options"]);

/** A value of the same type that is another one. */
function another(value: unknown): unknown {
  if (typeof value === "string") return `${value}x`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return [...value, ...value];
  return { ...(value as object), further: 1 };
}

describe("the name of a kept answer", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const config = configuration(simulator.url, "cache_params: {type: local}");
    gateway = await startTestGateway({ config });
  });
  afterAll(() => gateway?.close());

  it.each(Object.keys(formats))(
    "differs with every field of %s that reaches the provider",
    async (format) => {
      const { fields, path, body } = formats[format]!;
      const sent = new Map<string, string>();
      const ask = async (more: Json, headers: Record<string, string> = {}): Promise<void> => {
        const before = simulator.received().length;
        // No answer of an earlier request: each must reach the provider.
        const asked = { ...body, ...more, cache: { "no-cache": true } };
        const answer = await gateway.call(path, { body: asked, headers });
        await answer.text();
        const key = answer.headers.get("x-portico-cache-key");
        const received = simulator
          .received()
          .slice(before)
          .find(({ body }) => body !== undefined);
        if (key === null || received === undefined) return;
        const members = Object.entries(received.body as Json).filter(([name]) => !DELIVERY.has(name));
        const { "anthropic-beta": beta, "openai-beta": openaiBeta } = received.headers;
        const seen = JSON.stringify([
          members.sort(([one], [other]) => (one < other ? -1 : 1)),
          beta,
          openaiBeta,
        ]);
        expect([more, sent.get(key) ?? seen]).toEqual([more, seen]);
        sent.set(key, seen);
      };
      await ask({});
      for (const [marked, schema] of Object.entries(fields)) {
        const name = marked.replace(/!$/, "");
        if (name === "model") continue;
        const value = fitting(schema);
        for (const each of [value, another(value)]) await ask({ [name]: each });
      }
      await ask({ x_unknown_to_everybody: 1 });
      await ask({ x_unknown_to_everybody: 2 });
      await ask({}, { "anthropic-beta": "files-api-2025-04-14", "openai-beta": "x=1" });
      expect(sent.size).toBeGreaterThan(Object.keys(fields).length / 2);
    },
  );

  it("is the same for requests that differ in nothing that a provider gets", async () => {
    const keyOf = async (more: Json): Promise<string | null> => {
      const body = { model: "gpt", messages: [user], ...more };
      const answer = await gateway.call("/v1/chat/completions", { body });
      await answer.text();
      return answer.headers.get("x-portico-cache-key");
    };
    const key = await keyOf({});
    for (const more of [
      { metadata: { trace: "1" } },
      { timeout: 30, num_retries: 1 },
      { stream: true, stream_options: { include_usage: true } },
      { cache: { ttl: 5 } },
    ])
      expect([more, await keyOf(more)]).toEqual([more, key]);
  });

  it("is none for numbers that JavaScript does not hold, files and conversations", async () => {
    for (const [path, text] of [
      [
        "/v1/chat/completions",
        '{"model":"gpt","messages":[{"role":"user","content":"a"}],"seed":9007199254740993}',
      ],
      ["/v1/responses", '{"model":"gpt","input":"a","previous_response_id":"resp_1"}'],
      [
        "/v1/responses",
        '{"model":"gpt","input":[{"role":"user","content":[{"type":"input_file","file_id":"file-1"}]}]}',
      ],
    ] as const) {
      const headers = { authorization: `Bearer ${gateway.masterKey}`, "content-type": "application/json" };
      const answer = await fetch(gateway.url + path, { method: "POST", headers, body: text });
      await answer.text();
      expect([path, answer.headers.get("x-portico-cache-key")]).toEqual([path, null]);
    }
  });
});

it("refuses controls of a wrong type, with a cache or without one", async () => {
  const configs = ["cache: true", "cache: false"].map((setting) =>
    configuration(simulator.url, "cache_params: {type: local}").replace("cache: true", setting),
  );
  for (const config of configs) {
    const gateway = await startTestGateway({ config });
    const wrong = [
      5,
      "x",
      ["x"],
      { ttl: "5" },
      { ttl: -1 },
      { "s-maxage": true },
      { "no-cache": "yes" },
      { namespace: 1 },
    ];
    for (const cache of wrong) {
      const body = { model: "gpt", messages: [user], cache };
      const answer = await gateway.call("/v1/chat/completions", { body });
      expect([cache, answer.status]).toEqual([cache, 400]);
      expect(await answer.text()).toContain("cache");
    }
    const body = { model: "gpt", messages: [user], caching: "no" };
    expect((await gateway.call("/v1/chat/completions", { body })).status).toBe(400);
    await gateway.close();
  }
});

it("lets hooks see a kept answer like any other", async () => {
  const module = join(folder, "hooks.mjs");
  writeFileSync(
    module,
    `export const postCallSuccess = ({ callId }, answer) => ({ ...answer, seen_by: callId });
     export const duringCall = ({ data }) => {
       if (globalThis.refuses) throw Object.assign(new Error("not now"), { status: 403 });
     };`,
  );
  const config = configuration(simulator.url, `cache_params: {type: local}, callbacks: ["${module}"]`);
  const gateway = await startTestGateway({ config });
  const ask = () => gateway.call("/v1/chat/completions", { body: { model: "gpt", messages: [user] } });
  for (const isHit of ["false", "true"]) {
    const answer = await ask();
    const { seen_by } = (await answer.json()) as Json;
    expect([answer.headers.get("x-portico-cache-hit"), seen_by]).toEqual([
      isHit,
      answer.headers.get("x-portico-call-id"),
    ]);
  }
  (globalThis as Json).refuses = true;
  expect((await ask()).status).toBe(403);
  delete (globalThis as Json).refuses;
  await gateway.close();
});

it.skipIf(!hasRedis)("goes on without a Redis that is away, and with it again", async () => {
  const redis = await startRedis();
  const settings = `cache_params: {type: redis, url: "${redis.url}"}`;
  const gateway = await startTestGateway({ config: configuration(simulator.url, settings) });
  const ask = async (): Promise<unknown> => {
    const answer = await gateway.call("/v1/chat/completions", { body: { model: "gpt", messages: [user] } });
    await answer.text();
    return answer.status === 200 ? answer.headers.get("x-portico-cache-hit") : answer.status;
  };
  expect(await ask()).toBe("false");
  // A Redis that does not answer within half a second, as on a crowded machine, is not asked again for a second.
  await until(ask, (hit) => hit === "true");
  await redis.stop();
  expect([await ask(), await ask()]).toEqual(["false", "false"]);
  expect((await gateway.call("/cache/ping")).status).toBe(503);
  const again = await redis.startAgain();
  await until(ask, (hit) => hit === "true");
  await gateway.close();
  await again.stop();
});

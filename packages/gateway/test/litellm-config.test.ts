import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  MASTER_KEY,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from "./support/gateway.ts";

let simulator: Simulator;
let folder: string;
beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), "portico-included-"));
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(config: string, options: TestGatewayOptions = {}): Promise<void> {
  gateway = await startTestGateway({ ...options, config });
}

async function answers(model: string): Promise<string | undefined> {
  const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "hello" }];
  const { choices } = await openai.chat.completions.create({ model, messages });
  return choices[0]!.message.content ?? undefined;
}

describe("A LiteLLM config.yaml", () => {
  it("with wildcards, aliases, fallbacks, credentials, includes and environment references serves unchanged", async () => {
    const included = join(folder, "models.yaml");
    writeFileSync(
      included,
      `model_list:
  - model_name: included
    litellm_params: {model: openai/gpt-4o, litellm_credential_name: simulated_openai}
`,
    );
    const environment = { SIM_KEY: "simulated", SIM_OPENAI: `${simulator.url}/openai/v1` };
    await start(
      `include: ["${included}"]
credential_list:
  - credential_name: simulated_openai
    credential_values: {api_key: os.environ/SIM_KEY, api_base: os.environ/SIM_OPENAI}
    credential_info: {description: shared}
model_list:
  - model_name: openai/*
    litellm_params: {model: openai/*, litellm_credential_name: simulated_openai}
  - model_name: "anthropic/*"
    litellm_params: {model: anthropic/*, api_key: os.environ/SIM_KEY, api_base: "${simulator.url}/anthropic"}
  - model_name: broken
    litellm_params: {model: openai/broken, api_key: os.environ/SIM_KEY, api_base: "http://127.0.0.1:9/v1"}
litellm_settings:
  drop_params: True
  num_retries: 0
  fallbacks: [{"broken": ["anthropic/claude-sonnet-4-5"]}]
  success_callback: ["langfuse"]
router_settings:
  routing_strategy: usage-based-routing-v2
  model_group_alias: {"gpt-4": "openai/gpt-4o"}
general_settings:
  master_key: os.environ/LITELLM_KEY
`,
      { environment: { ...environment, LITELLM_KEY: MASTER_KEY } },
    );
    for (const model of ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gpt-4", "broken", "included"])
      expect(await answers(model)).toContain("hello");
  });

  it("may ask for LiteLLM's names of the response headers, on every group of endpoints", async () => {
    const params = `api_key: k, api_base: "${simulator.url}/openai/v1"`;
    await start(`model_list:
  - {model_name: chat, model_info: {id: d1}, litellm_params: {model: openai/gpt-4o, ${params}, region_name: eu}}
  - {model_name: film, model_info: {id: d2}, litellm_params: {model: openai/sora-2, ${params}}}
litellm_settings: {compat_headers: litellm}
`);
    const messages = [{ role: "user", content: "hello" }];
    for (const [path, body] of [
      ["/v1/messages", { model: "chat", max_tokens: 9, messages }],
      ["/v1/responses", { model: "chat", input: "hello" }],
      ["/v1/videos", { model: "film", prompt: "a cat" }],
    ] as const) {
      const { status, headers } = await gateway.call(path, { body });
      expect(status).toBe(200);
      const named = (prefix: string) =>
        new Map(
          [...headers]
            .filter(([name]) => name.startsWith(prefix))
            .map(([n, v]) => [n.slice(prefix.length), v]),
        );
      const [own, litellm] = [named("x-portico-"), named("x-litellm-")];
      expect([...own].filter(([name, value]) => litellm.get(name) !== value)).toEqual([]);
      expect(own.get("model-api-base")).toMatch(/\/openai(\/v1)?$/);
      expect(litellm.get("model-group")).toBe(body.model);
      expect(litellm.get("response-duration-ms")).toBe(own.get("duration-ms"));
      expect(litellm.get("overhead-duration-ms")).toBe(own.get("overhead-ms"));
      expect(own.get("model-region")).toBe(body.model === "chat" ? "eu" : undefined);
    }
  });

  it("may name a header of its own for keys", async () => {
    await start("general_settings: {litellm_key_header_name: X-Our-Key}\n");
    const { url, masterKey: key } = gateway;
    for (const text of [key, `Bearer ${key}`]) {
      const headers = { "x-our-key": text, authorization: "Bearer token-for-somebody-else" };
      expect((await fetch(`${url}/v1/models`, { headers })).status).toBe(200);
    }
    expect((await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
      200,
    );
    expect((await fetch(`${url}/v1/models`, { headers: { "x-our-key": "sk-nobody" } })).status).toBe(401);
  });

  it("comes with clients that send LiteLLM's own fields, which the gateway follows and providers never see", async () => {
    const at = (path: string): string => `api_key: k, api_base: "${simulator.url}/${path}"`;
    await start(`model_list:
  - {model_name: chat, litellm_params: {model: openai/gpt-4o, ${at("openai/v1")}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at("anthropic")}}}
  - {model_name: broken, litellm_params: {model: openai/broken, api_key: k, api_base: "http://127.0.0.1:9/v1"}}
keys: [{key: sk-of-one-model, models: [broken]}]
router_settings: {num_retries: 0, disable_cooldowns: true, fallbacks: [{broken: [chat]}]}
`);
    const own = {
      timeout: 20,
      num_retries: 1,
      tags: ["a"],
      cache: { "no-cache": true },
      litellm_session_id: "s",
      litellm_metadata: { a: 1 },
      allowed_openai_params: ["seed"],
    };
    const messages = [{ role: "user", content: "hello" }];
    const ask = (path: string, body: object, key?: string): Promise<Response> =>
      gateway.call(path, { body: { ...own, ...body }, ...(key === undefined ? {} : { key }) });
    for (const [path, body] of [
      [
        "/v1/chat/completions",
        { model: "chat", messages, store: true, metadata: { tags: ["b"], trace: "t" } },
      ],
      ["/v1/messages", { model: "claude", messages, max_tokens: 9, unheard_of: 1, drop_params: true }],
      ["/v1/chat/completions", { model: "claude", messages }],
      ["/v1/messages", { model: "claude", messages, max_tokens: 9 }],
      ["/v1/responses", { model: "chat", input: "hello" }],
    ] as const) {
      expect((await ask(path, body)).status).toBe(200);
      const sent = simulator.received().at(-1)!.body as Record<string, unknown>;
      expect(Object.keys(sent).filter((name) => name in own || /drop_params|unheard/.test(name))).toEqual([]);
      if ("metadata" in body) expect(sent.metadata).toEqual({ trace: "t" });
    }
    const broken = { model: "broken", messages };
    const served = async (body: object, key?: string): Promise<unknown[]> => {
      const { status, headers } = await ask("/v1/chat/completions", { ...broken, ...body }, key);
      return [status, headers.get("x-portico-model-name"), headers.get("x-portico-attempted-retries")];
    };
    expect(await served({})).toEqual([200, "openai/gpt-4o", "1"]);
    expect(await served({ fallbacks: ["claude"] })).toEqual([200, "anthropic/claude-sonnet-4-5", "1"]);
    expect(await served({ fallbacks: ["claude"], num_retries: 0 })).toEqual([
      200,
      "anthropic/claude-sonnet-4-5",
      "0",
    ]);
    expect((await served({ fallbacks: ["claude"] }, "sk-of-one-model"))[0]).toBe(502);
    expect((await served({ disable_fallbacks: true }))[0]).toBe(502);
    const claude = [200, "anthropic/claude-sonnet-4-5", "1"];
    for (const entry of [
      { model: "claude" },
      { broken: ["claude"] },
      { broken: "claude" },
      { "*": ["claude"] },
    ])
      expect(await served({ fallbacks: [entry] })).toEqual(claude);
    expect((await served({ fallbacks: [{ chat: ["claude"] }] }))[0]).toBe(502);
    for (const wrong of [[{ model: "claude", messages }], [{ broken: [1] }], [1], "claude"])
      expect((await served({ fallbacks: wrong }))[0]).toBe(400);
  });

  it("may have marks of the prompt cache set, at the deployment or by the request, where they mean something", async () => {
    const at = (path: string): string => `api_key: k, api_base: "${simulator.url}/${path}"`;
    const points = "cache_control_injection_points: [{location: message, role: system}]";
    await start(`model_list:
  - {model_name: marking, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at("anthropic")}, ${points}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at("anthropic")}}}
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${at("openai/v1")}, ${points}}}
`);
    const messages = [
      { role: "system", content: "Be kind" },
      { role: "user", content: "hello" },
    ];
    const [, user] = messages;
    const own = { cache_control_injection_points: [{ location: "message", index: -1 }] };
    const marked = async (path: string, body: object): Promise<unknown> => {
      expect((await gateway.call(path, { body })).status).toBe(200);
      const { system, messages: sent } = simulator.received().at(-1)!.body as Record<string, unknown>;
      return [system, sent].map((one) => JSON.stringify(one ?? "").includes("cache_control"));
    };
    const chat = "/v1/chat/completions";
    expect(await marked(chat, { model: "marking", messages })).toEqual([true, false]);
    expect(await marked(chat, { model: "claude", messages })).toEqual([false, false]);
    expect(await marked(chat, { model: "claude", messages, ...own })).toEqual([false, true]);
    expect(await marked(chat, { model: "gpt", messages, ...own })).toEqual([false, false]);
    const message = { model: "marking", max_tokens: 9, system: "Be kind", messages: [user] };
    expect(await marked("/v1/messages", message)).toEqual([true, false]);
  });

  it("may set defaults of requests, which each format gets in its own words", async () => {
    const defaults = "max_tokens: 77, temperature: 0.5, reasoning_effort: low, stop: [END], user: u";
    const openai = `model: openai/gpt-5, api_key: k, api_base: "${simulator.url}/openai/v1", ${defaults}`;
    const claude = `model: anthropic/claude-sonnet-4-5, api_key: k, api_base: "${simulator.url}/anthropic", ${defaults}`;
    await start(`model_list:
  - {model_name: chat, litellm_params: {${openai}}}
  - {model_name: claude, litellm_params: {${claude}}}
  - {model_name: vectors, litellm_params: {${openai.replace("gpt-5", "text-embedding-3-small")}}}
`);
    const messages = [{ role: "user", content: "hello" }];
    const sent = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const response = await gateway.call(path, { body });
      expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
      const {
        model: _,
        messages: __,
        input: ___,
        ...rest
      } = simulator.received().at(-1)!.body as Record<string, unknown>;
      return rest;
    };
    const given = { model: "chat", messages };
    const plain = { temperature: 0.5, reasoning_effort: "low", stop: ["END"], user: "u" };
    expect(await sent("/v1/chat/completions", given)).toEqual({ ...plain, max_tokens: 77 });
    expect(await sent("/v1/chat/completions", { ...given, max_completion_tokens: 5, user: "own" })).toEqual({
      ...plain,
      max_completion_tokens: 5,
      user: "own",
    });
    expect(await sent("/v1/responses", { model: "chat", input: "hello" })).toEqual({
      max_output_tokens: 77,
      temperature: 0.5,
      reasoning: { effort: "low" },
      user: "u",
    });
    expect(await sent("/v1/embeddings", { model: "vectors", input: "hello" })).toEqual({ user: "u" });
    expect(await sent("/v1/messages", { model: "claude", messages, max_tokens: 9 })).toEqual({
      max_tokens: 9,
      temperature: 0.5,
    });
  });

  it("may set filters and guardrails of single providers, which come before those of requests", async () => {
    const guardrail = { guardrailIdentifier: "g", guardrailVersion: "1" };
    const filter = (threshold: string) => [{ category: "HARM_CATEGORY_HARASSMENT", threshold }];
    await start(`model_list:
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_key: k, api_base: "${simulator.url}/google", safety_settings: ${JSON.stringify(filter("BLOCK_LOW_AND_ABOVE"))}}}
  - {model_name: free, litellm_params: {model: gemini/gemini-2.5-flash, api_key: k, api_base: "${simulator.url}/google"}}
  - {model_name: nova, litellm_params: {model: bedrock/amazon.nova-pro-v1:0, api_key: k, api_base: "${simulator.url}/bedrock", guardrailConfig: ${JSON.stringify(guardrail)}}}
`);
    const sent = async (model: string, body: object): Promise<unknown> => {
      const messages = [{ role: "user", content: "hello" }];
      const response = await gateway.call("/v1/chat/completions", { body: { model, messages, ...body } });
      expect([response.status, await response.text()]).toEqual([200, expect.anything()]);
      return simulator.received().at(-1)!.body;
    };
    const loose = { safety_settings: filter("BLOCK_NONE") };
    expect(await sent("gemini", loose)).toMatchObject({ safetySettings: filter("BLOCK_LOW_AND_ABOVE") });
    expect(await sent("free", loose)).toMatchObject({ safetySettings: filter("BLOCK_NONE") });
    expect(await sent("nova", { guardrailConfig: {} })).toMatchObject({ guardrailConfig: guardrail });
  });

  it("with two keys of one provider and the models' bare names uses both", async () => {
    const entry = (key: string): string =>
      `  - {model_name: chat, litellm_params: {model: gpt-4o, api_key: ${key}, api_base: "${simulator.url}/openai/v1"}}\n`;
    await start(`model_list:\n${entry("first")}${entry("second")}`);
    const keys = new Set<string | undefined>();
    for (let call = 0; call < 40 && keys.size < 2; call += 1) {
      expect(await answers("chat")).toContain("hello");
      keys.add(simulator.received().at(-1)!.headers.authorization);
    }
    expect([...keys].sort()).toEqual(["Bearer first", "Bearer second"]);
  });

  it("may answer with mock_response, which calls nobody, also in streams", async () => {
    await start(`model_list:
  - model_name: mocked
    litellm_params: {model: openai/gpt-4o, api_base: "http://127.0.0.1:9", mock_response: "It is I."}
`);
    expect(await answers("mocked")).toBe("It is I.");
    const messages = [{ role: "user", content: "who?" }];
    const body = { model: "mocked", messages, max_tokens: 9, stream: true };
    const stream = await (await gateway.call("/v1/messages", { body })).text();
    expect(stream).toContain('"text":"It "');
    expect(stream).toContain("event: message_stop");
  });

  it("comes with callers who try out answers and failures, which call nobody and put no deployment to rest", async () => {
    const entry = (name: string): string =>
      `  - {model_name: ${name}, litellm_params: {model: openai/${name}, api_key: k, api_base: "${simulator.url}/openai/v1", region_name: eu}}\n`;
    await start(`model_list:\n${["gpt-4o", "general", "long", "other"].map(entry).join("")}
router_settings: {num_retries: 1, allowed_fails: 0, cooldown_time: 60, fallbacks: [{gpt-4o: [general]}], context_window_fallbacks: [{gpt-4o: [long]}], content_policy_fallbacks: [{gpt-4o: [other]}]}
keys: [{key: sk-bound-0123456789, models: [gpt-4o, long]}]
`);
    const messages = [{ role: "user", content: "hello" }];
    const before = simulator.received().length;
    const ask = async (
      body: object,
      path = "/v1/chat/completions",
    ): Promise<[number, string | null, string]> => {
      const response = await gateway.call(path, {
        body: { model: "gpt-4o", messages, max_tokens: 9, ...body },
      });
      return [response.status, response.headers.get("x-portico-model-name"), await response.text()];
    };
    expect((await ask({ mock_response: "It is I." }))[2]).toContain("It is I.");
    expect((await ask({ mock_response: "It is I.", stream: true }, "/v1/messages"))[2]).toContain(
      '"text":"It "',
    );
    for (let call = 0; call < 3; call += 1)
      expect((await ask({ mock_response: "litellm.RateLimitError", disable_fallbacks: true }))[0]).toBe(429);
    expect((await ask({ mock_testing_fallbacks: true, disable_fallbacks: true }))[0]).toBe(500);
    expect((await ask({ mock_response: { a: 1 } }))[0]).toBe(400);
    expect(simulator.received()).toHaveLength(before);
    for (const [field, model] of [
      ["mock_testing_fallbacks", "openai/general"],
      ["mock_testing_context_fallbacks", "openai/long"],
      ["mock_testing_content_policy_fallbacks", "openai/other"],
      ["litellm_trace_id", "openai/gpt-4o"],
    ]) {
      expect((await ask({ [field!]: true })).slice(0, 2)).toEqual([200, model]);
      expect(simulator.received().at(-1)!.body).not.toHaveProperty(field!);
    }
    // A failure on demand must not lead a key to a model that it may not call.
    for (const [failure, status] of [
      [{ mock_testing_fallbacks: true }, 500],
      [{ mock_testing_content_policy_fallbacks: true }, 400],
      [{ mock_response: "litellm.RateLimitError" }, 429],
      [{ mock_testing_context_fallbacks: true }, 200],
    ] as const) {
      const body = { model: "gpt-4o", messages, max_tokens: 9, ...failure };
      const answer = await gateway.call("/v1/chat/completions", { key: "sk-bound-0123456789", body });
      expect([failure, answer.status]).toEqual([failure, status]);
    }
    expect((await ask({ allowed_model_region: "eu" }))[0]).toBe(200);
    expect((await ask({ allowed_model_region: "us" }))[0]).toBe(403);
  });

  it("comes with clients that send LiteLLM's own fields with videos, containers and batches too", async () => {
    await start(
      `model_list: [{model_name: film, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1"}}]\n` +
        `environment_variables: {OPENAI_API_KEY: k, OPENAI_API_BASE: "${simulator.url}/openai/v1"}\n`,
    );
    const own = { tags: ["a"], timeout: 20, litellm_metadata: { a: 1 }, custom_llm_provider: "openai" };
    const form = new FormData();
    form.append("purpose", "batch");
    const row = { custom_id: "1", method: "POST", url: "/v1/embeddings", body: { model: "e", input: "x" } };
    form.append("file", new Blob([JSON.stringify(row)]), "in.jsonl");
    const headers = { authorization: `Bearer ${gateway.masterKey}` };
    const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body: form });
    const { id: input_file_id } = (await uploaded.json()) as { id: string };
    const batch = { input_file_id, endpoint: "/v1/embeddings", completion_window: "24h" };
    for (const [path, body] of [
      ["/v1/videos", { model: "film", prompt: "a cat" }],
      ["/v1/containers", { name: "c" }],
      ["/v1/batches", { ...batch, metadata: { tags: ["a"], trace: "t" } }],
    ] as const) {
      const { status } = await gateway.call(path, { body: { ...body, ...own } });
      expect([path, status]).toEqual([path, 200]);
      const sent = simulator
        .received()
        .findLast((request) => request.method === "POST" && request.path.endsWith(path.slice(3)))!
        .body as Record<string, unknown>;
      expect(Object.keys(sent).filter((name) => name in own)).toEqual([]);
      if ("metadata" in body) expect(sent.metadata).toEqual({ trace: "t" });
      const refused = await gateway.call(path, { body: { ...body, api_base: "https://x.example" } });
      expect([path, refused.status]).toEqual([path, 400]);
    }
  });

  it.each([
    ["api_base", "https://somewhere.example"],
    ["api_key", "sk-of-the-caller"],
    ["aws_role_name", "arn:aws:iam::1:role/a"],
    ["vertex_credentials", "{}"],
    ["guardrails", ["pii"]],
    ["prompt_id", "greeting"],
  ])("comes with callers who learn that %s has no effect, in every format", async (field, value) => {
    await start("model_list: [{model_name: m, litellm_params: {model: openai/x, mock_response: hi}}]\n");
    const messages = [{ role: "user", content: "hello" }];
    for (const [path, body] of [
      ["/v1/chat/completions", { messages }],
      ["/v1/messages", { messages, max_tokens: 9 }],
      ["/v1/responses", { input: "hello" }],
    ] as const) {
      const ask = (given: unknown): Promise<Response> =>
        gateway.call(path, { body: { model: "m", ...body, [field]: given } });
      const response = await ask(value);
      const { error } = (await response.json()) as { error: { message: string; param: string } };
      expect([response.status, error.param]).toEqual([400, field]);
      expect(error.message).toContain(`${field} has no effect in a request`);
      expect(error.message).not.toContain(String(value));
      expect((await ask(null)).status).toBe(200);
    }
  });

  it("may give keys access groups, whose models follow the file", async () => {
    const entry = (name: string, groups: string): string =>
      `  - {model_name: ${name}, litellm_params: {model: openai/${name}, mock_response: hi}, model_info: {access_groups: [${groups}]}}\n`;
    const keys = "keys: [{key: sk-of-the-beta-group, models: [beta]}]\n";
    await start(
      `model_list:\n${entry("open", "")}${entry("first", "beta")}${entry("second", "beta, other")}${keys}`,
    );
    const made = await gateway.call("/key/generate", { body: { models: ["beta"] } });
    const { key: generated } = (await made.json()) as { key: string };
    for (const key of ["sk-of-the-beta-group", generated]) {
      const models = async (): Promise<string[]> => {
        const list = (await (await gateway.call("/v1/models", { key })).json()) as { data: { id: string }[] };
        return list.data.map(({ id }) => id);
      };
      const status = async (model: string): Promise<number> => {
        const body = { model, messages: [{ role: "user", content: "hi" }] };
        return (await gateway.call("/v1/chat/completions", { body, key })).status;
      };
      expect(await models()).toEqual(["first", "second"]);
      expect(await status("first")).toBe(200);
      expect(await status("open")).toBe(403);
    }
    gateway.writeConfig(`model_list:\n${entry("first", "beta")}${entry("second", "other")}${keys}`);
    const key = "sk-of-the-beta-group";
    await expect
      .poll(async () => await (await gateway.call("/v1/models", { key })).text())
      .not.toContain("second");
  });

  it("may choose deployments by tags, those of the key before those of the request", async () => {
    const entry = (tag: string): string =>
      `  - {model_name: m, litellm_params: {model: openai/${tag}, mock_response: ${tag}, tags: [${tag}, all-${tag}]}}\n`;
    const untagged =
      "  - {model_name: other, litellm_params: {model: openai/o, mock_response: other, tags: [paid]}}\n";
    await start(
      `model_list:\n${entry("free")}${entry("paid")}${entry("default")}${untagged}` +
        `router_settings: {enable_tag_filtering: true}\n` +
        `keys: [{key: sk-of-the-free-tier, metadata: {tags: [free]}}]\n`,
    );
    const ask = async (body: object, headers: Record<string, string> = {}, key?: string): Promise<string> => {
      const messages = [{ role: "user", content: "hi" }];
      const sent = {
        body: { model: "m", messages, ...body },
        headers,
        ...(key === undefined ? {} : { key }),
      };
      const response = await gateway.call("/v1/chat/completions", sent);
      if (response.status !== 200) return String(response.status);
      const answer = (await response.json()) as { choices: { message: { content: string } }[] };
      return answer.choices[0]!.message.content;
    };
    expect(await ask({})).toBe("default");
    expect(await ask({ metadata: { tags: ["paid"] } })).toBe("paid");
    expect(await ask({ litellm_metadata: { tags: ["paid"] } })).toBe("paid");
    expect(await ask({}, { "x-litellm-tags": "nobody, free" })).toBe("free");
    expect(await ask({ metadata: { tags: ["nobody"] } })).toBe("default");
    expect(
      await ask({ metadata: { tags: ["paid"] } }, { "x-litellm-tags": "paid" }, "sk-of-the-free-tier"),
    ).toBe("free");
    expect(await ask({ model: "other" }, {}, "sk-of-the-free-tier")).toBe("403");
    expect(await ask({ model: "other" })).toBe("other");
  });

  it("keeps the request's tags from the provider", async () => {
    await start(
      `model_list: [{model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${simulator.url}/anthropic", api_key: k, tags: [a]}}, {model_name: m, litellm_params: {model: openai/gpt-4o, api_base: "${simulator.url}/openai/v1", api_key: k, tags: [a]}}]\n` +
        "router_settings: {enable_tag_filtering: true}\n",
    );
    const messages = [{ role: "user", content: "hi" }];
    const metadata = { tags: ["a"], trace: "1" };
    const sent = async (path: string, body: object): Promise<unknown> => {
      expect((await gateway.call(path, { body: { model: "m", metadata, ...body } })).status).toBe(200);
      return (simulator.received().at(-1)!.body as { metadata?: unknown }).metadata;
    };
    expect(await sent("/v1/chat/completions", { messages, store: true })).toEqual({ trace: "1" });
    expect(await sent("/v1/responses", { input: "hi" })).toEqual({ trace: "1" });
    const body = { model: "claude", input: "hi", metadata };
    const emulated = (await (await gateway.call("/v1/responses", { body })).json()) as { metadata: unknown };
    expect(emulated.metadata).toEqual({ trace: "1" });
    // OpenAI refuses it unless the answer is stored, and LiteLLM's callers mean it for the log.
    expect(await sent("/v1/chat/completions", { messages })).toBeUndefined();
  });

  it("keeps everybody out whose address is not among allowed_ips", async () => {
    const models = `model_list: [{model_name: m, litellm_params: {model: openai/x, mock_response: hi}}]\n`;
    const general = (rest: string): string =>
      `${models}general_settings: {master_key: ${MASTER_KEY}, ${rest}}\n`;
    await start(general('allowed_ips: ["10.1.0.0/16", "fd00::/8"]'));
    const status = async (headers: Record<string, string> = {}): Promise<number> =>
      (await gateway.call("/v1/models", { headers })).status;
    expect(await status()).toBe(403);
    expect(await status({ "x-forwarded-for": "10.1.2.3" })).toBe(403);
    expect((await gateway.call("/health/liveliness")).status).toBe(200);

    gateway.writeConfig(general('allowed_ips: ["10.1.0.0/16"], use_x_forwarded_for: true'));
    await expect.poll(() => status({ "x-forwarded-for": "10.1.2.3, 127.0.0.1" })).toBe(200);
    expect(await status({ "x-forwarded-for": "10.2.0.1" })).toBe(403);
    expect(await status({ "x-forwarded-for": "nonsense" })).toBe(403);

    gateway.writeConfig(general("allowed_ips: [127.0.0.1]"));
    await expect.poll(() => status()).toBe(200);
  });
});

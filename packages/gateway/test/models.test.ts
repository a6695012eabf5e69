import Anthropic from "@anthropic-ai/sdk";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

const CHEAP = "sk-cheap-0123456789";

describe("what a caller can read of models", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: cheap, gateway_params: {model: openai/gpt-4o-mini, api_key: S1, rpm: 5}, model_info: {id: dep-cheap}}
  - {model_name: cheap, gateway_params: {model: bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0, aws_region_name: us-east-1, rpm: 7}, model_info: {id: dep-bedrock}}
  - {model_name: odd, gateway_params: {model: openai/house-model, api_base: "http://u:p@h.example/v1?k=v", input_cost_per_token: 0.001}, model_info: {id: dep-odd, max_input_tokens: 1234, supports_vision: true}}
  - {model_name: vectors, gateway_params: {model: openai/text-embedding-3-small}, model_info: {id: dep-vectors}}
  - {model_name: anthropic/*, gateway_params: {model: anthropic/*, api_key: S1}, model_info: {id: dep-any}}
keys:
  - {key: ${CHEAP}, models: [cheap]}
router_settings: {model_group_alias: {thrifty: cheap}}
`,
    });
  });
  afterAll(() => gateway.close());

  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  const ask = async (path: string, key?: string): Promise<any> =>
    (
      await gateway.call(path, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })
    ).json();

  it("are limits, prices and abilities of each deployment", async () => {
    const { data } = await ask("/v1/model/info");
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const info = Object.fromEntries(data.map((each: any) => [each.model_info.id, each.model_info]));
    expect(info["dep-cheap"]).toMatchObject({
      mode: "chat",
      litellm_provider: "openai",
      max_input_tokens: 128_000,
      max_output_tokens: 16_384,
      input_cost_per_token: 1.5e-7,
      supports_vision: true,
      supports_reasoning: false,
      supports_function_calling: true,
    });
    expect(info["dep-bedrock"]).toMatchObject({
      max_output_tokens: 64_000,
      supports_reasoning: true,
      supports_pdf_input: true,
    });
    expect(info["dep-odd"]).toMatchObject({
      max_input_tokens: 1234,
      input_cost_per_token: 0.001,
      supports_vision: true,
    });
    expect(info["dep-odd"]).not.toHaveProperty("max_output_tokens");
    expect(info["dep-vectors"]).toMatchObject({ mode: "embedding", max_input_tokens: 8192 });
    expect(info["dep-vectors"]).not.toHaveProperty("supports_vision");
    expect(JSON.stringify(data)).not.toMatch(/S1|u:p|k=v/);
  });

  it("can be asked for by a deployment's id, a page, a name or a search", async () => {
    expect((await ask("/model/info?litellm_model_id=dep-odd")).data).toHaveLength(1);
    expect((await gateway.call("/model/info?litellm_model_id=none")).status).toBe(404);
    expect(await ask("/v2/model/info?size=2&page=2")).toMatchObject({
      total_count: 5,
      total_pages: 3,
      current_page: 2,
      size: 2,
    });
    expect((await ask("/v2/model/info?search=CHE")).total_count).toBe(2);
    expect((await ask("/v2/model/info?modelId=dep-any")).data[0].model_name).toBe("anthropic/*");
    expect((await gateway.call("/v2/model/info?size=0")).status).toBe(400);
  });

  it("hold for every deployment of a group", async () => {
    const { data } = await ask("/model_group/info?model_group=cheap");
    expect(data).toEqual([
      expect.objectContaining({
        model_group: "cheap",
        providers: ["openai", "bedrock"],
        max_input_tokens: 128_000,
        max_output_tokens: 16_384,
        input_cost_per_token: expect.closeTo(3.3e-6, 9),
        rpm: 12,
        supports_vision: true,
        supports_reasoning: false,
      }),
    ]);
    expect((await gateway.call("/model_group/info?model_group=none")).status).toBe(400);
  });

  it("are those of the caller's models only", async () => {
    for (const path of ["/v1/model/info", "/v2/model/info", "/model_group/info"])
      expect(JSON.stringify(await ask(path, CHEAP))).not.toMatch(/dep-odd|house-model|"odd"/);
    expect((await ask("/v2/model/info", CHEAP)).total_count).toBe(2);
    expect((await gateway.call("/v1/models/odd", { key: CHEAP })).status).toBe(404);
  });

  it("come in Anthropic's words, for aliases and names that a wildcard takes too", async () => {
    const client = new Anthropic({ apiKey: gateway.masterKey, baseURL: gateway.url });
    expect(await client.models.retrieve("anthropic/claude-opus-4-8")).toMatchObject({
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      line: "opus",
      capabilities: {
        image_input: { supported: true },
        thinking: { supported: true, types: { enabled: { supported: true } } },
      },
    });
    expect(await client.models.retrieve("thrifty")).toMatchObject({
      id: "thrifty",
      max_input_tokens: 128_000,
    });
    expect(await client.models.retrieve("vectors")).toMatchObject({ capabilities: null });
    const listed = await client.models.list();
    expect(listed.data.find(({ id }) => id === "cheap")).toMatchObject({ max_tokens: 16_384 });
  });
});

it("Secrets in a deployment's model_info stay with the gateway", async () => {
  const own = await startTestGateway({
    config: `model_list:
  - model_name: m
    litellm_params: {model: openai/gpt-4o, api_key: sk-hidden-0123456789}
    model_info: {note: fine, api_key: os.environ/HIDDEN, text: "it is sk-hidden-0123456789", deep: [{password: hidden}]}`,
    environment: { HIDDEN: "hidden" },
  });
  try {
    for (const path of ["/v1/model/info", "/model/info", "/v2/model/info", "/model_group/info"]) {
      const text = await (await own.call(path)).text();
      expect(text).not.toContain("hidden");
      if (!path.includes("group")) expect(text).toContain("fine");
    }
  } finally {
    await own.close();
  }
});

describe("the gateway without a configuration", () => {
  it("has models under the names that people type first", async () => {
    const gateway = await startTestGateway();
    try {
      const messages = [{ role: "user", content: "hello" }];
      for (const model of ["gpt-4o", "o3-mini", "codex-mini-latest", "claude-sonnet-4-5", "gemini-2.5-pro"]) {
        const answer = await gateway.call("/v1/chat/completions", { body: { model, messages } });
        expect(await answer.text(), model).toContain("echo: hello");
      }
      const body = { model: "text-embedding-3-small", input: "hello" };
      expect((await gateway.call("/v1/embeddings", { body })).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });
});

describe("lists of models keep a pattern", () => {
  it.each([
    ["where the setting says so", "litellm_settings: {check_provider_endpoint: false}", undefined],
    ["whose provider does not answer", "", "hang"],
    ["whose provider is away", "", "disconnect"],
    ["whose provider lists nonsense", "", "garbage"],
  ])("%s", async (_name, settings, fault) => {
    const simulator = await startSimulator();
    if (fault !== undefined) simulator.setFault({ path: "/openai", fault });
    const params = `{model: openai/*, api_key: k, api_base: "${simulator.url}/openai/v1"}`;
    const gateway = await startTestGateway({
      config: `model_list: [{model_name: openai/*, litellm_params: ${params}}]\n${settings}`,
    });
    try {
      const { data } = (await (await gateway.call("/v1/models")).json()) as { data: { id: string }[] };
      expect(data.map(({ id }) => id)).toEqual(["openai/*"]);
      if (fault === undefined) expect(simulator.received()).toEqual([]);
    } finally {
      await gateway.close();
      await simulator.close();
    }
  });
});

describe("lists of models of providers", () => {
  let simulator: Simulator;
  let gateway: TestGateway;

  beforeAll(async () => {
    simulator = await startSimulator();
    gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: openai/gpt-4*, litellm_params: {model: openai/gpt-4*, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: claude/*, litellm_params: {model: anthropic/*, api_key: k, api_base: "${simulator.url}/anthropic"}}
  - {model_name: gemini/*, litellm_params: {model: gemini/*, api_key: k, api_base: "${simulator.url}/google"}}
  - {model_name: local/*, litellm_params: {model: hosted_vllm/*, api_key: k, api_base: "${simulator.url}/compat/v1"}}
  - {model_name: gone/*, litellm_params: {model: hosted_vllm/*, api_key: k, api_base: "${simulator.url}/nothing"}}
  - {model_name: any-*, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: plain, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
keys:
  - {key: ${CHEAP}, models: [openai/gpt-4o, plain]}
`,
    });
    // A provider that is slow to answer is asked again.
    await until(listed, (names) => names.filter((name) => name.includes("*")).length === 2);
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
  });

  const listed = async (key?: string): Promise<string[]> => {
    const answer = await gateway.call("/v1/models", key === undefined ? {} : { key });
    return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  };

  it("have the names of the provider's own list in place of a pattern", async () => {
    const names = await listed();
    expect(names).toContain("openai/gpt-4o");
    for (const prefix of ["claude/claude-", "gemini/gemini-", "local/"])
      expect([prefix, names.some((name) => name.startsWith(prefix))]).toEqual([prefix, true]);
    // Where nobody lists any, or the pattern is no provider's, it stays.
    expect(names.filter((name) => name.includes("*"))).toEqual(["gone/*", "any-*"]);
    expect(names.filter((name) => name.startsWith("openai/")).every((name) => name.includes("/gpt-4"))).toBe(
      true,
    );
    expect(names).toContain("plain");
    expect(new Set(names).size).toBe(names.length);
  });

  it("show a key the models that it may call", async () => {
    expect(await listed(CHEAP)).toEqual(["openai/gpt-4o", "plain"]);
  });

  it("ask a provider that has answered no more", async () => {
    const asked = () => simulator.received().filter(({ path }) => path === "/anthropic/v1/models").length;
    const before = asked();
    await Promise.all([listed(), listed(), listed(CHEAP)]);
    expect([before > 0, asked()]).toEqual([true, before]);
  });

  it("come in Google's shape for its clients", async () => {
    const answer = await gateway.call("/v1beta/models?pageSize=1000");
    const { models } = (await answer.json()) as { models: { name: string }[] };
    expect(models.some(({ name }) => name.startsWith("models/gemini/gemini-"))).toBe(true);
  });
});

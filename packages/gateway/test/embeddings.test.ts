import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let simulator: Simulator;
let gateway: TestGateway;
let openai: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({
    config: `model_list:
  - model_name: gemini-embedding
    litellm_params: {model: gemini/gemini-embedding-001, api_base: "${simulator.url}/google", api_key: simulated}
  - model_name: dropping
    litellm_params: {model: gemini/gemini-embedding-001, api_base: "${simulator.url}/google", api_key: simulated, drop_params: true}
  - model_name: openai-embedding
    litellm_params: {model: openai/text-embedding-3-small, api_base: "${simulator.url}/openai/v1", api_key: simulated}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${simulator.url}/anthropic", api_key: simulated}
`,
  });
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

/** What the simulator received last on a path that ends so. */
async function received(ending: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${simulator.url}/_admin/requests`);
  const { requests } = (await response.json()) as {
    requests: { path: string; body: Record<string, unknown> }[];
  };
  return requests.filter(({ path }) => path.endsWith(ending)).map(({ body }) => body);
}

describe("embeddings of a provider without OpenAI's format", () => {
  it("are given to the official client, one text or several, each in its place", async () => {
    const one = await openai.embeddings.create({ model: "gemini-embedding", input: "alpha" });
    expect(one.data).toHaveLength(1);
    expect(one.data[0]!.embedding).toHaveLength(768);
    expect(one.usage.prompt_tokens).toBeGreaterThan(0);
    expect(one.usage.total_tokens).toBe(one.usage.prompt_tokens);
    const several = await openai.embeddings.create({
      model: "gemini-embedding",
      input: ["beta", "alpha", "gamma"],
      encoding_format: "float",
    });
    expect(several.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    // The client asks for base64 unless told otherwise, so the two ways of writing a vector are compared here.
    for (const [index, value] of several.data[1]!.embedding.entries())
      expect(value).toBeCloseTo(one.data[0]!.embedding[index]!, 6);
  });

  it("have the length and the purpose that the caller asks for", async () => {
    const body = { model: "gemini-embedding", input: "delta", dimensions: 256, input_type: "search_query" };
    const answer = await openai.embeddings.create(body);
    expect(answer.data[0]!.embedding).toHaveLength(256);
    const asked = { outputDimensionality: 256, taskType: "RETRIEVAL_QUERY" };
    expect((await received(":embedContent")).at(-1)).toMatchObject(asked);
    // `drop_params` leaves out what a provider does not know, and this one knows it.
    await openai.embeddings.create({ ...body, model: "dropping", input: "epsilon" });
    expect((await received(":embedContent")).at(-1)).toMatchObject(asked);
  });

  it("of more texts than one call takes come from several calls, in order", async () => {
    const input = Array.from({ length: 230 }, (_, index) => `text ${index}`);
    const answer = await openai.embeddings.create({ model: "gemini-embedding", input, dimensions: 8 });
    expect(answer.data).toHaveLength(230);
    const last = await openai.embeddings.create({
      model: "gemini-embedding",
      input: "text 229",
      dimensions: 8,
    });
    expect(answer.data[229]!.embedding).toEqual(last.data[0]!.embedding);
    const calls = (await received(":batchEmbedContents")).slice(-3);
    expect(calls.map(({ requests }) => (requests as unknown[]).length).sort()).toEqual([100, 100, 30]);
  });

  it.each([
    [{ input: [1, 2, 3] }, "input"],
    [{ input: [] }, "input"],
    [{ input: ["", "a"] }, "input"],
    [{ input: "a", dimensions: 0 }, "dimensions"],
    [{ input: "a", encoding_format: "hex" }, "encoding_format"],
    [{ input: "a", task_type: "guessing" }, "task_type"],
  ])("refuse %j with 400", async (fields, param) => {
    const response = await gateway.call("/v1/embeddings", { body: { model: "gemini-embedding", ...fields } });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { param: string } }).error.param).toBe(param);
  });

  it("report the provider's own error", async () => {
    const response = await gateway.call("/v1/embeddings", {
      body: { model: "gemini-embedding", input: "a", dimensions: 5000 },
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("output_dimensionality");
  });

  it("are refused where the provider has none", async () => {
    const response = await gateway.call("/v1/embeddings", { body: { model: "claude", input: "a" } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("no embeddings");
  });
});

it("passes tokens and every encoding on to providers of OpenAI's format", async () => {
  const response = await gateway.call("/v1/embeddings", {
    body: { model: "openai-embedding", input: [[1, 2, 3]], encoding_format: "base64" },
  });
  const answer = (await response.json()) as { data: { embedding: string }[] };
  expect(typeof answer.data[0]!.embedding).toBe("string");
});

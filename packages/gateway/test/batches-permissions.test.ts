import { toFile } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { clientOf, type Resources, startResources } from "./support/resources.ts";

const limitedKey = "sk-limited-0123456789";

let resources: Resources;
let gateway: TestGateway;

beforeAll(async () => {
  resources = await startResources();
  const { url } = resources.simulator;
  gateway = await resources.start(`
model_list:
  - {model_name: allowed, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${url}/openai/v1"}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${url}/anthropic"}}
keys:
  - {key: ${limitedKey}, team_id: limited, models: [allowed, gpt-4o-mini]}
`);
});
afterAll(() => resources?.close());

/** What comes of a batch of one row for each model. */
async function statusOf(
  models: readonly string[],
  fields: object = {},
  upload: object = {},
): Promise<number> {
  const client = clientOf(gateway, limitedKey);
  const rows = models.map((model, index) =>
    JSON.stringify({
      custom_id: `row ${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model, max_tokens: 9, messages: [{ role: "user", content: "hello" }] },
    }),
  );
  const file = await toFile(Buffer.from(rows.join("\n")), "in.jsonl");
  const { id } = await client.files.create({ file, purpose: "batch", ...upload });
  const request = {
    input_file_id: id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    ...fields,
  };
  const response = await gateway.call("/v1/batches", { body: request, key: limitedKey });
  await response.text();
  return response.status;
}

const sentBatches = (): number =>
  resources.simulator.received().filter(({ method, path }) => method === "POST" && path.endsWith("/batches"))
    .length;

describe("A key that may call some models", () => {
  it("has its providers run batches of these models only", async () => {
    expect(await statusOf(["gpt-4o-mini", "gpt-4o-mini"])).toBe(200);
    const before = sentBatches();
    expect(await statusOf(["gpt-4o-mini", "o3-pro"])).toBe(403);
    expect(await statusOf(["o3-pro"], { model: "allowed" })).toBe(403);
    expect(await statusOf(["claude-opus-4"], { custom_llm_provider: "anthropic" })).toBe(403);
    expect(sentBatches()).toBe(before);
  });

  it("has its rows written anew where they go to a model by name", async () => {
    expect(await statusOf(["o3-pro"], {}, { target_model_names: "allowed" })).toBe(200);
    const sent = resources.simulator
      .received()
      .findLast(({ method, path }) => method === "POST" && path.endsWith("/files"));
    expect(JSON.stringify(sent)).not.toContain("o3-pro");
    await expect(statusOf(["claude"], {}, { target_model_names: "claude" })).rejects.toThrow("403");
  });

  it("does not get a video of a model that it left unnamed", async () => {
    for (const body of [{ prompt: "a cat" }, { prompt: "a cat", model: "sora-2" }])
      expect((await gateway.call("/v1/videos", { body, key: limitedKey })).status).toBe(403);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { type RecordingUpstream, startRecordingUpstream } from "./support/recording-upstream.ts";

const answer = {
  ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
  choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 500, completion_tokens: 500, total_tokens: 1000 },
};

describe("A key that its owner renews has no second minute", () => {
  let provider: RecordingUpstream;
  let gateway: TestGateway;
  beforeAll(async () => {
    provider = await startRecordingUpstream(() => ({ body: answer }));
    gateway = await startTestGateway({
      config: `model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: k, api_base: "${provider.url}/v1"}}]\ngeneral_settings: {master_key: ${MASTER_KEY}}\n`,
    });
    await gateway.call("/user/new", { body: { user_id: "owner", auto_create_key: false } });
  });
  afterAll(() => Promise.all([gateway?.close(), provider?.close()]));

  const keyFrom = async (path: string, body: object, key = gateway.masterKey): Promise<string> => {
    const response = await gateway.call(path, { key, body });
    return ((await response.json()) as { key: string }).key;
  };
  const call = async (key: string): Promise<number> => {
    const messages = [{ role: "user", content: "x" }];
    return (await gateway.call("/v1/chat/completions", { key, body: { model: "m", messages } })).status;
  };

  it.each([
    ["requests", { rpm_limit: 2 }],
    ["requests for a model", { model_rpm_limit: { m: 2 } }],
    ["tokens", { tpm_limit: 2000 }],
    ["tokens for a model", { model_tpm_limit: { m: 2000 } }],
  ])("of %s", async (_, limits) => {
    const first = await keyFrom("/key/generate", { user_id: "owner", ...limits });
    expect([await call(first), await call(first)]).toEqual([200, 200]);
    const renewed = await keyFrom("/key/regenerate", { key: first }, first);
    expect(await call(renewed)).toBe(429);
    // An administrator may renew it again at once.
    expect(await call(await keyFrom("/key/regenerate", { key: renewed }))).toBe(429);
    // What is given the old text is another key.
    expect(await call(await keyFrom("/key/generate", { key: first, ...limits }))).toBe(200);
  });
});

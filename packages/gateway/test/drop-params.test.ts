import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { directDeployment } from "../src/core/routing/direct-deployment.ts";
import { compatibleHosts } from "../src/providers/openai/hosts.ts";
import { findProvider } from "../src/providers/registry.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const sent: Record<string, unknown>[] = [];
const host = createServer(async (request, response) => {
  sent.push((await json(request)) as Record<string, unknown>);
  const message = { role: "assistant", content: "hi" };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "m", choices }));
});
let gateway: TestGateway;
const names = ["openai", ...Object.keys(compatibleHosts)];

beforeAll(async () => {
  host.listen(0, "127.0.0.1");
  await once(host, "listening");
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/v1`;
  const at = (model: string, more = ""): string =>
    `litellm_params: {model: ${model}, api_key: k, api_base: "${address}"${more}}`;
  gateway = await startTestGateway({
    config: `model_list:
${names.map((name) => `  - {model_name: ${name}, ${at(`${name}/m`)}}`).join("\n")}
  - {model_name: azure, ${at("azure/m", ", api_version: '2026-01-01'")}}
  - {model_name: keeping, ${at("azure/m", ", api_version: '2026-01-01', allowed_openai_params: [odd]")}}
litellm_settings: {drop_params: true}
`,
  });
});
afterAll(async () => {
  await gateway.close();
  host.close();
});

/** What the host got of these fields. */
async function received(model: string, fields: object): Promise<Record<string, unknown>> {
  const body = { model, messages: [{ role: "user", content: "hello" }], ...fields };
  expect((await gateway.call("/v1/chat/completions", { body })).status).toBe(200);
  return Object.fromEntries(Object.entries(sent.at(-1)!).filter(([name]) => name in fields));
}

it.each(names)(
  "with drop_params %s gets the fields that are its own, and none that it refuses",
  async (name) => {
    const own = { top_k: 5, chat_template_kwargs: { enable_thinking: false }, provider: { order: ["x"] } };
    const refused = Object.fromEntries((compatibleHosts[name]?.refuses ?? []).map((field) => [field, null]));
    expect(await received(name, { ...own, ...refused })).toEqual(own);
  },
);

it("with drop_params Azure gets OpenAI's fields alone, and those that allowed_openai_params names", async () => {
  expect(await received("azure", { odd: 1, seed: 1 })).toEqual({ seed: 1 });
  expect(await received("azure", { odd: 1, seed: 1, allowed_openai_params: ["odd"] })).toEqual({
    odd: 1,
    seed: 1,
  });
  expect(await received("keeping", { odd: 1, other: 1 })).toEqual({ odd: 1 });
});

it("OpenAI itself has no fields beside those of its reference, in any of its regions", () => {
  const hasOwn = (address?: string): boolean =>
    findProvider("openai")!.hasOwnFields!(directDeployment("openai/m", address));
  expect([undefined, "https://api.openai.com/v1", "https://eu.api.openai.com/v1"].map(hasOwn)).toEqual([
    false,
    false,
    false,
  ]);
  expect(["https://api.openai.com.example.com/v1", "http://gpu:8000/v1"].map(hasOwn)).toEqual([true, true]);
});

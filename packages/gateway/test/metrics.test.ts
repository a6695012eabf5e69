import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { masterKey, startTestGateway, type TestGateway } from "./support/gateway.ts";

const key = "sk-blue-0123456789";
let simulator: Awaited<ReturnType<typeof startSimulator>>;
const gateways: TestGateway[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.close();
  await simulator?.close();
});

async function start(settings: string, general = ""): Promise<TestGateway> {
  const gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: priced, model_info: {id: d1}, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1", input_cost_per_token: 0.5, output_cost_per_token: 0.25}}
  - {model_name: "any/*", model_info: {id: d2}, litellm_params: {model: "hosted_vllm/*", api_key: k, api_base: "${simulator.url}/compat/v1"}}
keys: [{key: ${key}}]
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {${settings}}
general_settings: {master_key: ${masterKey}${general}}
`,
  });
  gateways.push(gateway);
  return gateway;
}

function chat(gateway: TestGateway, model: string, text: string, more: object = {}): Promise<string> {
  const body = { model, messages: [{ role: "user", content: text }], ...more };
  return gateway.call("/v1/chat/completions", { body, key }).then((response) => response.text());
}

/** The values of a metric, by their labels as they stand in the text. */
function valuesOf(text: string, name: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`));
  return new Map(
    lines.map((line) => {
      const [, labels, value] = /^\w+\{(.*)\} (\S+)$/.exec(line)!;
      return [labels!, Number(value)];
    }),
  );
}

describe("Metrics", () => {
  it("count requests, calls, tokens and spend under LiteLLM's names", async () => {
    const gateway = await start("callbacks: [prometheus]");
    const answer = JSON.parse(await chat(gateway, "priced", "hello")) as { usage: Record<string, number> };
    await chat(gateway, "priced", "hello", { stream: true, stream_options: { include_usage: true } });
    await chat(gateway, "priced", "[[sim:fault status=500]]");
    await chat(gateway, "any/thing-that-a-caller-made-up", "hello");
    await chat(gateway, "no-such-model", "hello");
    const response = await gateway.call("/metrics");
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    const priced = 'requested_model="priced",model="gpt-4o",model_id="d1",api_provider="openai"';
    const { prompt_tokens: input, completion_tokens: output } = answer.usage as { [name: string]: number };
    expect(valuesOf(text, "litellm_deployment_total_requests_total").get(priced)).toBe(3);
    expect(valuesOf(text, "litellm_deployment_success_responses_total").get(priced)).toBe(2);
    expect(valuesOf(text, "litellm_deployment_failure_responses_total").get(priced)).toBe(1);
    expect(valuesOf(text, "litellm_input_tokens_metric_total").get(priced)).toBe(2 * input!);
    expect(valuesOf(text, "litellm_output_tokens_metric_total").get(priced)).toBe(2 * output!);
    expect(valuesOf(text, "litellm_spend_metric_total").get(priced)).toBeCloseTo(input! + output! / 2);
    expect(valuesOf(text, "litellm_request_total_latency_metric_count").get(priced)).toBe(2);
    expect(valuesOf(text, "litellm_deployment_state").get(priced)).toBe(0);
    const requests = valuesOf(text, "litellm_proxy_total_requests_metric_total");
    expect(requests.get('route="/v1/chat/completions",status_code="200"')).toBe(3);
    expect(requests.get('route="/v1/chat/completions",status_code="400"')).toBe(1);
    expect(text).not.toContain("made-up");
    expect(text).not.toContain("no-such-model");
  });

  it("are for administrators, unless they are public", async () => {
    const gateway = gateways[0]!;
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(401);
    expect((await gateway.call("/metrics", { key })).status).toBe(403);
    const open = await start("callbacks: [prometheus]", ", public_metrics: true");
    expect((await fetch(`${open.url}/metrics`)).status).toBe(200);
  });

  it("are not there without the callback, and the answer says how to get them", async () => {
    const answer = await (await start("")).call("/metrics");
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("prometheus");
  });
});

import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../src/util/sha256.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

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
  - {model_name: film, model_info: {id: d4}, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: claude, model_info: {id: d3}, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
keys: [{key: ${key}, key_alias: blue}]
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {${settings}}
general_settings: {master_key: ${MASTER_KEY}${general}}
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
    const deployment = 'requested_model="priced",model_id="d1",api_provider="openai"';
    const priced = `model="gpt-4o",${deployment}`;
    const used = `${priced},hashed_api_key="${sha256(key)}",api_key_alias="blue",team="",user=""`;
    const named = `litellm_model_name="gpt-4o",${deployment}`;
    const { prompt_tokens: input, completion_tokens: output } = answer.usage as { [name: string]: number };
    expect(valuesOf(text, "litellm_deployment_total_requests_total").get(named)).toBe(3);
    expect(valuesOf(text, "litellm_deployment_success_responses_total").get(named)).toBe(2);
    expect(valuesOf(text, "litellm_deployment_failure_responses_total").get(named)).toBe(1);
    expect(valuesOf(text, "litellm_input_tokens_metric_total").get(used)).toBe(2 * input!);
    expect(valuesOf(text, "litellm_output_tokens_metric_total").get(used)).toBe(2 * output!);
    expect(valuesOf(text, "litellm_spend_metric_total").get(used)).toBeCloseTo(input! + output! / 2);
    expect(valuesOf(text, "litellm_request_total_latency_metric_count").get(priced)).toBe(2);
    expect(valuesOf(text, "litellm_deployment_state").get(named)).toBe(0);
    const requests = valuesOf(text, "litellm_proxy_total_requests_metric_total");
    expect(requests.get('route="/v1/chat/completions",status_code="200"')).toBe(3);
    expect(requests.get('route="/v1/chat/completions",status_code="400"')).toBe(1);
    expect(text).not.toContain("made-up");
    expect(text).not.toContain("no-such-model");
  });

  it.each(["priced", "claude"])("count what a batch used that its provider ran: %s", async (model) => {
    const gateway = await start("callbacks: [prometheus]");
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("target_model_names", model);
    const lines = ["one", "two", "[[sim:fault status=400]]"].map((content) =>
      JSON.stringify({
        custom_id: content,
        method: "POST",
        url: "/v1/chat/completions",
        body: { model, max_tokens: 50, messages: [{ role: "user", content }] },
      }),
    );
    form.append("file", new File([lines.join("\n")], "rows.jsonl"));
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const file = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
    const { id: input_file_id } = (await file.json()) as { id: string };
    const created = await gateway.call("/v1/batches", {
      body: {
        input_file_id,
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
        execution: "provider",
      },
    });
    const { id } = (await created.json()) as { id: string };
    type Row = { call_type: string; spend: number; prompt_tokens: number; completion_tokens: number };
    const spent = await until(
      async () => {
        const page = await gateway.call(`/spend/logs?request_id=${id}`);
        return ((await page.json()) as { data: Row[] }).data.find((row) => row.call_type === "abatch_cost");
      },
      (row) => row !== undefined,
    );
    const of = (name: string, text: string): number =>
      [...valuesOf(text, name)].find(([labels]) => labels.includes(`requested_model="${model}"`))![1];
    const text = await until(
      async () => (await gateway.call("/metrics")).text(),
      (seen) => valuesOf(seen, "litellm_input_tokens_metric_total").size > 0,
    );
    expect(spent!.prompt_tokens).toBeGreaterThan(0);
    expect(of("litellm_input_tokens_metric_total", text)).toBe(spent!.prompt_tokens);
    expect(of("litellm_output_tokens_metric_total", text)).toBe(spent!.completion_tokens);
    expect(of("litellm_spend_metric_total", text)).toBeCloseTo(spent!.spend, 10);
    expect(of("litellm_deployment_failure_responses_total", text)).toBe(1);
  });

  it("count a background response and a video once, however often they are asked after", async () => {
    const gateway = await start("callbacks: [prometheus]");
    const make = async (path: string, body: object): Promise<string> =>
      ((await (await gateway.call(path, { body, key })).json()) as { id: string }).id;
    const background = { model: "priced", input: "hello", background: true };
    const made = [
      `/v1/responses/${await make("/v1/responses", background)}`,
      `/v1/videos/${await make("/v1/videos", { model: "film", prompt: "a cat", seconds: "4" })}`,
    ];
    for (const path of made) {
      for (let look = 0; look < 3; look += 1) expect((await gateway.call(path, { key })).status).toBe(200);
    }
    await gateway.call("/v1/videos?model=film", { key });
    const text = await (await gateway.call("/metrics")).text();
    const counted = (name: string): number[] => [...valuesOf(text, name).values()];
    expect(counted("litellm_deployment_total_requests_total")).toEqual([1, 1]);
    expect(counted("litellm_deployment_success_responses_total")).toEqual([1, 1]);
    expect(counted("litellm_request_total_latency_metric_count")).toEqual([1, 1]);
    const requests = valuesOf(text, "litellm_proxy_total_requests_metric_total");
    expect(requests.get('route="/v1/responses/:responseId",status_code="200"')).toBe(3);
    expect(requests.get('route="/v1/videos/:videoId",status_code="200"')).toBe(3);
  });

  it("tell use by key, team and user, and what is left of budgets", async () => {
    const gateway = await start("callbacks: [prometheus]");
    const post = async (path: string, body: object): Promise<Record<string, string>> =>
      (await (await gateway.call(path, { body })).json()) as Record<string, string>;
    const { team_id: team } = await post("/team/new", { max_budget: 500 });
    await post("/user/new", { user_id: "ann", auto_create_key: false });
    await post("/customer/new", { user_id: "cust", max_budget: 2000 });
    const made = await post("/key/generate", {
      key_alias: "hers",
      team_id: team,
      user_id: "ann",
      max_budget: 1000,
      budget_duration: "30d",
    });
    const body = {
      model: "priced",
      user: "cust",
      max_tokens: 5,
      messages: [{ role: "user", content: "hi" }],
    };
    const answer = await gateway.call("/v1/chat/completions", { body, key: made.key! });
    const { usage } = (await answer.json()) as { usage: Record<string, number> };
    const cost = usage.prompt_tokens! / 2 + usage.completion_tokens! / 4;
    const hash = sha256(made.key!);
    const own = `hashed_api_key="${hash}",api_key_alias="hers"`;
    const text = await until(
      async () => (await gateway.call("/metrics")).text(),
      (seen) => valuesOf(seen, "litellm_remaining_api_key_budget_metric").get(own) === 1000 - cost,
    );
    const use = `model="gpt-4o",requested_model="priced",model_id="d1",api_provider="openai",${own},team="${team}",user="ann"`;
    expect(valuesOf(text, "litellm_spend_metric_total").get(use)).toBeCloseTo(cost, 9);
    expect(valuesOf(text, "litellm_total_tokens_metric_total").get(use)).toBe(usage.total_tokens);
    expect(valuesOf(text, "litellm_api_key_max_budget_metric").get(own)).toBe(1000);
    const hours = valuesOf(text, "litellm_api_key_budget_remaining_hours_metric").get(own)!;
    expect(hours > 0 && hours <= 30 * 24).toBe(true);
    expect(valuesOf(text, "litellm_remaining_team_budget_metric").get(`team="${team}"`)).toBe(500 - cost);
    const customer = 'budget="the customer cust"';
    expect(valuesOf(text, "portico_remaining_other_budget_metric").get(customer)).toBe(2000 - cost);
    // Its budget has no windows, so there is nothing to wait for.
    expect(valuesOf(text, "litellm_team_budget_remaining_hours_metric").size).toBe(0);
    expect(text).not.toContain(made.key);
  });

  it("tell how much durable work there is", async () => {
    const gateway = await start("callbacks: [prometheus]");
    await gateway.call("/v1/responses", {
      body: { model: "claude", input: "[[sim:delay ms=60000]]", background: true },
      key,
    });
    await until(
      async () => valuesOf(await (await gateway.call("/metrics")).text(), "portico_queue_jobs"),
      (jobs) => [...jobs].some(([labels, count]) => labels.endsWith('state="running"') && count > 0),
    );
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

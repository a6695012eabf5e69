import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { type ReceivedSpan, startCollector } from "./support/otlp-collector.ts";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import { until } from "./support/until.ts";

const KEY = "sk-traced-0123456789";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let collector: Awaited<ReturnType<typeof startCollector>>;
const gateways: TestGateway[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  collector.close();
});

async function start(
  settings = "callbacks: [otel]",
  more: Record<string, string> = {},
): Promise<TestGateway> {
  const at = (path: string) => `api_key: sk-provider-secret, api_base: "${simulator.url}${path}"`;
  const gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: priced, model_info: {id: d1}, litellm_params: {model: openai/gpt-4o, ${at("/openai/v1")}, input_cost_per_token: 0.5, output_cost_per_token: 0.25}}
  - {model_name: claude, model_info: {id: d2}, litellm_params: {model: anthropic/claude-sonnet-4, ${at("/anthropic")}}}
  - {model_name: plain, model_info: {id: d4}, litellm_params: {model: hosted_vllm/m, ${at("/compat/v1")}}}
  - {model_name: broken, model_info: {id: d3}, litellm_params: {model: openai/gpt-4o, api_key: x, api_base: "http://127.0.0.1:9/v1"}}
keys: [{key: ${KEY}, key_alias: blue, user_id: u1, team_id: t1}]
router_settings: {num_retries: 0, disable_cooldowns: true, fallbacks: [{broken: [priced]}]}
litellm_settings: {${settings}}
general_settings: {master_key: ${MASTER_KEY}}
`,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-token=sk-collector%2Dsecret",
      OTEL_BSP_SCHEDULE_DELAY: "20",
      ...more,
    },
  });
  gateways.push(gateway);
  return gateway;
}

const ask = (gateway: TestGateway, model: string, more: object = {}, headers: Record<string, string> = {}) =>
  gateway
    .call("/v1/chat/completions", {
      body: { model, messages: [{ role: "user", content: "a-private-prompt" }], ...more },
      key: KEY,
      headers,
    })
    .then(async (response) => ({ status: response.status, text: await response.text() }));

/** The spans of one request, the request's own first. */
async function spans(count: number): Promise<ReceivedSpan[]> {
  await until(() => collector.spans.length >= count);
  expect(collector.spans).toHaveLength(count);
  return collector.spans.toSorted((one, other) => Number(one.start - other.start));
}

describe("Tracing", () => {
  it("tells of a request and of each attempt, with usage and cost, and neither content nor keys", async () => {
    const gateway = await start();
    const { text } = await ask(gateway, "broken", { user: "customer-1" });
    const { usage } = JSON.parse(text) as { usage: { prompt_tokens: number; completion_tokens: number } };
    const [request, failed, answered] = await spans(3);
    expect(request).toMatchObject({
      name: "POST /v1/chat/completions",
      kind: SERVER,
      parentId: "",
      status: 0,
      resource: { "service.name": "portico" },
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/chat/completions",
        "http.response.status_code": 200,
        "gen_ai.request.model": "broken",
        "portico.key.alias": "blue",
        "user.id": "u1",
        "portico.team.id": "t1",
        "portico.customer.id": "customer-1",
        "portico.fallbacks": 1,
        "portico.outcome": "success",
      },
    });
    expect(failed).toMatchObject({
      name: "chat gpt-4o",
      kind: CLIENT,
      traceId: request!.traceId,
      parentId: request!.spanId,
      status: 2,
      attributes: { "portico.deployment.id": "d3", "error.type": expect.any(String) },
    });
    expect(failed!.attributes["gen_ai.usage.input_tokens"]).toBeUndefined();
    expect(answered).toMatchObject({
      kind: CLIENT,
      traceId: request!.traceId,
      parentId: request!.spanId,
      status: 0,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cost": usage.prompt_tokens * 0.5 + usage.completion_tokens * 0.25,
        "portico.deployment.id": "d1",
        "server.address": "127.0.0.1",
      },
    });
    for (const span of [failed!, answered!]) {
      expect(span.start).toBeGreaterThanOrEqual(request!.start);
      expect(span.end).toBeLessThanOrEqual(request!.end);
    }
    const sent = Buffer.concat(collector.requests.map(({ bytes }) => bytes)).toString("latin1");
    for (const secret of ["a-private-prompt", KEY, "sk-provider-secret", "sk-collector-secret"])
      expect(sent).not.toContain(secret);
    expect(collector.requests[0]).toMatchObject({
      path: "/v1/traces",
      headers: { "x-token": "sk-collector-secret" },
    });
  });

  it("tells once of an attempt that was left, however long it goes on", async () => {
    const upstream = createServer((request) => request.resume());
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    const { port } = upstream.address() as AddressInfo;
    const gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: slow, litellm_params: {model: openai/slow, api_key: k, api_base: "http://127.0.0.1:${port}", input_cost_per_token: 0, output_cost_per_token: 0.1}}
  - {model_name: priced, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
keys: [{key: ${KEY}, max_budget: 1000000}]
router_settings: {num_retries: 0, fallbacks: [{slow: [priced]}]}
litellm_settings: {callbacks: [otel]}
general_settings: {master_key: ${MASTER_KEY}}
`,
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    expect(await ask(gateway, "slow", {}, { "x-portico-timeout": "1.5" })).toMatchObject({ status: 200 });
    // The end of the gateway ends the attempt, which is accounted then.
    upstream.closeAllConnections();
    await gateway.close();
    upstream.close();
    const [, left, answered] = await spans(3);
    expect(left).toMatchObject({ name: "chat slow", status: 2 });
    expect(answered).toMatchObject({ name: "chat gpt-4o", status: 0 });
  });

  it("tells how long a stream took, to its first content and to its end", async () => {
    const gateway = await start();
    await ask(gateway, "claude", { stream: true });
    const [request, attempt] = await spans(2);
    expect(attempt!.attributes).toMatchObject({
      "gen_ai.provider.name": "anthropic",
      "portico.native": false,
      "portico.time_to_first_content": expect.any(Number),
      "gen_ai.usage.output_tokens": expect.any(Number),
    });
    const seconds = Number(attempt!.end - attempt!.start) / 1e9;
    expect(attempt!.attributes["portico.time_to_first_content"]).toBeLessThanOrEqual(seconds);
    expect(attempt!.end).toBeLessThanOrEqual(request!.end);
  });

  it.each([
    ["goes on in the caller's trace", `00-${TRACE}-${SPAN}-01`, TRACE, SPAN],
    ["reads what a later version adds", `01-${TRACE}-${SPAN}-01-more`, TRACE, SPAN],
    ["begins its own where the first version has more", `00-${TRACE}-${SPAN}-01-more`, undefined, ""],
    ["begins its own for no trace id", `00-${"0".repeat(32)}-${SPAN}-01`, undefined, ""],
    ["begins its own for what is none", "drop table", undefined, ""],
  ])("%s", async (_, traceparent, traceId, parentId) => {
    const gateway = await start();
    await ask(gateway, "priced", {}, { traceparent, tracestate: "a=b" });
    const [request] = await spans(2);
    expect(request!.parentId).toBe(parentId);
    if (traceId === undefined) expect(request!.traceId).toMatch(/^(?!0{32})[\da-f]{32}$/);
    else expect(request!.traceId).toBe(traceId);
  });

  it("sends nothing of a trace that its caller does not send, or that is not among those sampled", async () => {
    const gateway = await start();
    await ask(gateway, "priced", {}, { traceparent: `00-${TRACE}-${SPAN}-00` });
    const off = await start("callbacks: [otel]", { OTEL_TRACES_SAMPLER: "always_off" });
    await ask(off, "priced", {}, { traceparent: `00-${TRACE}-${SPAN}-01` });
    await ask(gateway, "priced");
    await spans(2);
    for (const each of gateways.splice(0)) await each.close();
    expect(collector.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([]);
  });

  it.each([true, false])("shows a provider the trace if it is to see it: %s", async (isForwarded) => {
    const upstream = await startRecordingUpstream();
    const gateway = await startTestGateway({
      config: `
model_list: [{model_name: m, litellm_params: {model: openai/m, api_key: k, api_base: "${upstream.url}/v1"}}]
litellm_settings: {success_callback: [otel], forward_traceparent_to_llm_provider: ${isForwarded}}
general_settings: {master_key: ${MASTER_KEY}}
`,
      environment: { OTEL_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "20" },
    });
    gateways.push(gateway);
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: "vendor=1" };
    const body = { model: "m", messages: [{ role: "user", content: "x" }] };
    await (await gateway.call("/v1/chat/completions", { body, headers })).text();
    const [, attempt] = await spans(2);
    const seen = upstream.seen[0]!.headers;
    expect(seen.traceparent).toBe(isForwarded ? `00-${TRACE}-${attempt!.spanId}-01` : undefined);
    expect(seen.tracestate).toBe(isForwarded ? "vendor=1" : undefined);
    await upstream.close();
  });

  it("tells of the rows of a batch as calls of their own", async () => {
    const gateway = await start();
    const row = {
      custom_id: "one",
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: "plain", messages: [{ role: "user", content: "x" }] },
    };
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new Blob([JSON.stringify(row)]), "rows.jsonl");
    const file = (await (await gateway.call("/v1/files", { body: form, key: KEY })).json()) as { id: string };
    const body = {
      input_file_id: file.id,
      endpoint: row.url,
      completion_window: "24h",
      execution: "gateway",
    };
    await gateway.call("/v1/batches", { body, key: KEY });
    const ofRow = () => collector.spans.find(({ name }) => name === "abatch_row");
    await until(() => ofRow() !== undefined);
    expect(ofRow()).toMatchObject({ kind: INTERNAL, parentId: "", attributes: { "portico.team.id": "t1" } });
    const attempt = collector.spans.find(({ parentId }) => parentId === ofRow()!.spanId);
    expect(attempt).toMatchObject({ kind: CLIENT, attributes: { "portico.deployment.id": "d4" } });
  });

  it("answers as ever while nobody takes its spans, and says so once without what is secret", async () => {
    const away = await startCollector(503);
    const gateway = await start("callbacks: [otel]", { OTEL_EXPORTER_OTLP_ENDPOINT: away.url });
    expect((await ask(gateway, "priced")).status).toBe(200);
    await until(() => away.requests.length > 0);
    for (const each of gateways.splice(0)) await each.close();
    expect(gateway.log().match(/spans were not taken/g)).toHaveLength(1);
    expect(gateway.log()).not.toContain("sk-collector-secret");
    away.close();
  });

  it("says what a destination needs, and that a name is none", async () => {
    const gateway = await start("success_callback: [langfuse, s3], failure_callback: [sentry]");
    const log = gateway.log();
    expect(log).toContain("langfuse needs LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY in the environment");
    expect(log).toContain("s3 has no effect here");
    expect(log).toContain("sentry has no effect here");
  });
});

describe("Metrics over OTLP", () => {
  it("are those of Prometheus, with LiteLLM's switch and no keys", async () => {
    const gateway = await start("callbacks: [otel]", {
      LITELLM_OTEL_INTEGRATION_ENABLE_METRICS: "true",
      OTEL_METRIC_EXPORT_INTERVAL: "50",
      OTEL_SERVICE_NAME: "our-gateway",
    });
    await ask(gateway, "priced");
    await ask(gateway, "priced", { stream: true });
    const { error } = JSON.parse((await ask(gateway, "nothing-like-that")).text) as { error: object };
    expect(error).toBeDefined();
    const point = (name: string, labels: object) =>
      collector
        .metrics()
        .find(
          (each) =>
            each.name === name &&
            Object.entries(labels).every(([label, value]) => each.attributes[label] === value),
        );
    const deployment = { model_id: "d1", requested_model: "priced" };
    await until(() => point("litellm_deployment_success_responses_total", deployment)?.value === 2);
    await until(
      () =>
        point("litellm_proxy_total_requests_metric_total", {
          route: "/v1/chat/completions",
          status_code: "400",
        })?.value === 1,
    );
    const spend = point("litellm_spend_metric_total", { ...deployment, api_key_alias: "blue", team: "t1" })!;
    expect(spend).toMatchObject({ kind: "sum", resource: { "service.name": "our-gateway" } });
    expect(spend.value).toBeGreaterThan(0);
    expect(point("litellm_deployment_state", deployment)).toMatchObject({ kind: "gauge", value: 0 });
    const latency = point("litellm_request_total_latency_metric", deployment)!;
    expect(latency).toMatchObject({ kind: "histogram", count: 2 });
    expect(latency.value).toBeGreaterThan(0);
    expect(latency.buckets.reduce((sum, count) => sum + count)).toBe(2);
    const sent = collector.requests.filter(({ path }) => path === "/v1/metrics");
    expect(sent.at(-1)!.headers["x-token"]).toBe("sk-collector-secret");
    for (const { bytes } of sent) expect(bytes.includes(KEY)).toBe(false);
  });

  it("go to an address of their own, the last when the gateway stops, and without spans", async () => {
    const gateway = await start("num_retries: 0", {
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/custom/v1/metrics`,
    });
    await ask(gateway, "priced");
    gateways.length = 0;
    await gateway.close();
    expect(collector.requests.map(({ path }) => path)).toEqual(["/custom/v1/metrics"]);
    const requests = collector
      .metrics()
      .filter(({ name }) => name.startsWith("litellm_proxy_total_requests"));
    expect(requests.map(({ value }) => value)).toEqual([1]);
  });
});

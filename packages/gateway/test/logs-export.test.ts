import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MASTER_KEY, spawnTestGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startCollector } from "./support/otlp-collector.ts";
import { until } from "./support/until.ts";

const KEY = "sk-logged-0123456789";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const INFO = 9;
const WARN = 13;
const ERROR = 17;

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let collector: Awaited<ReturnType<typeof startCollector>>;
let gateways: TestGateway[] = [];

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
  expect(collector.faults).toEqual([]);
});

function optionsOf(more: Record<string, string>, callbacks: string) {
  return {
    config: `
model_list:
  - {model_name: m, model_info: {id: d1}, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: broken, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "http://127.0.0.1:9/v1"}}
keys: [{key: ${KEY}, key_alias: blue, team_id: t1}]
router_settings: {num_retries: 0, disable_cooldowns: true}
litellm_settings: {callbacks: ${callbacks}, success_callback: [s3]}
general_settings: {master_key: ${MASTER_KEY}}
`,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_LOGS_EXPORTER: "otlp",
      OTEL_BLRP_SCHEDULE_DELAY: "20",
      OTEL_BSP_SCHEDULE_DELAY: "20",
      ...more,
    },
  };
}

async function start(more: Record<string, string> = {}, callbacks = "[otel]") {
  const gateway = await startTestGateway(optionsOf(more, callbacks));
  gateways.push(gateway);
  return gateway;
}

/** In a process of its own. */
async function spawn(more: Record<string, string> = {}, callbacks = "[otel]", flags: string[] = []) {
  const gateway = await spawnTestGateway({ ...optionsOf(more, callbacks), flags });
  gateways.push(gateway);
  return gateway;
}

const ask = (gateway: TestGateway, model: string, headers: Record<string, string> = {}) =>
  gateway
    .call("/v1/chat/completions", {
      body: { model, messages: [{ role: "user", content: "a-private-prompt" }] },
      key: KEY,
      headers,
    })
    .then(async (response) => ({ status: response.status, text: await response.text() }));

/** The lines of standard output, without what happens to the process that ends. */
function linesOf(gateway: TestGateway): Record<string, unknown>[] {
  return gateway
    .log()
    .split("\n")
    .filter((line) => line.startsWith('{"level"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const records = (body: string) => collector.logs.filter((record) => record.body === body);

describe("Logs over OTLP", () => {
  it.each(["http/protobuf", "http/json"])("are the lines of the log, over %s", async (protocol) => {
    const gateway = await start({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_SERVICE_NAME: "ours" });
    await ask(gateway, "m", { traceparent: `00-${TRACE}-b7ad6b7169203331-01` });
    await ask(gateway, "broken");
    await ask(gateway, "sk-not-a-model-0123456789");
    // Its end sends what waits.
    gateways = [];
    await gateway.close();
    const lines = linesOf(gateway);
    expect(collector.logs).toHaveLength(lines.length);
    for (const [index, { level, time, msg, trace_id, span_id, trace_flags, ...others }] of lines.entries())
      expect(collector.logs[index]).toEqual({
        time: Date.parse(String(time)),
        severity: { 30: INFO, 40: WARN, 50: ERROR }[Number(level)],
        severityText: { 30: "INFO", 40: "WARN", 50: "ERROR" }[Number(level)],
        body: msg,
        traceId: trace_id ?? "",
        spanId: span_id ?? "",
        flags: Number(trace_flags ?? 0),
        attributes: others,
        resource: expect.objectContaining({ "service.name": "ours" }),
      });
    const [asked] = records("request");
    expect(asked).toMatchObject({
      severity: INFO,
      traceId: TRACE,
      flags: 1,
      attributes: { key_alias: "blue", team: "t1", model: "m", model_id: "d1", status: 200 },
    });
    const known = collector.spans.filter(({ traceId }) => traceId === TRACE).map(({ spanId }) => spanId);
    expect(known).toContain(asked!.spanId);
    expect(records("request failed")[0]).toMatchObject({ severity: ERROR, flags: 1 });
    // What the start says of the configuration was written before anybody knew where to send it.
    expect(records("configuration")[0]).toMatchObject({
      severity: WARN,
      attributes: { problem: expect.stringContaining("s3 has no effect here") },
    });
    expect(collector.requests.map(({ path, headers }) => `${path} ${headers["content-type"]}`)).toContain(
      `/v1/logs ${protocol === "http/json" ? "application/json" : "application/x-protobuf"}`,
    );
    const sent = Buffer.concat(collector.requests.map(({ bytes }) => bytes)).toString("latin1");
    for (const secret of ["a-private-prompt", KEY, "sk-not-a-model"]) expect(sent).not.toContain(secret);
  });

  it("go to an address of their own with headers of their own, without spans and ids", async () => {
    const gateway = await spawn(
      {
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/own/v1/logs`,
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: "x-token=a%20b",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      },
      "[]",
    );
    await ask(gateway, "m");
    await until(() => records("request").length === 1);
    expect(records("request")[0]).toMatchObject({ traceId: "", spanId: "", attributes: { status: 200 } });
    for (const { path, headers } of collector.requests) {
      expect(path).toBe("/own/v1/logs");
      expect(headers).toMatchObject({ "x-token": "a b", "content-encoding": "gzip" });
    }
  });

  it.each([
    ["LiteLLM's switch of events", { LITELLM_OTEL_INTEGRATION_ENABLE_EVENTS: "true" }, "[otel]", true],
    ["that switch without the callback", { LITELLM_OTEL_INTEGRATION_ENABLE_EVENTS: "true" }, "[]", false],
    ["nothing", {}, "[otel]", false],
    ["a list of exporters", { OTEL_LOGS_EXPORTER: "console, otlp" }, "[]", true],
    ["none", { OTEL_LOGS_EXPORTER: "none" }, "[otel]", false],
    ["OpenTelemetry off", { OTEL_LOGS_EXPORTER: "otlp", OTEL_SDK_DISABLED: "true" }, "[otel]", false],
  ])("follow %s", async (_, environment, callbacks, isSent) => {
    const gateway = await start({ OTEL_LOGS_EXPORTER: "", ...environment }, callbacks);
    await ask(gateway, "m");
    gateways = [];
    await gateway.close();
    expect(records("request")).toHaveLength(isSent ? 1 : 0);
  });

  it("come from each worker and from the process that starts them", async () => {
    const gateway = await spawn({}, "[]", ["--workers", "2"]);
    await ask(gateway, "m");
    await until(() => records("request").length === 1 && records("a worker serves").length === 2);
    expect(records("request")[0]!.attributes.worker).toEqual(expect.any(Number));
  });

  it("keep neither calls nor the end waiting for a collector that answers nothing", async () => {
    const sent: number[] = [];
    const silent = createServer((request) => {
      sent.push(request.socket.remotePort ?? 0);
      request.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const gateway = await spawn({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_TIMEOUT: "300",
      OTEL_BLRP_MAX_QUEUE_SIZE: "4",
      OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: "1",
    });
    await until(() => sent.length > 0);
    for (let call = 0; call < 20; call++) expect((await ask(gateway, "m")).status).toBe(200);
    gateways = [];
    await gateway.close();
    expect(await gateway.exited).toBe(0);
    // Everything stands on standard output, and what the queue had no room for is nowhere else.
    expect(linesOf(gateway).filter(({ msg }) => msg === "request")).toHaveLength(20);
    silent.closeAllConnections();
    silent.close();
  });

  it("keep the gateway from starting with an address that is none, and do not quote it", async () => {
    for (const signal of ["TRACES", "METRICS", "LOGS"])
      for (const address of ["http://u:hush-hush@:99999/x", "grpc://u:hush-hush@a:4317", "hush-hush"]) {
        const environment = {
          [`OTEL_${signal}_EXPORTER`]: "otlp",
          [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]: address,
        };
        const refusal = await startTestGateway({ config: "model_list: []", environment }).catch(String);
        expect(refusal).toContain("no URL with http or https");
        expect(refusal).not.toContain("hush-hush");
      }
  });

  it("say once that a collector takes none, and that a protocol is not spoken", async () => {
    const away = await startCollector(400);
    const gateway = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: away.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    });
    for (let call = 0; call < 3; call++) await ask(gateway, "m");
    await until(() => away.requests.filter(({ path }) => path === "/v1/logs").length > 1);
    gateways = [];
    await gateway.close();
    expect(gateway.log().match(/log records were not taken/g)).toHaveLength(1);
    expect(gateway.log()).toContain("OTLP over grpc (OTEL_EXPORTER_OTLP_PROTOCOL) is not spoken here");
    away.close();
  });
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatProblem } from "../src/platform/config/problem.ts";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { sha256 } from "../src/util/sha256.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

const KEY = "sk-blue-0123456789";
const PROMPT = "a-private-prompt";
const TOKEN = "hush-0123456789";

type Payload = Record<string, unknown> & { readonly metadata: Record<string, unknown> };

/** A log service; `status` is what it answers with, 0 for nothing at all. */
async function startService() {
  const taken: Payload[] = [];
  const requests: { headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const service = { status: 200 };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ headers: request.headers, body });
    if (service.status === 200) taken.push(...([JSON.parse(body)].flat() as Payload[]));
    if (service.status !== 0) response.writeHead(service.status).end("thanks");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/logs`;
  return { url, taken, requests, service, close };
}

let simulator: Simulator;
let service: Awaited<ReturnType<typeof startService>>;
const gateways: TestGateway[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());
beforeEach(async () => {
  simulator.reset();
  service = await startService();
});
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.close();
  service.close();
});

interface Setup {
  readonly lists?: string;
  readonly callbackSettings?: string;
  readonly environment?: Record<string, string>;
  readonly store?: string;
}

async function start({ lists = "callbacks: [generic_api]", ...setup }: Setup = {}): Promise<TestGateway> {
  const gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: plain, model_info: {id: d1}, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1", input_cost_per_token: 0.001, output_cost_per_token: 0.002}}
  - {model_name: broken, litellm_params: {model: openai/gpt-4o, api_key: x, api_base: "http://127.0.0.1:9/v1"}}
keys: [{key: ${KEY}, key_alias: blue, team_id: t1, user_id: u1}]
router_settings: {num_retries: 0, disable_cooldowns: true}
litellm_settings: {${lists}}
${setup.callbackSettings ?? ""}
general_settings: {master_key: ${MASTER_KEY}${setup.store ?? ""}}
`,
    environment: setup.environment ?? {
      GENERIC_LOGGER_ENDPOINT: service.url,
      GENERIC_LOGGER_HEADERS: `Authorization=Bearer ${TOKEN},X-Kind=calls`,
    },
  });
  gateways.push(gateway);
  return gateway;
}

async function ask(gateway: TestGateway, model: string, more: object = {}) {
  const answer = await gateway.call("/v1/chat/completions", {
    body: { model, messages: [{ role: "user", content: PROMPT }], user: "eve", ...more },
    key: KEY,
    headers: { "x-litellm-tags": "red,green" },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Ends the gateway, which sends what waits. */
async function end(gateway: TestGateway): Promise<readonly Payload[]> {
  gateways.splice(gateways.indexOf(gateway), 1);
  await gateway.close();
  return service.taken;
}

describe.each([
  ["with a store", ""],
  ["without a store", ", store: none"],
])("generic_api %s", (_, store) => {
  it("gets a record of each call, by LiteLLM's names, without content and keys", async () => {
    const gateway = await start({ store });
    const whole = await ask(gateway, "plain");
    const streamed = await ask(gateway, "plain", { stream: true, stream_options: { include_usage: true } });
    const failed = await ask(gateway, "broken");
    expect([whole, streamed, failed].map(({ status }) => status)).toEqual([200, 200, 502]);
    const records = await end(gateway);
    expect(records.map(({ status, stream }) => [status, stream])).toEqual([
      ["success", false],
      ["success", true],
      ["failure", false],
    ]);
    const { usage } = JSON.parse(whole.text) as { usage: Record<string, number> };
    expect(records[0]).toMatchObject({
      id: whole.headers.get("x-portico-call-id"),
      call_type: "acompletion",
      model: "llama",
      model_group: "plain",
      model_id: "d1",
      custom_llm_provider: "hosted_vllm",
      api_base: expect.stringContaining("/compat/v1"),
      prompt_tokens: usage.prompt_tokens,
      completion_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
      response_cost: expect.closeTo(usage.prompt_tokens! * 0.001 + usage.completion_tokens! * 0.002, 9),
      end_user: "eve",
      request_tags: ["red", "green"],
      error_str: null,
      messages: null,
      response: null,
      metadata: {
        user_api_key_hash: sha256(KEY),
        user_api_key_alias: "blue",
        user_api_key_user_id: "u1",
        user_api_key_team_id: "t1",
      },
    });
    for (const { startTime, completionStartTime, endTime } of records as readonly Record<string, number>[]) {
      expect(startTime).toBeGreaterThan(1.7e9);
      expect(completionStartTime).toBeGreaterThanOrEqual(startTime!);
      expect(endTime).toBeGreaterThanOrEqual(completionStartTime!);
    }
    expect(records[2]).toMatchObject({
      model_group: "broken",
      error_str: "api_error (502)",
      error_information: { error_code: "502", error_class: "api_error" },
    });
    for (const { headers, body } of service.requests) {
      expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, "x-kind": "calls" });
      for (const secret of [KEY, MASTER_KEY, TOKEN, PROMPT]) expect(body).not.toContain(secret);
    }
    expect(gateway.log()).not.toContain(TOKEN);
  });
});

it("gets a record of each row of a batch", async () => {
  const gateway = await start();
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", "plain");
  const row = (at: number) => ({
    custom_id: `row-${at}`,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "plain", messages: [{ role: "user", content: PROMPT }] },
  });
  form.append("file", new File([[1, 2, 3].map((at) => JSON.stringify(row(at))).join("\n")], "rows.jsonl"));
  const uploaded = await gateway.call("/v1/files", { body: form, key: KEY });
  const { id } = (await uploaded.json()) as { id: string };
  const body = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
  const created = (await (await gateway.call("/v1/batches", { body, key: KEY })).json()) as { id: string };
  await until(
    async () =>
      (await (await gateway.call(`/v1/batches/${created.id}?wait=30`)).json()) as { status: string },
    ({ status }) => status === "completed",
  );
  const records = await end(gateway);
  const rows = records.filter((record) => record.call_type === "abatch_row");
  expect(rows.map((record) => [record.status, record.metadata.user_api_key_alias])).toEqual(
    [1, 2, 3].map(() => ["success", "blue"]),
  );
});

it("delays no call where the target does not answer, and ends all the same", async () => {
  service.service.status = 0;
  const gateway = await start();
  for (let at = 0; at < 3; at++) expect((await ask(gateway, "plain")).status).toBe(200);
  await end(gateway);
  expect(gateway.log()).toContain("call records are lost");
  expect(gateway.log()).not.toContain(TOKEN);
});

it("sends again what the target did not take", async () => {
  service.service.status = 500;
  const gateway = await start({
    lists: "callbacks: [billing]",
    callbackSettings: `callback_settings: {billing: {callback_type: generic_api, endpoint: "${service.url}", flush_interval: 0.01}}`,
  });
  await ask(gateway, "plain");
  await until(() => service.requests.length > 0);
  service.service.status = 200;
  expect(await end(gateway)).toHaveLength(1);
  expect(gateway.log()).toContain("call records were not taken");
});

it.each([
  ["success_callback: [billing]", "", ["success"]],
  ["failure_callback: [billing]", "", ["failure"]],
  ["callbacks: [billing]", "event_types: [llm_api_failure]", ["failure"]],
  ["success_callback: [billing], failure_callback: [billing]", "", ["success", "failure"]],
])("%s {%s} is told of %j", async (lists, more, expected) => {
  const gateway = await start({
    lists,
    callbackSettings: `
callback_settings:
  billing: {callback_type: generic_api, endpoint: "${service.url}", headers: {X-Token: "Bearer os.environ/LOG_TOKEN"}${more && `, ${more}`}}`,
    environment: { LOG_TOKEN: TOKEN },
  });
  await ask(gateway, "plain");
  await ask(gateway, "broken");
  expect((await end(gateway)).map(({ status }) => status)).toEqual(expected);
  for (const { headers } of service.requests) expect(headers["x-token"]).toBe(`Bearer ${TOKEN}`);
});

describe("its configuration", () => {
  const read = (yaml: string, environment: Record<string, string> = {}) =>
    readConfig("config.yaml", yaml, environment);
  const warnings = (yaml: string, environment: Record<string, string> = {}): string =>
    read(yaml, environment).warnings.map(formatProblem).join("\n");
  const billing = (settings: string) =>
    `litellm_settings: {callbacks: [billing]}\ncallback_settings: {billing: {callback_type: generic_api, ${settings}}}`;

  it("takes LiteLLM's two forms of headers", () => {
    for (const given of ["A=b=c,D=e", '{"A": "b=c", "D": "e"}']) {
      const environment = { GENERIC_LOGGER_ENDPOINT: "https://x.example/l", GENERIC_LOGGER_HEADERS: given };
      const { config } = read("litellm_settings: {success_callback: [generic_api]}", environment);
      expect(config.recordTargets).toMatchObject([
        { headers: { a: "b=c", d: "e" }, ofSuccesses: true, ofFailures: false },
      ]);
    }
  });

  it.each([
    ["litellm_settings: {callbacks: [generic_api]}", "generic_api needs GENERIC_LOGGER_ENDPOINT"],
    [billing("batch_size: 2"), "billing needs endpoint"],
    ["callback_settings: {otel: {message_logging: false}}", "callback_settings.otel"],
    [
      "callback_settings: {b: {callback_type: generic_api, endpoint: 'https://x.example'}}",
      "is not among the callbacks",
    ],
    [billing("endpoint: 'https://x.example', colour: red"), "colour"],
  ])("warns of %s", (yaml, expected) => {
    expect(warnings(yaml)).toContain(expected);
    expect(read(yaml, {}).config.recordTargets).toHaveLength(yaml.includes("colour") ? 1 : 0);
  });

  it.each([
    [billing("endpoint: 'ftp://x.example'"), "expected an http(s) address"],
    [billing("endpoint: 'https://me:secret@x.example'"), "must not carry credentials"],
    [billing("endpoint: 'https://x.example', headers: {Host: y}"), "is no header"],
    [billing("endpoint: 'https://x.example', headers: {X: 'Bearer os.environ/NOPE_1'}"), "NOPE_1"],
    [billing("endpoint: 'https://x.example', event_types: [llm_api_start]"), "llm_api_success"],
    [billing("endpoint: 'https://x.example', log_format: xml"), "ndjson"],
    [billing("endpoint: 'https://x.example', batch_size: 0"), "at least 1"],
  ])("refuses %s", (yaml, expected) => {
    expect(() => read(yaml)).toThrow(expected);
  });

  it("says nothing about what is right", () => {
    expect(warnings(billing("endpoint: 'https://x.example'"))).toBe("");
  });
});

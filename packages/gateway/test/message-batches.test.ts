import Anthropic from "@anthropic-ai/sdk";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

type Batch = Anthropic.Messages.MessageBatch;
type Result = Anthropic.Messages.MessageBatchIndividualResponse;
type Requests = Anthropic.Messages.BatchCreateParams["requests"];

const BLUE_KEY = "sk-blue-0123456789";

let simulator: Simulator;
let gateway: TestGateway;
let blue: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: local, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1", input_cost_per_token: 0.001, output_cost_per_token: 0.002}}
  - {model_name: limited, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1", rpm: 1}}
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
keys:
  - {key: ${BLUE_KEY}, team_id: blue, models: [local, limited, gpt, claude]}
  - {key: sk-red-0123456789, team_id: red}
  - {key: sk-poor-0123456789, max_budget: 0.0000001}
  - {key: sk-narrow-0123456789, models: [local]}
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {allow_private_networks: true}
general_settings: {master_key: "${MASTER_KEY}"}
`,
  });
  blue = clientOf(BLUE_KEY);
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});
beforeEach(() => simulator.reset());

function clientOf(apiKey: string, prefix = "/anthropic"): Anthropic {
  return new Anthropic({ apiKey, baseURL: gateway.url + prefix, maxRetries: 0 });
}

function asking(model: string, ...ids: string[]): Requests {
  return ids.map((custom_id) => ({
    custom_id,
    params: { model, max_tokens: 64, messages: [{ role: "user", content: `say ${custom_id}` }] },
  }));
}

function ended(client: Anthropic, { id }: Batch): Promise<Batch> {
  return until(
    () => client.messages.batches.retrieve(id),
    ({ processing_status }) => processing_status === "ended",
  );
}

async function resultsOf(client: Anthropic, { id }: Batch): Promise<Map<string, Result["result"]>> {
  const results = new Map<string, Result["result"]>();
  for await (const line of await client.messages.batches.results(id))
    results.set(line.custom_id, line.result);
  return results;
}

/** Batches that Anthropic was asked to begin. */
function begunAtAnthropic(): number {
  return simulator
    .received()
    .filter(({ method, path }) => method === "POST" && path === "/anthropic/v1/messages/batches").length;
}

describe("Message batches by the official client", () => {
  it.each([
    ["claude", 1],
    ["gpt", 0],
    ["local", 0],
  ])("run on %s, at Anthropic where it has the model", async (model, begun) => {
    const made = await blue.messages.batches.create({ requests: asking(model, "one", "two") });
    expect(made.type).toBe("message_batch");
    expect(made.request_counts.processing + made.request_counts.succeeded).toBe(2);
    expect(made.id).toMatch(/^msgbatch_/);
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(86_400_000);
    const done = await ended(blue, made);
    expect(done.request_counts).toEqual({ processing: 0, succeeded: 2, errored: 0, canceled: 0, expired: 0 });
    expect(done.results_url).toBe(`${gateway.url}/anthropic/v1/messages/batches/${made.id}/results`);
    const results = await resultsOf(blue, made);
    expect([...results.keys()].sort()).toEqual(["one", "two"]);
    for (const result of results.values())
      expect(result).toMatchObject({ type: "succeeded", message: { type: "message", role: "assistant" } });
    expect(begunAtAnthropic()).toBe(begun);
  });

  it("run with several models at once, also under the other prefix", async () => {
    const client = clientOf(BLUE_KEY, "");
    const requests = [...asking("claude", "first"), ...asking("gpt", "second"), ...asking("local", "third")];
    const made = await client.messages.batches.create({ requests });
    const done = await ended(client, made);
    expect(done.request_counts.succeeded).toBe(3);
    expect(done.results_url).toBe(`${gateway.url}/v1/messages/batches/${made.id}/results`);
    expect((await resultsOf(client, made)).size).toBe(3);
  });

  it("refuse a request with a model that is unknown, or not for the key, alone", async () => {
    const narrow = clientOf("sk-narrow-0123456789");
    const requests = [
      ...asking("local", "good"),
      ...asking("nobody-knows-this", "unknown"),
      ...asking("claude", "forbidden"),
    ];
    const made = await narrow.messages.batches.create({ requests });
    const done = await ended(narrow, made);
    expect(done.request_counts).toMatchObject({ succeeded: 1, errored: 2 });
    const results = await resultsOf(narrow, made);
    expect(results.get("good")).toMatchObject({ type: "succeeded" });
    for (const id of ["unknown", "forbidden"])
      expect(results.get(id)).toMatchObject({
        type: "errored",
        error: { type: "error", error: { type: expect.stringMatching(/_error$/) } },
      });
    const alone = await narrow.messages.batches.create({ requests: asking("claude", "one") });
    expect((await ended(narrow, alone)).request_counts).toMatchObject({ succeeded: 0, errored: 1 });
    expect(begunAtAnthropic()).toBe(0);
  });

  it("ask the budget, and stand in the spend log", async () => {
    const poor = clientOf("sk-poor-0123456789");
    const administrator = clientOf(MASTER_KEY);
    // Two requests at a provider cost more than is left; here each asks on its own, and the first one spends it.
    const tooDear = await poor.messages.batches.create({ requests: asking("claude", "one", "two") });
    await ended(administrator, tooDear);
    expect(begunAtAnthropic()).toBe(0);
    const next = poor.messages.batches.create({ requests: asking("local", "one") });
    await expect(next).rejects.toMatchObject({ status: 402, error: { error: { type: "budget_exceeded" } } });
    const made = await blue.messages.batches.create({ requests: asking("claude", "one") });
    await ended(blue, made);
    const id = made.id.replace("msgbatch_", "batch_");
    const rows = await until(
      async () => {
        const answer = await gateway.call(`/spend/logs?request_id=${id}`);
        return ((await answer.json()) as { data: { spend: number; call_type: string }[] }).data;
      },
      (found) => found.length > 0,
    );
    expect(rows).toMatchObject([{ call_type: "abatch_cost", team_id: "blue" }]);
    expect(rows[0]!.spend).toBeGreaterThan(0);
  });

  it("can be cancelled, and deleted when they have ended", async () => {
    const { batches } = blue.messages;
    const made = await batches.create({ requests: asking("limited", "one", "two", "three") });
    await expect(batches.delete(made.id)).rejects.toMatchObject({ status: 400 });
    await expect(batches.results(made.id)).rejects.toThrow("results_url");
    const canceled = await batches.cancel(made.id);
    expect(canceled.id).toBe(made.id);
    expect(canceled.cancel_initiated_at).not.toBeNull();
    const counts = (await ended(blue, made)).request_counts;
    expect(counts).toMatchObject({ processing: 0, errored: 0, expired: 0 });
    const results = [...(await resultsOf(blue, made)).values()];
    expect(results).toHaveLength(3);
    expect(results.filter(({ type }) => type === "canceled")).toHaveLength(counts.canceled);
    expect(counts.canceled).toBeGreaterThan(0);
    const ids = await filesOfBlue();
    expect(await batches.delete(made.id)).toEqual({ id: made.id, type: "message_batch_deleted" });
    await expect(batches.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
    // The requests and the canceled ones, beside what was answered meanwhile. Other batches may end at the same time.
    const left = new Set(await filesOfBlue());
    expect(ids.filter((id) => !left.has(id))).toHaveLength(counts.succeeded > 0 ? 3 : 2);
  });

  it("are listed by pages, in both directions", async () => {
    const green = await clientOfNewKey();
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"])
      ids.unshift((await green.messages.batches.create({ requests: asking("local", name) })).id);
    const all: string[] = [];
    for await (const { id } of green.messages.batches.list({ limit: 2 })) all.push(id);
    expect(all).toEqual(ids);
    const first = await green.messages.batches.list({ limit: 2 });
    expect(first).toMatchObject({ has_more: true, first_id: ids[0], last_id: ids[1] });
    const before = await green.messages.batches.list({ limit: 2, before_id: ids[4]! });
    expect(before.data.map(({ id }) => id)).toEqual([ids[2], ids[3]]);
    expect(before.has_more).toBe(true);
    const rest = await green.messages.batches.list({ limit: 2, before_id: ids[2]! });
    expect(rest.data.map(({ id }) => id)).toEqual([ids[0], ids[1]]);
    expect(rest.has_more).toBe(false);
    const both = green.messages.batches.list({ after_id: ids[0]!, before_id: ids[2]! });
    await expect(both).rejects.toMatchObject({ status: 400 });
  });

  it("are their team's alone", async () => {
    const made = await blue.messages.batches.create({ requests: asking("local", "one") });
    await ended(blue, made);
    const { batches } = clientOf("sk-red-0123456789").messages;
    for (const call of [
      () => batches.retrieve(made.id),
      () => batches.cancel(made.id),
      () => batches.delete(made.id),
      () => batches.results(made.id),
      () => batches.list({ after_id: made.id }),
      () => batches.retrieve("msgbatch_nobody"),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404 });
    const answer = await gateway.call(`/v1/messages/batches/${made.id}/results`, {
      key: "sk-red-0123456789",
    });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain(made.id);
    expect((await batches.list()).data).toEqual([]);
  });

  it("answer in Anthropic's words what they refuse", async () => {
    const { batches } = blue.messages;
    const [request] = asking("local", "one");
    const refused: [unknown, RegExp][] = [
      [[], /requests/],
      [[{ ...request, custom_id: "with space" }], /requests\.0\.custom_id/],
      [[request, request], /requests\.1\.custom_id/],
      [[{ custom_id: "one", params: "text" }], /requests\.0\.params/],
      [[{ custom_id: "one", params: { ...request!.params, stream: true } }], /stream/],
      [[{ custom_id: "one", params: { ...request!.params, model: 5 } }], /model/],
    ];
    for (const [requests, message] of refused)
      await expect(batches.create({ requests: requests as Requests })).rejects.toMatchObject({
        status: 400,
        error: { type: "error", error: { type: "invalid_request_error", message } },
      });
  });

  it("tell what became of requests whose batch Anthropic refused as a whole", async () => {
    const path = "/anthropic/v1/messages/batches";
    simulator.setFault({ method: "POST", path, fault: "status=400", times: 1 });
    const made = await blue.messages.batches.create({ requests: asking("claude", "one", "two") });
    expect((await ended(blue, made)).request_counts).toMatchObject({ errored: 2, processing: 0 });
    const results = await resultsOf(blue, made);
    expect([...results.keys()]).toEqual(["one", "two"]);
    expect(results.get("one")).toMatchObject({ type: "errored", error: { type: "error" } });
  });
});

async function filesOfBlue(): Promise<string[]> {
  const answer = await gateway.call("/v1/files?limit=10000", { key: BLUE_KEY });
  return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
}

async function clientOfNewKey(): Promise<Anthropic> {
  const answer = await gateway.call("/key/generate", { body: {} });
  return clientOf(((await answer.json()) as { key: string }).key);
}

import { afterEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../src/contract/errors.ts";
import type { Hooks } from "../src/contract/hook.ts";
import type { JsonObject } from "../src/contract/json.ts";
import { costOf } from "../src/core/ledger/price.ts";
import { CallHarness, echo, fail, type HarnessOptions } from "./support/call-harness.ts";

/** What a call holds of its key's budget before it goes out, and what it is billed however it ends. */

let harness: CallHarness;
afterEach(() => harness.close());

const DOLLAR = 1e-6;
const limited = { principal: { limits: { maxBudget: 1 } } };
const messages = [{ role: "user", content: "hello" }];
const body = { model: "m", messages };
const CHAT = "/v1/chat/completions";

const deployment = (name: string, params: JsonObject, info: JsonObject = {}): JsonObject => ({
  model_name: name,
  litellm_params: {
    model: "openai/nobody-lists-it",
    api_key: "k",
    input_cost_per_token: 0,
    output_cost_per_token: DOLLAR,
    ...params,
  },
  model_info: { id: name, max_output_tokens: 50_000, max_input_tokens: 70_000, ...info },
});

function start(params: JsonObject = {}, more: Omit<HarnessOptions, "config"> & { config?: JsonObject } = {}) {
  harness = new CallHarness({
    ...more,
    config: { model_list: [deployment("m", params)], router_settings: { num_retries: 0 }, ...more.config },
  });
}

/** Tokens' worth that the last call held. */
async function held(path: string, request: JsonObject | string): Promise<number> {
  await harness.post(path, request, limited);
  return Math.round(harness.reservations.at(-1)!.request.estimatedCost / DOLLAR);
}

describe("The share that a call holds", () => {
  it.each<[string, JsonObject, number]>([
    ["no limit", {}, 50_000],
    ["a limit", { max_tokens: 10 }, 10],
    ["the smaller limit last", { max_tokens: 9000, max_completion_tokens: 1 }, 9000],
    ["the larger limit last", { max_completion_tokens: 1, max_tokens: 9000 }, 9000],
    ["a limit that is a text", { max_tokens: "9000", max_completion_tokens: 1 }, 50_000],
    ["a limit that is null", { max_tokens: null, max_completion_tokens: 7 }, 7],
    ["a limit that another format has", { max_output_tokens: 1 }, 50_000],
    [
      "a limit that the caller has left out",
      { max_tokens: 1, additional_drop_params: ["max_tokens"] },
      50_000,
    ],
    ["several answers", { max_tokens: 10, n: 3 }, 30],
    ["thinking that is added to the limit", { max_tokens: 10, thinking: { budget_tokens: 4000 } }, 4010],
    ["an effort that is added to the limit", { max_tokens: 10, reasoning_effort: "high" }, 4106],
  ])("is the longest answer with %s", async (_name, fields, tokens) => {
    start();
    expect(await held(CHAT, { ...body, ...fields })).toBe(tokens);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["a deployment that has it", { mock_response: "hi" }, {}],
    ["a request that asks for it", {}, { mock_response: "hi" }],
  ])("is what LiteLLM's figures cost for mock_response, of %s", async (_name, params, fields) => {
    start(params);
    expect(await held(CHAT, { ...body, ...fields, max_tokens: 1 })).toBe(20);
    await harness.close();
    start({ ...params, input_cost_per_token: undefined, output_cost_per_token: undefined });
    expect(await held(CHAT, { ...body, ...fields })).toBe(0);
  });

  it("is that of the deployment's own members", async () => {
    start({ extra_body: { max_tokens: 30_000 } });
    expect(await held(CHAT, { ...body, max_tokens: 1 })).toBe(30_000);
  });

  it("has all input in the dearest kind of tokens", async () => {
    const cacheWrite = { cache_creation_input_token_cost: 5 * DOLLAR };
    start({ input_cost_per_token: DOLLAR, output_cost_per_token: 0, ...cacheWrite });
    const request = { ...body, max_tokens: 1 };
    expect(await held(CHAT, request)).toBe(JSON.stringify(request).length * 5);
  });

  it("has the dearest tier that may serve the call", async () => {
    start({ output_cost_per_token_priority: 3 * DOLLAR, output_cost_per_token_flex: DOLLAR / 2 });
    const limit = { ...body, max_tokens: 10 };
    expect(await held(CHAT, { ...limit, service_tier: "priority" })).toBe(30);
    expect(await held(CHAT, { ...limit, service_tier: "flex" })).toBe(10);
    expect(await held(CHAT, { ...limit, service_tier: "default" })).toBe(10);
    // The account may have it as its own.
    expect(await held(CHAT, limit)).toBe(30);
    expect(await held(CHAT, { ...limit, service_tier: "auto" })).toBe(30);
  });

  it.each<[string, JsonObject, number]>([
    ["a picture", { type: "image_url", image_url: { url: "https://example.com/x.png" } }, 12_000],
    ["a file", { type: "file", file: { file_id: "file-1" } }, 70_000],
    ["sound", { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } }, 70_000],
  ])("has what the request's bytes do not show: %s", async (_name, part, tokens) => {
    start({ input_cost_per_token: DOLLAR, output_cost_per_token: 0 });
    const request = { ...body, max_tokens: 1, messages: [{ role: "user", content: [part] }] };
    expect(await held(CHAT, request)).toBe(JSON.stringify(request).length + tokens);
  });

  it("is that of the dearest fallback", async () => {
    const dear = deployment("dear", { output_cost_per_token: 9 * DOLLAR });
    const free = deployment("unpriced", {
      input_cost_per_token: undefined,
      output_cost_per_token: undefined,
    });
    start(
      {},
      {
        config: {
          model_list: [deployment("m", {}), dear, free],
          router_settings: { num_retries: 0, fallbacks: [{ m: ["unpriced", "dear"] }] },
        },
      },
    );
    expect(await held(CHAT, { ...body, max_tokens: 10 })).toBe(90);
    expect(await held(CHAT, { ...body, max_tokens: 10, fallbacks: ["unpriced"] })).toBe(10);
  });

  it("passes a fallback without a price over", async () => {
    const unpriced = deployment("unpriced", {
      model: "openai/other",
      input_cost_per_token: undefined,
      output_cost_per_token: undefined,
    });
    start(
      {},
      {
        config: {
          model_list: [deployment("m", {}), unpriced],
          router_settings: { num_retries: 0, fallbacks: [{ m: ["unpriced"] }] },
        },
        script: (seen, response) =>
          seen.json.model === "other" ? echo(seen, response) : fail(response, 500),
      },
    );
    Object.assign(harness.deps, { costOf });
    await expect(harness.post(CHAT, body, limited)).rejects.toMatchObject({ status: 500 });
    expect((await harness.post(CHAT, body)).status).toBe(200);
  });

  it("is of what the provider reads, whichever of two equal members that is", async () => {
    start();
    const twice = `{"model":"m","max_tokens":40000,"messages":${JSON.stringify(messages)},"max_tokens":7}`;
    expect(await held(CHAT, twice)).toBe(7);
    expect(harness.seen.at(-1)!.text).not.toContain("40000");
    const escaped = twice.replace('"max_tokens":40000', '"max\\u005ftokens":40000');
    expect(await held(CHAT, escaped)).toBe(7);
    expect(harness.seen.at(-1)!.text).not.toContain("40000");
  });
});

describe("A whole answer that nobody waits for is billed as the provider does", () => {
  const answered = { usage: { input: 10, output: 5 } };
  /** Those of attempts first. */
  const rows = () =>
    harness.settled.map(({ call }) => call).sort((one, other) => other.status.localeCompare(one.status));
  const slowly = (act: () => void): Pick<HarnessOptions, "script"> => ({
    script: (seen, response) => {
      act();
      setTimeout(() => echo(seen, response), 100);
    },
  });

  /**
   * The caller's time is over as soon as the provider has the request, however slow the machine is; what comes first is
   * what the clock would leave to chance.
   */
  const steered = { ...limited, headers: { "x-portico-timeout": "12.345", "x-portico-num-retries": "1" } };
  function letTimePass(): () => void {
    const due: (() => void)[] = [];
    const { setTimeout: real } = globalThis;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => void, wait?: number, ...given: []) => {
      if (wait === 12_345) due.push(act);
      return real(act, wait, ...given);
    }) as typeof setTimeout);
    return () => {
      for (const act of due.splice(0)) act();
    };
  }
  afterEach(() => void vi.restoreAllMocks());

  it("when its caller leaves", async () => {
    const controller = new AbortController();
    start(
      {},
      slowly(() => controller.abort()),
    );
    const { signal } = controller;
    await expect(harness.post(CHAT, body, { ...limited, signal })).rejects.toMatchObject({ status: 499 });
    await expect.poll(() => harness.settled[0]?.call).toMatchObject({ status: "aborted", ...answered });
    expect(harness.settled[0]!.call.cost).toBeGreaterThan(0);
  });

  it("when the caller's own time is over, with every try", async () => {
    start({}, slowly(letTimePass()));
    await expect(harness.post(CHAT, body, steered)).rejects.toMatchObject({ status: 504 });
    await expect.poll(() => harness.settled).toHaveLength(2);
    expect(rows()).toMatchObject([
      { status: "left", ...answered },
      { status: "failure", ...answered },
    ]);
    expect(harness.reservations.map(({ end }) => end)).toEqual(["settled", "settled"]);
  });

  it("in a row of its own, for which that of the next attempt's answer does not wait", async () => {
    const first = Promise.withResolvers<() => void>();
    const passTime = letTimePass();
    start(
      {},
      {
        script: (seen, response) => {
          if (harness.seen.length > 1) return echo(seen, response);
          first.resolve(() => echo(seen, response));
          passTime();
        },
      },
    );
    expect(await harness.post(CHAT, body, steered)).toMatchObject({ status: 200 });
    expect(harness.settled.map(({ call }) => call)).toMatchObject([{ status: "success", ...answered }]);
    expect(harness.reservations.map(({ end }) => end)).toEqual(["open", "settled"]);
    (await first.promise)();
    await expect.poll(() => harness.settled[1]?.call).toMatchObject({ status: "left", ...answered });
    await expect.poll(() => harness.reservations[0]!.end).toBe("settled");
  });

  it("and another attempt only begins where the budget has room for it too", async () => {
    let asked = 0;
    const reserve = (): void => {
      asked += 1;
      if (asked > 1) throw new GatewayError(402, "budget_exceeded", "spent", { retryable: false });
    };
    start({}, { ...slowly(letTimePass()), reserve });
    await expect(harness.post(CHAT, body, steered)).rejects.toMatchObject({ status: 402 });
    await expect.poll(() => harness.settled).toHaveLength(2);
    expect(harness.seen).toHaveLength(1);
    expect(rows()).toMatchObject([
      { status: "left", ...answered },
      { status: "failure", usage: undefined },
    ]);
  });

  it("when a hook refuses beside it", async () => {
    const sent = Promise.withResolvers<void>();
    const hook: Hooks = {
      duringCall: async () => {
        await sent.promise;
        throw Object.assign(new Error("no"), { status: 403 });
      },
    };
    start({}, { hooks: [hook], ...slowly(() => sent.resolve()) });
    await expect(harness.post(CHAT, body, limited)).rejects.toMatchObject({ status: 403 });
    await expect.poll(() => harness.settled[0]?.call).toMatchObject({ status: "failure", ...answered });
  });

  it("as far as it is known when the gateway ends", async () => {
    const controller = new AbortController();
    start({}, { script: () => controller.abort() });
    const { signal } = controller;
    await expect(harness.post(CHAT, body, { ...limited, signal })).rejects.toMatchObject({ status: 499 });
    expect(harness.settled).toEqual([]);
    await harness.deps.leftAttempts.close();
    expect(harness.settled[0]!.call).toMatchObject({ status: "aborted", usage: { output: 0 } });
  });
});

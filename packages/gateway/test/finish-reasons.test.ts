import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import {
  type CallerFormat,
  callerFormats,
  callOf,
  type ScriptedFormat,
  type ScriptedProvider,
  scriptedConfig,
  scriptOf,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { newKey, spendOf } from "./support/spend.ts";
import { until } from "./support/until.ts";

type End = "stop" | "length" | "filtered" | "broken";

/** What each reason of a provider's means; `undefined` is none at all. */
const ends: Readonly<Record<ScriptedFormat, readonly (readonly [reason: string | undefined, end: End])[]>> = {
  chat: [
    ["stop", "stop"],
    ["eos", "stop"],
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "filtered"],
    ["content_filter: RECITATION", "filtered"],
    ["function_call_filter: MALFORMED_FUNCTION_CALL", "broken"],
    ["malformed_function_call", "broken"],
    ["insufficient_system_resource", "broken"],
    ["abort", "broken"],
    ["error", "broken"],
  ],
  messages: [
    ["end_turn", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "filtered"],
  ],
  gemini: [
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "filtered"],
    ["RECITATION", "filtered"],
    ["LANGUAGE", "filtered"],
    ["BLOCKLIST", "filtered"],
    ["PROHIBITED_CONTENT", "filtered"],
    ["SPII", "filtered"],
    ["MODEL_ARMOR", "filtered"],
    ["IMAGE_SAFETY", "filtered"],
    ["IMAGE_PROHIBITED_CONTENT", "filtered"],
    ["IMAGE_RECITATION", "filtered"],
    ["IMAGE_OTHER", "broken"],
    ["NO_IMAGE", "broken"],
    ["OTHER", "broken"],
    ["MALFORMED_FUNCTION_CALL", "broken"],
    ["UNEXPECTED_TOOL_CALL", "broken"],
    ["TOO_MANY_TOOL_CALLS", "broken"],
    ["MISSING_THOUGHT_SIGNATURE", "broken"],
    ["MALFORMED_RESPONSE", "broken"],
    ["A_REASON_OF_TOMORROW", "broken"],
    ["FINISH_REASON_UNSPECIFIED", "broken"],
    [undefined, "broken"],
  ],
  bedrock: [
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["guardrail_intervened", "filtered"],
    ["content_filtered", "filtered"],
    ["malformed_model_output", "broken"],
    ["malformed_tool_use", "broken"],
  ],
};

/** How a caller sees an end, whole and in a stream; a broken answer is none. */
const seen: Readonly<Record<CallerFormat, Readonly<Record<Exclude<End, "broken">, string>>>> = {
  chat: {
    stop: '"finish_reason":"stop"',
    length: '"finish_reason":"length"',
    filtered: '"finish_reason":"content_filter"',
  },
  messages: {
    stop: '"stop_reason":"end_turn"',
    length: '"stop_reason":"max_tokens"',
    filtered: '"stop_reason":"refusal"',
  },
  responses: {
    stop: '"status":"completed","background"',
    length: '"incomplete_details":{"reason":"max_output_tokens"}',
    filtered: '"incomplete_details":{"reason":"content_filter"}',
  },
  gemini: {
    stop: '"finishReason":"STOP"',
    length: '"finishReason":"MAX_TOKENS"',
    filtered: '"finishReason":"SAFETY"',
  },
};

/** What stands in a stream that ended well, and in the last event of one that broke off. */
const normalEnd = /\[DONE\]|message_stop|response\.(?:completed|incomplete)"|"finish(?:_reason|Reason)":"/;
const errorEnd = /^(?:data: \{"error":|event: error\n|event: response\.failed\n)/;

/** What the provider's counts cost. */
const COST = 12 * 0.00001 + 34 * 0.00003;

let provider: ScriptedProvider;
let gateway: TestGateway;

beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startTestGateway({ config: scriptedConfig(provider.url) });
});
afterAll(async () => {
  await gateway?.close();
  provider?.close();
});

/** Pairs of a provider's format and another that its callers speak. */
const pairs = (Object.keys(ends) as ScriptedFormat[]).flatMap((from) =>
  callerFormats.filter((to) => to !== from).map((to) => [from, to] as const),
);

describe.each(pairs)("the end of an answer of a %s provider in %s", (from, to) => {
  it.each(ends[from])("%s is %s", async (reason, end) => {
    const key = await newKey(gateway, { max_budget: 1 });
    for (const stream of [false, true]) {
      provider.script = scriptOf(from, { reason });
      const [path, body] = callOf(to, from, stream);
      const answer = await gateway.call(path, { key, body });
      const text = await answer.text();
      if (end === "broken") {
        expect(answer.status).toBe(stream ? 200 : 502);
        expect(text).not.toMatch(normalEnd);
        if (stream) expect(text.trimEnd().split("\n\n").at(-1)).toMatch(errorEnd);
      } else {
        expect(answer.status).toBe(200);
        expect(text).toContain(seen[to][end]);
      }
      expect(text.includes("hi")).toBe(stream || end !== "broken");
    }
    // The provider bills what it counted, whatever became of it; a stream without its reason was cut before its counts.
    const paid = reason === undefined || reason === "FINISH_REASON_UNSPECIFIED" ? COST : 2 * COST;
    await until(async () => (await spendOf(gateway, key)) >= paid - 1e-9);
    if (paid === 2 * COST) expect(await spendOf(gateway, key)).toBeCloseTo(paid, 9);
  });
});

describe("an answer that its model broke off", () => {
  const broken = scriptOf("gemini", { reason: "MALFORMED_FUNCTION_CALL" });
  const good = scriptOf("gemini", { reason: "STOP" });
  let patient: TestGateway;

  beforeAll(async () => {
    const settings = "num_retries: 1, retry_after: 0, allowed_fails: 1, cooldown_time: 600";
    patient = await startTestGateway({ config: scriptedConfig(provider.url, settings) });
  });
  afterAll(() => patient?.close());

  it("is asked for again, and both answers are paid", async () => {
    const key = await newKey(patient, { max_budget: 1 });
    provider.script = good;
    provider.before.push(broken);
    const [path, body] = callOf("chat", "gemini", false);
    const answer = await patient.call(path, { key, body });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"finish_reason":"stop"');
    await until(async () => (await spendOf(patient, key)) >= 2 * COST - 1e-9);
    expect(await spendOf(patient, key)).toBeCloseTo(2 * COST, 9);
  });

  it("takes no deployment out of service", async () => {
    provider.script = broken;
    const [path, body] = callOf("chat", "gemini", false);
    for (let time = 0; time < 4; time += 1) expect((await patient.call(path, { body })).status).toBe(502);
    provider.script = good;
    expect((await patient.call(path, { body })).status).toBe(200);
  });
});

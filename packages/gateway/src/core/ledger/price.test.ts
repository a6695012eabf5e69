import { calcPrice } from "@pydantic/genai-prices";
import { beforeAll, describe, expect, it } from "vitest";
import type { Deployment, PriceOverride } from "../../contract/deployment.ts";
import { costOf, loadPrices } from "./price.ts";

function deployment(provider: string, prices: PriceOverride = {}, info: object = {}): Deployment {
  return { provider, prices, info } as Deployment;
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

describe("costOf", () => {
  beforeAll(() => void loadPrices());

  it.each([
    ["openai", "gpt-4o", 1000],
    ["anthropic", "claude-sonnet-4-5", 1000],
    ["anthropic", "claude-sonnet-4-5", 200_000],
    ["anthropic", "claude-sonnet-4-5", 200_001],
    ["gemini", "gemini-2.5-pro", 300_000],
  ])("agrees with the price list on %s/%s at %d input tokens", (provider, model, input) => {
    const usage = { input, output: 77, cacheRead: 300, cacheWrite: 0, reasoning: 0 };
    const expected = calcPrice({ input_tokens: input, output_tokens: 77, cache_read_tokens: 300 }, model, {
      providerId: provider,
    });
    expect(expected).not.toBeNull();
    expect(costOf(deployment(provider), model, usage)).toBeCloseTo(expected!.total_price, 12);
  });

  it.each([
    ["openai", "gpt-5.5"],
    ["openai", "o4-mini"],
    ["anthropic", "claude-opus-4-8"],
    ["gemini", "gemini-3-pro-preview"],
    ["gemini", "gemini-embedding-001"],
    ["mistral", "mistral-large-latest"],
    ["xai", "grok-4"],
    ["deepseek", "deepseek-chat"],
    ["fireworks_ai", "accounts/fireworks/models/deepseek-v3p2"],
  ])("knows what %s/%s costs", (provider, model) => {
    expect(costOf(deployment(provider), model, { ...nothing, input: 1000, output: 10 })).toBeGreaterThan(0);
  });

  it("takes what is cached for an hour, and sound, at their own prices", () => {
    const usage = { ...nothing, input: 5000, cacheWrite: 4000, cacheWriteLong: 1000 };
    const listed = calcPrice(
      { input_tokens: 5000, cache_write_tokens: 4000, cache_write_1h_tokens: 1000 },
      "claude-opus-4-6",
      { providerId: "anthropic" },
    );
    expect(costOf(deployment("anthropic"), "claude-opus-4-6", usage)).toBeCloseTo(listed!.total_price, 12);
    const spoken = { ...nothing, input: 900, inputAudio: 800, output: 50, outputAudio: 40 };
    const list = calcPrice(
      { input_tokens: 900, input_audio_tokens: 800, output_tokens: 50, output_audio_tokens: 40 },
      "gpt-realtime",
      { providerId: "openai" },
    );
    expect(costOf(deployment("openai"), "gpt-realtime", spoken)).toBeCloseTo(list!.total_price, 12);
  });

  it("goes by base_model where names are free", () => {
    const usage = { ...nothing, input: 1000, output: 1000 };
    const cost = costOf(deployment("azure"), "gpt-4o", usage);
    expect(costOf(deployment("azure"), "our-deployment", usage)).toBeUndefined();
    expect(costOf(deployment("azure", {}, { base_model: "azure/gpt-4o" }), "our-deployment", usage)).toBe(
      cost,
    );
    expect(costOf(deployment("azure", {}, { base_model: "gpt-4o" }), "our-deployment", usage)).toBe(cost);
  });

  it("takes own prices of long inputs, sound, reasoning and what is cached for an hour", () => {
    const own = deployment("my-own-host", {
      inputPerToken: 1,
      outputPerToken: 10,
      cacheWriteLongPerToken: 3,
      inputPerAudioToken: 5,
      outputPerReasoningToken: 2,
      long: [{ above: 200_000, inputPerToken: 7 }],
    });
    const cost = (usage: object) => costOf(own, "m", { ...nothing, ...usage });
    expect(cost({ input: 10, cacheWrite: 4, cacheWriteLong: 1 })).toBe(6 + 3 + 3);
    expect(cost({ input: 10, inputAudio: 2 })).toBe(8 + 10);
    expect(cost({ output: 10, reasoning: 4 })).toBe(60 + 8);
    expect(cost({ input: 200_000 })).toBe(200_000);
    expect(cost({ input: 200_001 })).toBe(7 * 200_001);
  });

  it("takes batches at half the price, or at their own, and those of many short calls as short", () => {
    const usage = { ...nothing, input: 300_000, output: 100 };
    const batch = { ...usage, serviceTier: "batch" };
    const cost = (of: object, prices: PriceOverride = {}, options = {}) =>
      costOf(deployment("gemini", prices), "gemini-2.5-pro", of as typeof usage, options)!;
    expect(cost(batch)).toBeCloseTo(cost(usage) / 2, 12);
    expect(cost(batch, {}, { longestInput: 1000 })).toBeCloseTo(
      cost(usage, {}, { longestInput: 1000 }) / 2,
      12,
    );
    expect(cost(batch, {}, { longestInput: 1000 })).toBeLessThan(cost(batch));
    const tiers = new Map([["batch", { inputPerToken: 3, outputPerToken: 5 }]]);
    expect(cost(batch, { tiers })).toBe(900_000 + 500);
  });

  it("takes what a cache served at the tier's share of its price, unless it has one of its own", () => {
    const usage = { ...nothing, input: 100, cacheRead: 100, serviceTier: "priority" };
    const own = (prices: object) =>
      costOf(
        deployment("my-own-host", {
          inputPerToken: 2,
          cacheReadPerToken: 1,
          tiers: new Map([["priority", prices]]),
        }),
        "m",
        usage,
      );
    expect(own({ inputPerToken: 6 })).toBe(300);
    expect(own({ inputPerToken: 6, cacheReadPerToken: 4 })).toBe(400);
    expect(own({})).toBe(100);
  });

  it("prefers the deployment's own prices", () => {
    const own = deployment("openai", { inputPerToken: 0.001, outputPerToken: 0.002 });
    const usage = { input: 10, output: 5, cacheRead: 4, cacheWrite: 0, reasoning: 0 };
    expect(costOf(own, "gpt-4o", usage)).toBeCloseTo(0.02, 12);
  });

  it("knows no cost of an unknown model", () => {
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    expect(costOf(deployment("openai"), "no-such-model", usage)).toBeUndefined();
    expect(costOf(deployment("my-own-host"), "llama", usage)).toBeUndefined();
  });
});

import { calcPrice } from "@pydantic/genai-prices";
import { beforeAll, describe, expect, it } from "vitest";
import type { Deployment, PriceOverride } from "../contract/deployment.ts";
import { costOf, loadPrices } from "./price.ts";

function deployment(provider: string, prices: PriceOverride = {}): Deployment {
  return { provider, prices } as Deployment;
}

describe("costOf", () => {
  beforeAll(loadPrices);

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

import { beforeAll, describe, expect, it } from "vitest";
import type { Deployment, Target } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { loadPrices } from "../ledger/price.ts";
import { worstCaseCost } from "./worst-case.ts";

/** A model whose output tokens cost a dollar each, so that the worst case counts them. */
const target = {
  deployment: {
    modelName: "m",
    provider: "openai",
    prices: { inputPerToken: 0, outputPerToken: 1 },
    info: {},
    params: {},
  } as unknown as Deployment,
  model: "m",
} as Target;

const outputTokens = (format: WireFormat, data: JsonObject): number =>
  worstCaseCost({ format, bytes: 100, formsAt: () => [data] }, [target]);

beforeAll(() => void loadPrices());

describe("the worst case of a call", () => {
  it.each<[unknown, number]>([
    [1, 1],
    [20, 20],
    ["20", 20],
    [" 20 ", 20],
    ["2e1", 20],
    [19.5, 20],
    [null, 1],
    [0, 1],
    ["many", 1],
  ])("counts each of the answers that n: %j asks for", (n, answers) => {
    expect(outputTokens("chat", { n, max_tokens: 10 } as JsonObject)).toBe(10 * answers);
  });

  it("counts each of Google's candidates", () => {
    const generationConfig = { candidateCount: 8, maxOutputTokens: 10 };
    expect(outputTokens("gemini", { generationConfig })).toBe(80);
  });

  it.each([
    ["chat", { max_tokens: "10" }],
    ["chat", { max_tokens: 10, max_completion_tokens: "20" }],
    ["chat", {}],
    ["messages", { max_tokens: "10" }],
    ["responses", { max_output_tokens: "10" }],
    ["responses", { max_tokens: 10 }],
    ["gemini", { generationConfig: { maxOutputTokens: "10" } }],
  ] as [WireFormat, JsonObject][])("takes the model's own maximum in %s for %j", (format, data) => {
    expect(outputTokens(format, data)).toBeGreaterThan(1000);
  });
});

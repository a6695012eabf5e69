import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Deployment } from "../contract/deployment.ts";
import { conformance, type Skips } from "./conformance.suite.ts";
import { compatibleHosts } from "./openai-compatible/hosts.ts";
import { findProvider, providerNames } from "./registry.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
});
afterAll(() => simulator.close());

const unsigned = "chat completions carry no signatures";
const uncached = "the provider has no cache marks by the block";

const mistralLike = {
  prefix: "/compat/v1",
  model: "mistral-large",
  skips: {
    "signed reasoning": unsigned,
    cache: uncached,
    "stream usage": "Mistral counts without being asked to, its stand-in does not",
  },
};

/** How each provider's stand-in is reached, and what it cannot show. */
const cases: Readonly<Record<string, { prefix: string; model: string; skips: Skips }>> = {
  openai: {
    prefix: "/openai/v1",
    model: "gpt-4o",
    skips: { reasoning: "OpenAI keeps it hidden", "signed reasoning": unsigned, cache: uncached },
  },
  azure: {
    prefix: "/azure",
    model: "gpt-4o",
    skips: { reasoning: "Azure keeps it hidden", "signed reasoning": unsigned, cache: uncached },
  },
  anthropic: { prefix: "/anthropic", model: "claude-sonnet-4-5", skips: {} },
  mistral: mistralLike,
  codestral: mistralLike,
  gemini: { prefix: "/google", model: "gemini-2.5-flash", skips: { cache: uncached } },
};
const compatible = {
  prefix: "/compat/v1",
  model: "llama-3",
  skips: { "signed reasoning": unsigned, cache: uncached },
};

function deployment(provider: string, apiBase: string, model: string): Deployment {
  return {
    id: provider,
    modelName: model,
    provider,
    model,
    apiBase,
    apiKey: "simulated",
    apiVersion: undefined,
    region: undefined,
    rpm: undefined,
    tpm: undefined,
    maxParallelRequests: undefined,
    weight: undefined,
    order: undefined,
    timeouts: {},
    prices: {},
    params: {},
    info: {},
  };
}

/** Hosts that differ in nothing but address and key are one to the suite; the first stands for all. */
function isTwin(name: string): boolean {
  const traits = traitsOf(name);
  return (
    traits !== undefined && Object.keys(compatibleHosts).find((host) => traitsOf(host) === traits) !== name
  );
}

function traitsOf(name: string): string | undefined {
  const host = compatibleHosts[name];
  if (host === undefined || name in cases) return undefined;
  const { base: _, keyNames: __, baseNames: ___, rootPath: ____, ...traits } = host;
  return JSON.stringify(Object.entries(traits).sort());
}

for (const name of providerNames) {
  const provider = findProvider(name)!;
  if (provider.name !== name || isTwin(name)) continue;
  const { prefix, model, skips } = cases[name] ?? compatible;
  conformance(name, {
    provider,
    model,
    skips,
    open: () => provider.languageModel(deployment(name, simulator.url + prefix, model), model, fetch),
  });
}

it("finds providers by their other names, and none for a name that nobody has", () => {
  expect(findProvider("google")?.name).toBe("gemini");
  expect(findProvider("unheard-of")).toBeUndefined();
});

import { generateKeyPairSync } from "node:crypto";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Deployment } from "../contract/deployment.ts";
import { conformance, type Skips } from "./conformance.suite.ts";
import { compatibleHosts } from "./openai/hosts.ts";
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

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

function vertexParams(simulatorUrl: string): Deployment["params"] {
  const vertex_credentials = {
    type: "service_account",
    project_id: "simulated",
    client_email: "somebody@simulated.iam.gserviceaccount.com",
    private_key: privateKey,
    token_uri: `${simulatorUrl}/vertex/token`,
  };
  return { vertex_location: "europe-west1", vertex_credentials };
}

interface Case {
  readonly prefix: string;
  readonly model: string;
  readonly skips: Skips;
  readonly params?: (simulatorUrl: string) => Deployment["params"];
}

/** How each provider's stand-in is reached, and what it cannot show. */
const cases: Readonly<Record<string, Case>> = {
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
  bedrock: {
    prefix: "/bedrock",
    model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    skips: {},
    params: () => ({
      aws_access_key_id: "AKIASIMULATED",
      aws_secret_access_key: "s",
      aws_region_name: "eu-west-1",
    }),
  },
  vertex_ai: {
    prefix: "/vertex",
    model: "gemini-2.5-flash",
    skips: { cache: uncached },
    params: vertexParams,
  },
  gemini: { prefix: "/google", model: "gemini-2.5-flash", skips: { cache: uncached } },
};
const compatible: Case = {
  prefix: "/compat/v1",
  model: "llama-3",
  skips: { "signed reasoning": unsigned, cache: uncached },
};

function deployment(
  provider: string,
  apiBase: string,
  model: string,
  params: Deployment["params"],
): Deployment {
  return {
    id: provider,
    modelName: model,
    provider,
    model,
    apiBase,
    apiKey: provider === "bedrock" ? undefined : "simulated",
    apiVersion: undefined,
    region: undefined,
    rpm: undefined,
    tpm: undefined,
    maxParallelRequests: undefined,
    weight: undefined,
    order: undefined,
    timeouts: {},
    prices: {},
    params,
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
  run(name, name, cases[name] ?? compatible);
}
run("vertex_ai with Claude", "vertex_ai", {
  prefix: "/vertex",
  model: "claude-sonnet-4-5@20250929",
  skips: {},
  params: vertexParams,
});

function run(title: string, name: string, { prefix, model, skips, params }: Case): void {
  const provider = findProvider(name)!;
  conformance(title, {
    provider,
    model,
    skips,
    open: () => {
      const { url } = simulator;
      const own = params?.(url) ?? {};
      return provider.languageModel(deployment(name, url + prefix, model, own), model, fetch);
    },
  });
}

it("finds providers by their other names, and none for a name that nobody has", () => {
  expect(findProvider("google")?.name).toBe("gemini");
  expect(findProvider("unheard-of")).toBeUndefined();
});

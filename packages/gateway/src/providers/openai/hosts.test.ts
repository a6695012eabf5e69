import { afterEach, describe, expect, it, vi } from "vitest";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { directDeployment } from "../../core/routing/direct-deployment.ts";
import { findProvider } from "../registry.ts";
import { compatibleHosts } from "./hosts.ts";

const chat = { method: "POST", path: upstreamPath`/chat/completions` };

function urlOf(name: string, apiBase?: string): string {
  return findProvider(name)!.address({ ...directDeployment(`${name}/m`, apiBase), apiKey: "k" }, chat).url;
}

afterEach(() => vi.unstubAllEnvs());

describe.each(Object.entries(compatibleHosts))("the host %s", (name, host) => {
  it("has an address of its own, or takes the one that is configured", () => {
    if (host.base !== undefined) expect(urlOf(name)).toBe(`${host.base}/chat/completions`);
    expect(urlOf(name, "https://example.com/own/v9/")).toBe("https://example.com/own/v9/chat/completions");
    vi.stubEnv(host.baseNames[0]!, "https://example.com/from/environment");
    expect(urlOf(name)).toBe("https://example.com/from/environment/chat/completions");
  });

  it("gets the key from its environment variables, and nobody else's", () => {
    const { address } = findProvider(name)!;
    const deployment = directDeployment(`${name}/m`, "https://example.com/v1");
    vi.stubEnv("OPENAI_API_KEY", "sk-of-openai");
    for (const variable of host.keyNames) vi.stubEnv(variable, "");
    if (host.keyless) expect(address(deployment, chat).headers).toEqual({});
    else expect(() => address(deployment, chat)).toThrow(host.keyNames[0]);
    vi.stubEnv(host.keyNames.at(-1)!, "own");
    expect(address(deployment, chat).headers).toEqual({ authorization: "Bearer own" });
  });
});

it("takes addresses without a path, as LiteLLM's configurations have them", () => {
  expect(urlOf("ollama", "http://localhost:11434")).toBe("http://localhost:11434/v1/chat/completions");
  expect(urlOf("ollama_chat", "http://gpu:11434/")).toBe("http://gpu:11434/v1/chat/completions");
  expect(urlOf("azure_ai", "https://x.services.ai.azure.com")).toBe(
    "https://x.services.ai.azure.com/openai/v1/chat/completions",
  );
  expect(urlOf("databricks", "https://x.cloud.databricks.com")).toBe(
    "https://x.cloud.databricks.com/serving-endpoints/chat/completions",
  );
});

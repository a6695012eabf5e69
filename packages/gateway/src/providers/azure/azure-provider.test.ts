import { describe, expect, it } from "vitest";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { azureUrl } from "./azure-provider.ts";

const chat = { method: "POST", path: upstreamPath`/chat/completions`, model: "my gpt" };
const base = "https://x.openai.azure.com";

describe("azureUrl", () => {
  it.each([
    [chat, base, "2024-06-01", "/openai/deployments/my%20gpt/chat/completions?api-version=2024-06-01"],
    [chat, base, undefined, "/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21"],
    [
      chat,
      `${base}/openai/deployments/other`,
      "2024-06-01",
      "/openai/deployments/my%20gpt/chat/completions?api-version=2024-06-01",
    ],
    [chat, base, "v1", "/openai/v1/chat/completions"],
    [chat, base, "preview", "/openai/v1/chat/completions?api-version=preview"],
    [chat, `${base}/openai/v1`, undefined, "/openai/v1/chat/completions"],
    [
      { method: "GET", path: upstreamPath`/files?limit=1` },
      base,
      "2024-06-01",
      "/openai/files?limit=1&api-version=2024-06-01",
    ],
    [{ method: "POST", path: upstreamPath`/containers` }, base, "2024-06-01", "/openai/v1/containers"],
    [
      { method: "POST", path: upstreamPath`/responses` },
      base,
      "2025-04-01-preview",
      "/openai/responses?api-version=2025-04-01-preview",
    ],
  ])("puts %o at %s with version %s", (operation, address, version, expected) => {
    expect(azureUrl(address, operation, version)).toBe(base + expected);
  });
});

import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** What Microsoft Entra, or a machine's identity endpoint, was asked for. */
let asked: { method: string; url: URL; form: URLSearchParams; header: string | undefined }[] = [];
let lifetime = 3600;
let refuses = false;

const entra = createServer((request, response) => {
  void text(request).then((body) => {
    const url = new URL(request.url!, "http://entra");
    const header = request.headers["x-identity-header"];
    asked.push({ method: request.method!, url, form: new URLSearchParams(body), header: header?.toString() });
    if (refuses)
      response.writeHead(401).end('{"error": "invalid_client", "error_description": "the-secret"}');
    else
      response.end(JSON.stringify({ access_token: `token-${asked.length}`, expires_in: String(lifetime) }));
  });
});

let simulator: Simulator;
let gateway: TestGateway;
let entraUrl: string;
let folder: string;

beforeAll(async () => {
  await once(entra.listen(0, "127.0.0.1"), "listening");
  entraUrl = `http://127.0.0.1:${(entra.address() as AddressInfo).port}`;
  simulator = await startSimulator({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), "portico-azure-"));
  writeFileSync(join(folder, "assertion"), "the-assertion\n");
});
beforeEach(() => {
  asked = [];
  lifetime = 3600;
  refuses = false;
  for (const name of ["AZURE_API_KEY", "AZURE_AD_TOKEN", "AZURE_TENANT_ID", "AZURE_CLIENT_ID"])
    vi.stubEnv(name, undefined);
  vi.stubEnv("AZURE_AUTHORITY_HOST", entraUrl);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await gateway.close();
});
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
  entra.closeAllConnections();
  entra.close();
});

async function start(params: string): Promise<OpenAI> {
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: m, litellm_params: {model: azure/gpt-4o, api_base: "${simulator.url}/azure", api_version: "2025-04-01-preview"${params}}}
router_settings: {num_retries: 0, disable_cooldowns: true}
`,
  });
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
}

const messages = [{ role: "user" as const, content: "hello" }];

async function tokenOf(openai: OpenAI): Promise<string | undefined> {
  await openai.chat.completions.create({ model: "m", messages });
  const { headers } = simulator.received().at(-1)!;
  expect(headers).not.toHaveProperty("api-key");
  return headers.authorization;
}

describe("Tokens of Microsoft Entra", () => {
  it("are those of a service principal, asked for once, in every format and for files", async () => {
    const openai = await start(", tenant_id: the-tenant, client_id: principal-1, client_secret: the-secret");
    const before = simulator.received().length;
    await Promise.all([tokenOf(openai), tokenOf(openai)]);
    await openai.responses.create({ model: "m", input: "hello" });
    const { status } = await gateway.call("/v1/messages", { body: { model: "m", max_tokens: 9, messages } });
    expect(status).toBe(200);
    const file = new File(["{}\n"], "in.jsonl");
    const options = { headers: { "custom-llm-provider": "azure" } };
    await openai.files.create({ file, purpose: "user_data" }, options);
    const sent = simulator.received().slice(before);
    expect(sent.length).toBeGreaterThanOrEqual(5);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer token-1"]));
    expect(asked).toHaveLength(1);
    expect(asked[0]!.url.pathname).toBe("/the-tenant/oauth2/v2.0/token");
    expect(Object.fromEntries(asked[0]!.form)).toEqual({
      grant_type: "client_credentials",
      client_id: "principal-1",
      client_secret: "the-secret",
      scope: "https://cognitiveservices.azure.com/.default",
    });
  });

  it("are asked for again when they are about to end", async () => {
    lifetime = 60;
    const openai = await start(", tenant_id: t, client_id: principal-2, client_secret: s");
    expect([await tokenOf(openai), await tokenOf(openai)]).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  it("are those of the environment's workload, and of its managed identity", async () => {
    vi.stubEnv("AZURE_TENANT_ID", "t");
    vi.stubEnv("AZURE_CLIENT_ID", "workload");
    vi.stubEnv("AZURE_FEDERATED_TOKEN_FILE", join(folder, "assertion"));
    const openai = await start("");
    await tokenOf(openai);
    expect(Object.fromEntries(asked.at(-1)!.form)).toMatchObject({ client_assertion: "the-assertion" });

    vi.stubEnv("AZURE_TENANT_ID", undefined);
    vi.stubEnv("IDENTITY_ENDPOINT", `${entraUrl}/msi/token`);
    vi.stubEnv("IDENTITY_HEADER", "the-header");
    await tokenOf(openai);
    const { method, url, header } = asked.at(-1)!;
    expect([method, url.pathname, header]).toEqual(["GET", "/msi/token", "the-header"]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      "api-version": "2019-08-01",
      resource: "https://cognitiveservices.azure.com",
      client_id: "workload",
    });
  });

  it("never come before a key of the deployment's", async () => {
    const openai = await start(", api_key: own, tenant_id: t, client_id: c, client_secret: s");
    await openai.chat.completions.create({ model: "m", messages });
    expect(simulator.received().at(-1)!.headers).toMatchObject({ "api-key": "own" });
    expect(asked).toEqual([]);
  });

  it("that cannot be had are said to be so, without the secret", async () => {
    refuses = true;
    await start(", tenant_id: t, client_id: principal-3, client_secret: the-secret");
    const response = await gateway.call("/v1/chat/completions", { body: { model: "m", messages } });
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.stringContaining("Microsoft Entra gave no token for azure"),
    ]);
    expect(gateway.log()).not.toContain("the-secret");
    expect(gateway.log()).toContain("invalid_client");
  });

  it("are not looked for where nothing says that there is an identity", async () => {
    await start("");
    const response = await gateway.call("/v1/chat/completions", { body: { model: "m", messages } });
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining("azure has no api_key"),
    ]);
  });
});

import { createPublicKey, createVerify, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

/** Google's token address and metadata server. */
let asked: { url: string; form: URLSearchParams; flavor: string | undefined }[] = [];
const google = createServer((request, response) => {
  void text(request).then((body) => {
    const flavor = request.headers["metadata-flavor"] as string | undefined;
    asked.push({ url: request.url ?? "", form: new URLSearchParams(body), flavor });
    response.setHeader("content-type", "application/json");
    if (request.url === "/refuse") {
      response.writeHead(400).end('{"error": "invalid_grant", "error_description": "account not found"}');
    } else response.end(JSON.stringify({ access_token: "vertex-token", expires_in: 3600 }));
  });
});

let simulator: Simulator;
let gateway: TestGateway;
let folder: string;

beforeAll(async () => {
  await once(google.listen(0, "127.0.0.1"), "listening");
  const tokens = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
  process.env.GCE_METADATA_HOST = tokens.slice("http://".length);
  simulator = await startSimulator({ port: 0 });
  folder = mkdtempSync(join(tmpdir(), "portico-vertex-"));
  const account = {
    type: "service_account",
    project_id: "of-the-file",
    private_key_id: "key-1",
    private_key: privateKey,
    client_email: "gateway@of-the-file.iam.gserviceaccount.com",
    token_uri: `${tokens}/token`,
  };
  const file = join(folder, "account.json");
  writeFileSync(file, JSON.stringify(account));
  const user = {
    type: "authorized_user",
    client_id: "c",
    client_secret: "s",
    refresh_token: "r",
    token_uri: `${tokens}/user`,
  };
  const params = `api_base: "${simulator.url}/vertex", vertex_location: europe-west4`;
  const refused = JSON.stringify({ ...account, token_uri: `${tokens}/refuse` });
  gateway = await startTestGateway({
    config: `model_list:
  - model_name: gemini
    litellm_params: {model: vertex_ai/gemini-2.5-pro, ${params}, vertex_credentials: "${file}"}
  - model_name: claude
    litellm_params: {model: vertex_ai/claude-sonnet-4-5@20250929, ${params}, vertex_project: named, vertex_credentials: "${file}"}
  - model_name: text-embedding
    litellm_params: {model: vertex_ai/text-embedding-005, ${params}, vertex_credentials: "${file}"}
  - model_name: gemini-embedding
    litellm_params: {model: vertex_ai/gemini-embedding-001, ${params}, vertex_credentials: "${file}"}
  - model_name: gemini-embedding-2
    litellm_params: {model: vertex_ai/gemini-embedding-2, ${params}, vertex_credentials: "${file}"}
  - model_name: of-a-user
    litellm_params: {model: vertex_ai/gemini-2.5-pro, ${params}, vertex_project: named, vertex_credentials: ${JSON.stringify(JSON.stringify(user))}}
  - model_name: of-the-machine
    litellm_params: {model: vertex_ai/gemini-2.5-pro, ${params}, vertex_project: named}
  - model_name: refused
    litellm_params: {model: vertex_ai/gemini-2.5-pro, ${params}, vertex_credentials: ${JSON.stringify(refused)}}
  - model_name: unreadable
    litellm_params: {model: vertex_ai/gemini-2.5-pro, ${params}, vertex_credentials: "${folder}/nowhere.json"}
router_settings: {num_retries: 0, disable_cooldowns: true}
`,
  });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  delete process.env.GCE_METADATA_HOST;
  await gateway.close();
  await simulator.close();
  google.closeAllConnections();
  google.close();
  rmSync(folder, { recursive: true });
});

async function chat(model: string): Promise<Response> {
  const messages = [{ role: "user", content: "hello" }];
  return gateway.call("/v1/chat/completions", { body: { model, messages } });
}

async function lastRequest(): Promise<{ path: string; body: unknown }> {
  const response = await fetch(`${simulator.url}/_admin/requests`);
  return ((await response.json()) as { requests: { path: string; body: unknown }[] }).requests.at(-1)!;
}

describe("Vertex AI", () => {
  it("answers the official clients with Gemini's models and Claude's, whole and streamed, and knows their price", async () => {
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.masterKey, maxRetries: 0 });
    for (const model of ["gemini", "claude"]) {
      const messages = [{ role: "user" as const, content: "hello" }];
      const completion = await openai.chat.completions.create({ model, messages }).asResponse();
      expect(Number(completion.headers.get("x-portico-response-cost"))).toBeGreaterThan(0);
      expect(await completion.text()).toContain("hello");
      const message = await anthropic.messages.create({ model, max_tokens: 50, messages });
      expect(JSON.stringify(message.content)).toContain("hello");
      const stream = anthropic.messages.stream({ model, max_tokens: 50, messages });
      expect(await stream.finalText()).toContain("hello");
    }
  });

  it("is addressed by project, location and publisher", async () => {
    await chat("gemini");
    expect((await lastRequest()).path).toBe(
      "/vertex/v1beta1/projects/of-the-file/locations/europe-west4/publishers/google/models/gemini-2.5-pro:generateContent",
    );
    await chat("claude");
    expect((await lastRequest()).path).toBe(
      "/vertex/v1/projects/named/locations/europe-west4/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
    );
  });

  it("gets a token for what a service account signed", async () => {
    expect((await chat("refused")).status).toBe(502);
    const [header, claims, signature] = asked[0]!.form.get("assertion")!.split(".") as [
      string,
      string,
      string,
    ];
    expect(asked[0]!.form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const verifier = createVerify("RSA-SHA256").update(`${header}.${claims}`);
    expect(verifier.verify(createPublicKey(publicKey), signature, "base64url")).toBe(true);
    expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
      iss: "gateway@of-the-file.iam.gserviceaccount.com",
      scope: "https://www.googleapis.com/auth/cloud-platform",
    });
  });

  it("asks for a user's token by the refresh token, once for many calls, and for the machine's without credentials", async () => {
    for (let call = 0; call < 3; call += 1) expect((await chat("of-a-user")).status).toBe(200);
    expect(asked).toHaveLength(1);
    expect(Object.fromEntries(asked[0]!.form)).toMatchObject({
      grant_type: "refresh_token",
      refresh_token: "r",
    });
    expect((await chat("of-the-machine")).status).toBe(200);
    expect(asked[1]).toMatchObject({
      url: "/computeMetadata/v1/instance/service-accounts/default/token",
      flavor: "Google",
    });
  });

  it.each([
    ["text-embedding", 768, "predict"],
    ["gemini-embedding", 3072, "predict"],
    ["gemini-embedding-2", 3072, "embedContent"],
  ])(
    "embeds texts with %s, each in its place, and knows their tokens and price",
    async (model, length, operation) => {
      const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
      const { data: one, response } = await openai.embeddings
        .create({ model, input: "alpha" })
        .withResponse();
      expect(one.data[0]!.embedding).toHaveLength(length);
      expect(one.usage.prompt_tokens).toBeGreaterThan(0);
      expect(Number(response.headers.get("x-portico-response-cost"))).toBeGreaterThan(0);
      expect((await lastRequest()).path).toMatch(
        new RegExp(`publishers/google/models/[\\w-]+:${operation}$`),
      );
      const input = Array.from({ length: 300 }, (_, index) => (index === 299 ? "alpha" : `text ${index}`));
      const many = await openai.embeddings.create({ model, input });
      expect(many.data.map(({ index }) => index)).toEqual(input.map((_, index) => index));
      expect(many.data[299]!.embedding).toEqual(one.data[0]!.embedding);
      expect(many.usage.prompt_tokens).toBe(one.usage.prompt_tokens * 300);
    },
  );

  it("embeds with the length, the purpose and the title that the caller asks for, and long texts in several calls", async () => {
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
    const wishes = { dimensions: 256, task_type: "RETRIEVAL_DOCUMENT", title: "Greek", auto_truncate: false };
    const short = { model: "text-embedding", input: "alpha", ...wishes };
    expect((await openai.embeddings.create(short)).data[0]!.embedding).toHaveLength(256);
    expect((await lastRequest()).body).toEqual({
      instances: [{ content: "alpha", task_type: "RETRIEVAL_DOCUMENT", title: "Greek" }],
      parameters: { outputDimensionality: 256, autoTruncate: false },
    });
    const input = Array.from({ length: 20 }, (_, index) => `${index} ${"a word ".repeat(1500)}`);
    const { data, usage } = await openai.embeddings.create({ model: "text-embedding", input });
    expect(data).toHaveLength(20);
    expect(usage.prompt_tokens).toBeGreaterThan(20_000);
    const refused = { model: "text-embedding", input: "alpha", dimensions: 5000 };
    await expect(openai.embeddings.create(refused)).rejects.toMatchObject({ status: 400 });
  });

  it("says what is wrong with the credentials, and never shows them", async () => {
    for (const [model, reason] of [
      ["refused", /no access token/],
      ["unreadable", /cannot be read/],
    ] as const) {
      const response = await chat(model);
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(await response.text()).toMatch(reason);
    }
    const info = await (await gateway.call("/v1/model/info")).text();
    for (const place of [info, gateway.log()])
      expect(place).not.toMatch(/PRIVATE KEY|refresh_token|vertex-token/);
  });
});

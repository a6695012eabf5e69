import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { everyOperation } from "./rules/everything.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { rawRequest } from "./support/raw-request.ts";
import { startRemoteAgent } from "./support/remote-agent.ts";
import { until } from "./support/until.ts";

const messages = [{ role: "user", content: "x" }];

describe("What the configuration says of everybody", () => {
  let gateway: TestGateway;
  let key: string;
  afterEach(() => gateway?.close());

  async function start(general: object, apiBase = "http://127.0.0.1:9"): Promise<void> {
    const model = { model_name: "m", litellm_params: { model: "openai/m", api_key: "k", api_base: apiBase } };
    gateway = await startTestGateway({ config: configOf(general, model) });
    const made = await gateway.call("/user/new", { body: { user_id: "u" } });
    ({ key } = (await made.json()) as { key: string });
  }

  const configOf = (general: object, model: object): string => `model_list: ${JSON.stringify([model])}
general_settings: ${JSON.stringify({ master_key: MASTER_KEY, ...general })}
`;

  async function asked(path: string, by: string, body?: object, method?: string) {
    const answer = await gateway.call(path, {
      key: by,
      ...(body && { body }),
      ...(method && { method }),
    });
    const text = await answer.text();
    return { status: answer.status, text };
  }

  describe("admin_only_routes", () => {
    let operations: Awaited<ReturnType<typeof everyOperation>>;
    beforeAll(async () => {
      operations = await everyOperation();
    });

    it("keep everybody else from every path that needs a key", async () => {
      // What makes the routes of every feature be there.
      const sso = { issuer: "https://id.invalid", client_id: "portico" };
      await start({ admin_only_routes: ["/*"], enable_scim: true, sso });
      const passed: string[] = [];
      for (const { method, forms } of operations.filter(({ access }) => access !== "public"))
        for (const form of forms) {
          const path = form.replaceAll(/\{\w+\}/g, "x");
          const body = method === "POST" ? {} : undefined;
          const { status, text } = await asked(path, key, body, method);
          if (status !== 403 || !text.includes("admin_only_routes"))
            passed.push(`${method} ${form} ${status}`);
        }
      expect(passed).toEqual([]);
      expect((await asked("/v1/models", gateway.masterKey)).status).toBe(200);
    });

    it("mean paths, patterns and groups", async () => {
      await start({ admin_only_routes: ["/v1/models", "/key/*", "spend_tracking_routes"] });
      for (const path of ["/v1/models", "/key/info", "/key/list", "/spend/logs"])
        expect((await asked(path, key)).status, path).toBe(403);
      expect((await asked("/models", key)).status).toBe(200);
      expect((await asked("/user/info", key)).status).toBe(200);
    });
  });

  it("hold every spelling of a path, and what LiteLLM's examples call groups and parameters", async () => {
    await start({
      admin_only_routes: [
        "/key/*",
        "*:countTokens",
        "/v1/files/{file_id:path}/content",
        "/v1/batches/b-1",
        "LiteLLMRoutes.spend_tracking_routes",
        "spend_routes",
      ],
    });
    const refused = [
      ...["/key/info", "/k%65y/info", "/%6Bey/list", "/key/%69nfo?x=1", "/v1/b%61tches/b%2D1"],
      ...["/v1/files/f/content", "/v1/files/f/c%6Fntent", "/spend/logs", "/sp%65nd/logs"],
    ];
    for (const path of refused) expect((await asked(path, key)).text, path).toContain("admin_only_routes");
    for (const colon of [":", "%3A"]) {
      const { text } = await asked(`/v1beta/models/m${colon}countTokens`, key, { contents: [] });
      expect(text, colon).toContain("admin_only_routes");
    }
    for (const path of ["/v1/models", "/v1/models/m", "/us%65r/info"])
      expect((await asked(path, key)).status, path).toBe(200);
    expect(gateway.log()).toContain("admin_only_routes[5]: is NOT ENFORCED here");
    expect(gateway.log()).not.toContain("LiteLLMRoutes");
  });

  it("hold nobody's path behind a fragment, of which the router sees nothing", async () => {
    await start({ admin_only_routes: ["/v1/batches/b-1", "*:countTokens"] });
    const paths = ["/v1/batches/b-1#x", "/v1/batches/b-1?a#x", "/v1beta/models/m:countTokens#x"];
    for (const by of [key, gateway.masterKey])
      for (const path of paths)
        for (const method of ["GET", "POST"]) {
          const { status, body } = await rawRequest(
            gateway.url,
            method,
            path,
            by,
            method === "GET" ? undefined : "{}",
          );
          expect([path, status, body]).toEqual([path, 400, expect.stringContaining("no fragment")]);
        }
  });

  it("hold whoever asks what is open to everybody for more than everybody sees", async () => {
    await start({ admin_only_routes: ["/a2a/*"] });
    const agent = {
      agent_name: "inner",
      agent_card_params: { name: "inner", description: "x" },
      gateway_params: { model: "m" },
    };
    expect((await gateway.call("/v1/agents", { body: agent })).status).toBe(200);
    const made = await gateway.call("/key/generate", { body: { metadata: { agents: ["inner"] } } });
    const { key: seeing } = (await made.json()) as { key: string };
    const cards = ["agent-card.json", "agent.json"].map((name) => `/a2a/inner/.well-known/${name}`);
    for (const card of cards) {
      expect((await asked(card, seeing)).text).toContain("admin_only_routes");
      expect((await asked(card, gateway.masterKey)).status).toBe(200);
    }
    gateway.writeConfig(
      `model_list: []\ngeneral_settings: ${JSON.stringify({ master_key: MASTER_KEY, allowed_ips: ["10.1.2.3"] })}\n`,
    );
    await until(async () => (await asked("/v1/models", gateway.masterKey)).status === 403);
    for (const card of cards) expect((await asked(card, gateway.masterKey)).status).toBe(403);
  });

  it("allowed_routes are the only ones of everybody but administrators", async () => {
    await start({ allowed_routes: ["llm_api_routes"] });
    expect((await asked("/key/info", key)).status).toBe(403);
    expect((await asked("/v1/models", key)).status).toBe(200);
    expect((await asked("/key/list", gateway.masterKey)).status).toBe(200);
    // A key's own hold beside them.
    const made = await gateway.call("/key/generate", { body: { allowed_routes: ["/key/info"] } });
    const own = ((await made.json()) as { key: string }).key;
    expect((await asked("/v1/models", own)).status).toBe(403);
    expect((await asked("/key/info", own)).status).toBe(403);
  });

  it("enforced_params must be in every call, the administrators' too", async () => {
    await start({ enforced_params: ["user", "metadata.project"] });
    const chat = (by: string, more: object) =>
      asked("/v1/chat/completions", by, { model: "m", messages, mock_response: "hi", ...more });
    for (const by of [key, gateway.masterKey]) {
      expect((await chat(by, {})).text).toContain("must have the field user");
      expect((await chat(by, { user: "a" })).text).toContain("must have the field metadata.project");
      expect((await chat(by, { user: "a", metadata: { project: "p" } })).status).toBe(200);
    }
  });

  it("enforced_params stand in a form's fields too, and nobody is asked for them who only reads", async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method}`);
      request.resume().on("end", () => response.end("{}"));
    }).listen(0, "127.0.0.1");
    await new Promise((ready) => server.once("listening", ready));
    await start({ enforced_params: ["user"] }, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const pass = async (method: string, body?: string, type?: string) => {
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      return (
        await rawRequest(gateway.url, method, "/openai/v1/vector_stores", gateway.masterKey, body, headers)
      ).status;
    };
    const line = "application/x-www-form-urlencoded";
    expect(await pass("GET")).toBe(200);
    expect(await pass("POST", "user=a", line)).toBe(200);
    expect(await pass("POST", '{"user":"a"}')).toBe(200);
    expect(seen).toEqual(["GET", "POST", "POST"]);
    for (const [body, type] of [["a=user", line], ["{}"], ['{"user":{}}'], ['{"user":" "}']] as const)
      expect(await pass("POST", body, type)).toBe(400);
    expect(seen).toHaveLength(3);
    server.close();
  });

  it("enforced_params stand in what remote agents are asked, and only in that", async () => {
    const remote = await startRemoteAgent("1.0");
    const general = { master_key: MASTER_KEY, enforced_params: ["metadata.project"] };
    gateway = await startTestGateway({
      config: `gateway_settings: {allow_private_networks: true}\ngeneral_settings: ${JSON.stringify(general)}\n`,
    });
    const agent = {
      agent_name: "far",
      agent_card_params: { name: "far", description: "x" },
      gateway_params: { api_base: remote.url },
    };
    expect((await gateway.call("/v1/agents", { body: agent })).status).toBe(200);
    const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: "message" }] };
    const rpc = async (method: string, params: object) =>
      (await asked("/a2a/far", gateway.masterKey, { jsonrpc: "2.0", id: 1, method, params })).text;
    expect(await rpc("SendMessage", { message })).toContain("metadata.project");
    expect(await rpc("SendStreamingMessage", { message })).toContain("metadata.project");
    expect(remote.seen).toHaveLength(0);
    expect(await rpc("SendMessage", { message, metadata: { project: "p" } })).toContain("remote: ");
    expect(await rpc("ListTasks", {})).toContain('"tasks"');
    await remote.close();
  });

  it("global_max_parallel_requests hold the calls of all keys together", async () => {
    const waiting: ServerResponse[] = [];
    const server = createServer((request, response) => {
      request.resume();
      waiting.push(response);
    }).listen(0, "127.0.0.1");
    await new Promise((ready) => server.once("listening", ready));
    await start(
      { global_max_parallel_requests: 2 },
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    );
    const chat = (by: string) => asked("/v1/chat/completions", by, { model: "m", messages, num_retries: 0 });
    const running = [chat(key), chat(gateway.masterKey)];
    await until(() => waiting.length === 2);
    for (const by of [key, gateway.masterKey]) {
      const { status, text } = await chat(by);
      expect([status, text]).toEqual([429, expect.stringContaining("the gateway")]);
    }
    for (const response of waiting.splice(0)) response.writeHead(400).end("{}");
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([400, 400]);
    const next = chat(key);
    await until(() => waiting.length === 1);
    waiting[0]!.writeHead(400).end("{}");
    expect((await next).status).toBe(400);
    server.close();
    server.closeAllConnections();
  });
});

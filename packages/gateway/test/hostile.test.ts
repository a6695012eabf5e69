import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let simulator: Simulator;
let gateway: TestGateway;
const providerKey = "provider-key-0123456789";

/** A server that nobody must be led to. */
let asked = 0;
const trap = createServer((request, response) => {
  asked += 1;
  if (request.url?.startsWith("/packed")) {
    response.setHeader("content-type", "application/json");
    response.setHeader("content-encoding", "gzip");
  }
  response.end(gzipSync(Buffer.alloc(2 ** 20, " ")));
});
let trapUrl: string;

/** A provider that keeps the bytes which it got. */
const texts: string[] = [];
const recorder = createServer((request, response) => {
  void text(request).then((body) => {
    texts.push(body);
    response.setHeader("content-type", "application/json").end('{"choices": [], "usage": {}}');
  });
});
let recorderUrl: string;

beforeAll(async () => {
  await once(trap.listen(0, "127.0.0.1"), "listening");
  trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  await once(recorder.listen(0, "127.0.0.1"), "listening");
  recorderUrl = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({
    config: `model_list:
  - model_name: gpt
    litellm_params: {model: openai/gpt-4o, api_base: "${simulator.url}/openai/v1", api_key: ${providerKey}}
  - model_name: local
    litellm_params: {model: hosted_vllm/llama-3, api_base: "${simulator.url}/compat/v1", api_key: ${providerKey}}
  - model_name: gemini/*
    litellm_params: {model: gemini/*, api_base: "${simulator.url}/google", api_key: ${providerKey}}
  - model_name: azure/*
    litellm_params: {model: azure/*, api_base: "${simulator.url}/azure", api_key: ${providerKey}}
  - model_name: packed
    litellm_params: {model: openai/packed, api_base: "${trapUrl}/packed", api_key: ${providerKey}}
  - model_name: packed-gemini
    litellm_params: {model: gemini/packed, api_base: "${trapUrl}/packed", api_key: ${providerKey}}
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_base: "${recorderUrl}", api_key: ${providerKey}}
  - model_name: "*"
    litellm_params: {model: "*"}
router_settings: {num_retries: 0, disable_cooldowns: true, routing_strategy: cost-based-routing}
keys: [{key: sk-only-plain-model, models: [gpt-4o]}]
`,
    environment: {},
  });
});
beforeEach(() => {
  asked = 0;
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
  for (const server of [trap, recorder]) {
    server.closeAllConnections();
    server.close();
  }
});

/** What comes back on one connection for these bytes, until the gateway closes it. */
async function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  socket.write(request);
  return await text(socket).catch(() => "");
}

function statuses(answer: string): string[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1]!);
}

async function received(): Promise<{ method: string; path: string }[]> {
  const response = await fetch(`${simulator.url}/_admin/requests`);
  return ((await response.json()) as { requests: { method: string; path: string }[] }).requests;
}

const hello = { messages: [{ role: "user", content: "hi" }] };

describe("Requests that are meant to be read in two ways", () => {
  const smuggled = "GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n";
  const head = "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n";
  it.each([
    [
      "length and chunks",
      `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ["two lengths", `${head}content-length: 0\r\ncontent-length: ${smuggled.length}\r\n\r\n${smuggled}`],
    ["a length with a sign", `${head}content-length: +0\r\n\r\n${smuggled}`],
    [
      "chunks that are not the last encoding",
      `${head}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ["a folded header", `${head}content-length:\r\n 0\r\nx: y\r\n z\r\n\r\n${smuggled}`],
    ["a blank before the colon", `${head}content-length : 0\r\n\r\n${smuggled}`],
    ["a line feed alone", `${head}content-length: 0\nx: y\r\n\r\n${smuggled}`],
    ["no host", `GET /v1/models HTTP/1.1\r\n\r\n${smuggled}`],
  ])("are refused, and what follows is not read: %s", async (_name, request) => {
    expect(statuses(await raw(request))).toEqual(["400"]);
  });

  it("by an unknown encoding are answered once", async () => {
    const answer = await raw(`${head}transfer-encoding: xchunked\r\n\r\n${smuggled}`);
    expect(statuses(answer)).toEqual(["401", "400"]);
  });

  it("to switch the protocol, to tunnel or to trace are not obeyed", async () => {
    const upgrade = "connection: Upgrade, close\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n";
    const key = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    const switchAt = (path: string) => raw(`GET ${path} HTTP/1.1\r\nhost: x\r\n${upgrade}${key}\r\n`);
    expect(statuses(await switchAt("/v1/messages"))).toEqual(["405"]);
    // Responses do switch to WebSockets, for callers with a key.
    expect(statuses(await switchAt("/v1/responses"))).toEqual(["401"]);
    expect(statuses(await raw("CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: x\r\n\r\n"))).not.toContain("200");
    expect(statuses(await raw("TRACE / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"))).toEqual(["405"]);
  });

  it.each([
    ["two hosts", "host: x\r\nHost: y", "400"],
    ["the same host twice", "host: x\r\nhost: x", "400"],
    ["a host with a blank and a path", "host: a b/c", "400"],
    ["a host with a user", "host: u@a", "400"],
    ["a host with two ports", "host: a:1:2", "400"],
    ["a port that is none", "host: a:http", "400"],
    ["a host beyond ASCII", "host: é", "400"],
    ["a name and a port", "host: gateway.example:4000", "200"],
    ["an address of IPv6", "host: [::1]:4000", "200"],
    ["a host that is empty", "host:", "200"],
  ])("name one host, or are refused: %s", async (_name, host, status) => {
    const answer = await raw(`GET /health/liveliness HTTP/1.1\r\n${host}\r\nconnection: close\r\n\r\n`);
    expect(statuses(answer)).toEqual([status]);
  });

  it("with very many headers are refused", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `x-${index}: y\r\n`).join("");
    const answer = await raw(`GET /v1/models HTTP/1.1\r\nhost: x\r\n${many}connection: close\r\n\r\n`);
    expect(statuses(answer)).toEqual(["431"]);
  });
});

describe("Ids and names", () => {
  const path = async (method: string, target: string): Promise<string> =>
    await raw(
      `${method} ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.masterKey}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
    );

  it.each([
    ["GET", "/v1/containers/%2e%2e/files/file-of-somebody/content"],
    ["GET", "/v1/containers/../files/file-of-somebody"],
    ["DELETE", "/v1/containers/.."],
    ["GET", "/v1/containers/%252e%252e%252ffiles"],
    ["GET", "/v1/containers/..%2Ffiles%2Ffile-of-somebody"],
    ["GET", "/v1/files/%2e%2e"],
    ["GET", "/v1/files/..%2F..%2Fadmin"],
    ["GET", "/v1/batches/%2e%2e/%2e%2e/models"],
    ["POST", "/v1/batches/%2e%2e/cancel"],
    ["GET", "/v1/videos/%2e%2e/content"],
    ["GET", "/v1/responses/%2e%2e"],
  ])("lead to no other resource of the provider: %s %s", async (method, target) => {
    const before = (await received()).length;
    const [status] = statuses(await path(method, target));
    expect(Number(status)).toBeGreaterThanOrEqual(400);
    expect(Number(status)).toBeLessThan(500);
    const group = target.split("/")[2]!;
    for (const request of (await received()).slice(before)) expect(request.path).toContain(`/${group}/`);
  });

  it.each([
    "gemini/../files/abc?x=",
    "gemini/x?key=stolen&y=",
    "gemini/a/../../b",
    "gemini/a#b",
    "gemini/a%2f..%2fb",
    "gemini/..",
  ])("of models do not change the address: %s", async (model) => {
    const before = (await received()).length;
    for (const [endpoint, body] of [
      ["/v1/chat/completions", hello],
      ["/v1/embeddings", { input: "a" }],
    ] as const) {
      const response = await gateway.call(endpoint, { body: { model, ...body } });
      expect(response.status).toBe(400);
    }
    expect((await received()).slice(before)).toEqual([]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "__proto__/x", "constructor/x"])(
    "of JavaScript's own are names like others: %s",
    async (model) => {
      const response = await gateway.call("/v1/chat/completions", { body: { model, ...hello } });
      const { error } = (await response.json()) as { error: { message: string } };
      expect(error.message).not.toMatch(/Internal|function|native code/);
      expect([400, 401, 404, 500]).toContain(response.status);
    },
  );

  it("that break lines stay within their header", async () => {
    const response = await gateway.call("/v1/chat/completions", {
      body: { model: "azure/a\r\nset-cookie: x=y", ...hello },
    });
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("x-portico-model-name")).not.toMatch(/[\r\n]/);
  });
});

describe("Bodies", () => {
  it("may hold __proto__ and change nothing but themselves", async () => {
    const evil =
      '{"__proto__": {"stream": true, "polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, ';
    for (const [endpoint, rest, status = 200] of [
      [
        "/v1/chat/completions",
        `"model": "local", "messages": [{"role": "user", "content": "hi", "__proto__": {"x": 1}}]}`,
      ],
      ["/v1/messages", `"model": "gpt", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}`],
      ["/v1/responses", `"model": "gemini/gemini-2.5-flash", "input": "hi"}`],
      // Keys refuse fields that they do not know.
      ["/key/generate", `"metadata": {"__proto__": {"polluted": 1}}}`, 400],
    ] as const) {
      const response = await fetch(gateway.url + endpoint, {
        method: "POST",
        headers: { authorization: `Bearer ${gateway.masterKey}`, "content-type": "application/json" },
        body: evil + rest,
      });
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toContain("application/json");
      await response.text();
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("that name two models reach the provider with the one that was checked", async () => {
    const send = (members: string): Promise<Response> =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: "Bearer sk-only-plain-model", "content-type": "application/json" },
        body: `{${members}, "messages": [{"role": "user", "content": "hi"}]}`,
      });
    for (const other of ['"model": "gpt-other"', '"mo\\u0064el": "gpt-other"']) {
      expect((await send(`${other}, "model": "gpt-4o"`)).status).toBe(200);
      expect(texts.at(-1)).not.toContain("gpt-other");
      expect((await send(`"model": "gpt-4o", ${other}`)).status).toBe(403);
    }
    expect((await send('"model": "gpt-4o", "Model": "gpt-other"')).status).toBe(400);
    expect((await send('"MODEL": "gpt-4o"')).status).toBe(400);
  });

  it("cannot name the provider's address or key", async () => {
    const unheeded = { custom_llm_provider: "anthropic", litellm_params: { api_base: trapUrl } };
    const refused = {
      api_base: trapUrl,
      base_url: trapUrl,
      api_key: "sk-of-the-caller",
      extra_headers: { authorization: "Bearer sk-of-the-caller" },
    };
    for (const model of ["gpt", "gemini/gemini-2.5-flash"]) {
      const status = async (body: object): Promise<number> => {
        const headers = { "x-portico-api-base": trapUrl, "x-litellm-api-base": trapUrl };
        const response = await gateway.call("/v1/chat/completions", {
          body: { model, ...hello, ...body },
          headers,
        });
        await response.text();
        return response.status;
      };
      expect(await status(unheeded)).toBe(200);
      for (const [name, value] of Object.entries(refused)) expect(await status({ [name]: value })).toBe(400);
    }
    expect(asked).toBe(0);
  });

  it("that name a model of a megabyte are refused, and nothing repeats it", async () => {
    const response = await gateway.call("/v1/messages", { body: { model: "m".repeat(1_000_000), ...hello } });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(2000);
    expect(
      gateway
        .log()
        .split("\n")
        .every((line) => line.length < 5000),
    ).toBe(true);
  });
});

describe("Answers of providers", () => {
  it.each([
    ["/v1/chat/completions", "packed"],
    ["/v1/messages", "packed"],
    ["/v1/chat/completions", "packed-gemini"],
  ])("that are compressed are not unpacked: %s with %s", async (endpoint, model) => {
    const response = await gateway.call(endpoint, { body: { model, max_tokens: 5, ...hello } });
    expect(response.status).toBe(502);
    expect(asked).toBe(1);
  });
});

describe("Keys", () => {
  it("in odd places reach neither answers nor the log nor another provider", async () => {
    const secret = "sk-odd-place-0123456789";
    const answers: string[] = [];
    const keep = async (response: Response): Promise<void> => {
      answers.push(await response.text(), JSON.stringify([...response.headers]));
    };
    await keep(await fetch(`${gateway.url}/v1/models?api_key=${secret}`));
    await keep(await fetch(`${gateway.url}/v1/chat/completions/${secret}`));
    await keep(await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Basic ${secret}` } }));
    await keep(await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } }));
    await keep(await fetch(`${gateway.url}/v1/models`, { headers: { "x-api-key": secret, cookie: secret } }));
    await keep(
      await gateway.call("/v1/chat/completions", { body: { model: "gpt", ...hello, api_key: secret } }),
    );
    await keep(await gateway.call(`/key/info?key=${secret}`));
    await keep(await gateway.call("/key/delete", { body: { keys: [secret] } }));
    // The answer may say to callers what they said themselves.
    for (const model of [secret, `openai/${secret}`])
      await (await gateway.call("/v1/chat/completions", { body: { model, ...hello } })).text();
    const everything = answers.join("\n");
    expect(everything).not.toContain(secret.slice(3));
    expect(gateway.log()).not.toContain(secret.slice(3));
    for (const place of [everything, gateway.log()]) {
      expect(place).not.toContain(gateway.masterKey);
      expect(place).not.toContain(providerKey);
    }
  });

  it("of the provider stay out of what is said when it repeats them in an error", async () => {
    const response = await gateway.call("/v1/chat/completions", {
      body: { model: "gpt", ...hello },
      headers: { "x-sim-fault": "401" },
    });
    await response.text();
    expect(gateway.log()).not.toContain(providerKey);
  });
});

import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { rawRequest } from "./support/raw-request.ts";
import { until } from "./support/until.ts";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const seen: Seen[] = [];
/** Answers with what providers say beside the answer; `/sse` streams, `/broken` ends half-way. */
const upstream = createServer(async (request, response) => {
  const { method = "", url: path = "", headers } = request;
  const body = await text(request);
  // The gateway looks by itself after what it has begun.
  const isOwnLook = method === "GET" && /^\/v1\/(?:responses|videos|batches)\//.test(path);
  if (!isOwnLook) seen.push({ method, path, headers, body });
  response.setHeader("set-cookie", "provider=1");
  response.setHeader("x-internal", "10.0.0.1");
  response.setHeader("x-request-id", "req_1");
  if (path.includes("/denied")) {
    response.writeHead(401, { "content-type": "application/json", "www-authenticate": "Bearer" });
    response.end('{"error":{"message":"Incorrect API key provided: sk-providers-own-key-0123456789"}}');
  } else if (path.includes("/moved")) response.writeHead(302, { location: "http://169.254.169.254/" }).end();
  else if (path.includes("/framed-")) {
    // The connection is closed as after a whole answer; only the frame tells what is missing.
    const frame = {
      chunked: 'transfer-encoding: chunked\r\n\r\nf\r\ndata: {"n":1}\n\n\r\n',
      midst: 'transfer-encoding: chunked\r\n\r\nff\r\ndata: {"n":1}\n\n',
      length: 'content-length: 40\r\n\r\ndata: {"n":1}\n\n',
      none: 'connection: close\r\n\r\ndata: {"n":1}\n\n',
    }[path.split("framed-")[1]!];
    response.socket!.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${frame}`);
  } else if (path.includes("/sse") || path.includes("/broken")) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"n":1}\n\n');
    if (path.includes("/broken")) setTimeout(() => response.destroy(), 50);
    else response.end("data: [DONE]\n\n");
  } else {
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"id":"up_1","object":"thing","choices":[],"data":[],"usage":{}}');
  }
});

const keys = {
  plain: "sk-plain-0123456789",
  tuning: "sk-tuning-0123456789",
  all: "sk-all-0123456789",
  narrow: "sk-narrow-0123456789",
  elsewhere: "sk-elsewhere-0123456789",
  budget: "sk-budget-0123456789",
  slow: "sk-slow-0123456789",
} as const;

let gateway: TestGateway;
beforeAll(async () => {
  await new Promise<void>((ready) => upstream.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const everything = "[/openai, /anthropic, /gemini, /priced, /free, /open]";
  const own = "api_key: sk-providers-own-key-0123456789, region_name: us";
  gateway = await startTestGateway({
    environment: { TARGET_KEY: "sk-target-0123456789" },
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${url}/v1", ${own}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}", ${own}}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/v1beta", ${own}}}
router_settings: {num_retries: 0, disable_cooldowns: true}
general_settings:
  master_key: sk-test-master-key-0123456789
  pass_through_endpoints:
    - {path: /priced, target: "${url}/rerank", cost_per_request: 0.4, headers: {Authorization: "bearer os.environ/TARGET_KEY"}}
    - {path: /free, target: "${url}/deep/er?fixed=1", include_subpath: true, auth: true, default_query_params: {more: "2"}, methods: [post, GET]}
    - {path: /open, target: "${url}/open", forward_headers: true, headers: {x-own: os.environ/TARGET_KEY}}
keys:
  - {key: ${keys.plain}}
  - {key: ${keys.tuning}, allowed_passthrough_routes: [/openai/v1/fine_tuning]}
  - {key: ${keys.all}, allowed_passthrough_routes: ${everything}}
  - {key: ${keys.narrow}, models: [nobody-has-it], allowed_passthrough_routes: ${everything}}
  - {key: ${keys.elsewhere}, allowed_model_region: mars, allowed_passthrough_routes: ${everything}}
  - {key: ${keys.budget}, max_budget: 1, allowed_passthrough_routes: ${everything}}
  - {key: ${keys.slow}, rpm_limit: 1, allowed_passthrough_routes: ${everything}}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => void seen.splice(0));

const send = (method: string, path: string, key: string, body?: string, headers = {}) =>
  rawRequest(gateway.url, method, path, key, body, headers);
const asked = () => seen.map(({ method, path }) => `${method} ${path}`);

describe("Operations that the gateway does not offer", () => {
  it.each([
    ["GET", "/openai/v1/fine_tuning/jobs?limit=2", "/v1/fine_tuning/jobs?limit=2", "authorization"],
    ["POST", "/openai/v1/moderations", "/v1/moderations", "authorization"],
    ["GET", "/openai/v1/chat/completions/id", "/v1/chat/completions/id", "authorization"],
    ["DELETE", "/anthropic/v1/skills/skill_1", "/v1/skills/skill_1", "x-api-key"],
    ["GET", "/anthropic/v1/files/file_1", "/v1/files/file_1", "x-api-key"],
    ["PATCH", "/gemini/v1beta/cachedContents/1", "/v1beta/cachedContents/1", "x-goog-api-key"],
    [
      "POST",
      "/gemini/v1beta/models/m:generateAnswer?key=k",
      "/v1beta/models/m:generateAnswer",
      "x-goog-api-key",
    ],
    ["GET", "/openai/v1/ft%5Fx/ft:gpt-4o:org%3A%3Aid", "/v1/ft_x/ft:gpt-4o:org::id", "authorization"],
  ])("%s %s pass to the provider with its own key", async (method, path, wanted, header) => {
    const body = method === "GET" ? undefined : '{"a":1}';
    const { status, headers } = await send(method, path, gateway.masterKey, body);
    expect([status, asked()]).toEqual([200, [`${method} ${wanted}`]]);
    expect(seen[0]!.headers[header]).toContain("sk-providers-own-key-0123456789");
    expect(JSON.stringify(seen[0])).not.toContain(gateway.masterKey);
    expect(seen[0]!.body).toBe(body ?? "");
    expect(headers["x-request-id"]).toBe("req_1");
    expect([headers["set-cookie"], headers["x-internal"]]).toEqual([undefined, undefined]);
  });

  it("do not get what stands for the method, headers or credentials in the query of Google's", async () => {
    const query = "$httpMethod=POST&%24httpheaders=x-goog-api-key:k&$key=k&KEY=k&access_token=k&pageSize=2";
    await send("DELETE", `/gemini/v1beta/models/m:generateContent?${query}`, keys.budget, '{"a":1}');
    expect(asked()).toEqual(["DELETE /v1beta/models/m:generateContent?pageSize=2"]);
  });

  it("are named where somebody asks for them without the provider", async () => {
    const answer = await gateway.call("/v1/images/generations", { body: {} });
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("at /openai/v1/")]);
  });

  it("are for administrators, and for keys that are allowed the route", async () => {
    const jobs = "/openai/v1/fine_tuning/jobs";
    const statusOf = async (key: string, path = jobs) => (await send("GET", path, key)).status;
    expect(await statusOf(keys.plain)).toBe(403);
    expect(await statusOf(keys.tuning)).toBe(200);
    expect(await statusOf(keys.tuning, "/openai/v1/fine_tuning")).toBe(200);
    expect(await statusOf(keys.tuning, "/openai/v1/fine_tuningother")).toBe(403);
    expect(await statusOf(keys.tuning, "/openai/v1/assistants")).toBe(403);
    expect(await statusOf(keys.all, "/openai/v1/assistants")).toBe(200);
    expect(asked()).toHaveLength(3);
  });

  it("do not pass for keys of other models or another region", async () => {
    for (const key of [keys.narrow, keys.elsewhere])
      for (const path of ["/openai/v1/assistants", "/anthropic/v1/skills", "/gemini/v1beta/cachedContents"])
        expect((await send("GET", path, key)).status).toBe(403);
    expect(asked()).toEqual([]);
  });

  it("have no price, so that keys under a budget may only read and delete", async () => {
    expect((await send("POST", "/openai/v1/images/generations", keys.budget, "{}")).status).toBe(402);
    expect(asked()).toEqual([]);
    expect((await send("GET", "/openai/v1/assistants", keys.budget)).status).toBe(200);
  });

  it("count in the limits of the key, and have rows in the spend log", async () => {
    expect((await send("GET", "/openai/v1/assistants", keys.slow)).status).toBe(200);
    expect((await send("GET", "/openai/v1/assistants", keys.slow)).status).toBe(429);
    const rows = async () => (await gateway.call("/spend/logs?limit=100")).text();
    await until(async () => (await rows()).includes("pass_through_endpoint"));
  });

  it("are answered with the provider's errors, without what they give away", async () => {
    const denied = await send("POST", "/openai/v1/denied", gateway.masterKey, "{}");
    expect(denied.body).not.toContain("sk-providers-own");
    expect(denied.headers["www-authenticate"]).toBeUndefined();
    const moved = await send("GET", "/openai/v1/moved", gateway.masterKey);
    expect([moved.status, moved.headers.location]).toEqual([502, undefined]);
    expect(asked()).toHaveLength(2);
  });
});

describe("Operations that the gateway offers", () => {
  /** Spellings that some server could take for the same path. */
  const spelled = (path: string): string[] => {
    const [, prefix, version, ...rest] = path.split("/");
    const last = rest.at(-1)!;
    const at = `/${prefix}/${version}`;
    const joined = rest.join("/");
    return [
      path,
      `${path}/`,
      `${path}//`,
      `/${prefix}//${version}/${joined}`,
      `${at}//${joined}`,
      `//${prefix}/${version}/${joined}`,
      `${at}/./${joined}`,
      `${at}/x/../${joined}`,
      `${at}/x/%2e%2e/${joined}`,
      `${at}/x/%252e%252e/${joined}`,
      `${at}/x/..%2f${joined}`,
      `${at}/x%5c..%5c${joined}`,
      `${at}/${rest.join("%2f")}`,
      `${at}/${rest.join("%5c")}`,
      `${at}/${joined.toUpperCase()}`,
      `${at}/${joined.replace(last, last[0]!.toUpperCase() + last.slice(1))}`,
      `${at}/${joined.replace(last, `%${last.charCodeAt(0).toString(16)}${last.slice(1)}`)}`,
      `${at}/${joined};a=1`,
      `${at}/${joined}%3Ba=1`,
      `${at}/${joined}%3Fa=1`,
      `${at}/${joined}%23a`,
      `${at}/${joined}%20`,
      `${at}/${joined}%00`,
      `${at}/${joined}.`,
      `${at}/${joined}/.`,
      `${at}/${joined}/%2e`,
      `${at}/${version}/${joined}`,
      `/${prefix}/${joined}`,
      `/${prefix}/v2/../${version}/${joined}`,
      `/${prefix}/${version!.toUpperCase()}/${joined}`,
      `/%${prefix!.charCodeAt(0).toString(16)}${prefix!.slice(1)}/${version}/${joined}`,
      `${at}/${joined.replace(last[0]!, String.fromCodePoint(0xff00 + last.charCodeAt(0) - 0x20))}`,
      `http://elsewhere.invalid${path}`,
      `http://elsewhere.invalid${at}/x/../${joined}`,
      `http://elsewhere.invalid${at}/x/..${path}`,
    ];
  };
  const body = JSON.stringify({
    model: "gpt",
    messages: [{ role: "user", content: "a" }],
    input: "a",
    max_tokens: 5,
  });

  it.each([
    "/openai/v1/chat/completions",
    "/openai/v1/responses",
    "/openai/v1/embeddings",
    "/openai/v1/batches",
    "/openai/v1/videos",
    "/openai/v1/files",
    "/openai/v1/containers",
    "/openai/v1/conversations",
    "/anthropic/v1/messages",
    "/anthropic/v1/messages/count_tokens",
    "/anthropic/v1/messages/batches",
    "/gemini/v1beta/models/gpt:generateContent",
  ])("never pass through: %s", async (path) => {
    const wrong: string[] = [];
    for (const spelling of spelled(path)) {
      // Administrators may pass anything, so that no grant stands in the way.
      const address = encodeURI(spelling).replaceAll("%25", "%");
      // No operation of the gateway's own sends this header on.
      const { status } = await send("POST", address, gateway.masterKey, body, { range: "bytes=0-1" });
      if (seen.some(({ headers }) => headers.range !== undefined))
        wrong.push(`${spelling}: ${status} ${asked()}`);
      seen.splice(0);
    }
    expect(wrong).toEqual([]);
  });

  it("never pass through in another maker's dialect, which providers take too", async () => {
    const answer = await fetch(`${gateway.url}/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, Record<string, object>> };
    const own = /^\/v1\/(?:a2a|agents|model|webhook_secret)(?:\/|$)/;
    const passed: string[] = [];
    let asked = 0;
    for (const [path, operations] of Object.entries(paths)) {
      if (!path.startsWith("/v1/") || own.test(path)) continue;
      for (const method of Object.keys(operations).filter((each) => /^(?:get|post|delete)$/.test(each)))
        for (const prefix of ["openai", "anthropic"]) {
          // Anthropic's files are another resource.
          if (prefix === "anthropic" && path.startsWith("/v1/files")) continue;
          const address = `/${prefix}${path.replaceAll(/\{\w+\}/g, "x")}`;
          const headers = { range: "bytes=0-1" };
          await send(
            method.toUpperCase(),
            address,
            gateway.masterKey,
            method === "post" ? body : undefined,
            headers,
          );
          asked++;
          if (seen.some((one) => one.headers.range !== undefined)) passed.push(`${method} ${address}`);
          seen.splice(0);
        }
    }
    expect(asked).toBeGreaterThan(60);
    expect(passed).toEqual([]);
  });

  it("have a form below /openai/v1, where they are the gateway's own with every rule", async () => {
    const answer = await fetch(`${gateway.url}/openapi.json`);
    const { paths } = (await answer.json()) as { paths: Record<string, object> };
    const groups =
      /^\/v1\/(?!a2a|agents|model\/|webhook_secret|messages|projects|publishers|models\/\{model\}:)/;
    const openai = Object.keys(paths).filter((path) => groups.test(path));
    const forms = [
      ...Object.keys(paths),
      ...Object.keys(paths).map((path) => path.replace("{provider}", "openai")),
    ];
    expect(openai.filter((path) => !forms.includes(`/openai${path}`))).toEqual([]);
  });
});

it("sends on the header by which the tests above tell what passed through", async () => {
  await send("POST", "/openai/v1/moderations", gateway.masterKey, "{}", { range: "bytes=0-1" });
  expect(seen[0]!.headers.range).toBe("bytes=0-1");
});

describe("A customer whom a body names", () => {
  const parts = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${"x".repeat(600_000)}\r\n` +
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;
  const bodies = {
    JSON: ["application/json", '{"user":"bad"}'],
    "JSON's metadata": ["application/json", '{"metadata":{"user_id":"bad"}}'],
    "a form's field": ["multipart/form-data; boundary=b", parts("user", "bad")],
    "a form's member": ["Multipart/Form-Data; boundary=b", parts("metadata[user_id]", "bad")],
    "a form in a line": ["application/x-www-form-urlencoded", "a=b&user=b%61d"],
    "a member there": ["application/x-www-form-urlencoded; charset=utf-8", "metadata%5Buser_id%5D=bad"],
  } as const;

  it.each(Object.entries(bodies))(
    "counts by %s, and is refused when it is blocked",
    async (_name, [type, body]) => {
      await gateway.call("/customer/new", { body: { user_id: "bad" } });
      const post = () => send("POST", "/openai/v1/images/edits", keys.all, body, { "content-type": type });
      await gateway.call("/customer/block", { body: { user_ids: ["bad"] } });
      expect([(await post()).status, asked()]).toEqual([403, []]);
      await gateway.call("/customer/unblock", { body: { user_ids: ["bad"] } });
      expect([(await post()).status, seen.map((one) => one.body)]).toEqual([200, [body]]);
    },
  );
});

describe("Streams", () => {
  it("pass as they come", async () => {
    const { headers, body } = await send("POST", "/openai/v1/sse", gateway.masterKey, "{}");
    expect([headers["content-type"], body]).toEqual([
      "text/event-stream",
      'data: {"n":1}\n\ndata: [DONE]\n\n',
    ]);
  });

  it("that break are cut off, and never end as if they were complete", async () => {
    const call = gateway.call("/openai/v1/broken", { body: {} });
    await expect(call.then((answer) => answer.text())).rejects.toThrow();
  });
});

describe("Streams whose provider closes the connection in good order, too early", () => {
  it.each(["chunked", "midst", "length"])("are cut off where their frame tells: %s", async (frame) => {
    const call = gateway.call(`/openai/v1/framed-${frame}`, { body: {} });
    await expect(call.then((answer) => answer.text())).rejects.toThrow();
  });

  it("end where the frame tells nothing, as the closed connection is the end", async () => {
    const answer = await gateway.call("/openai/v1/framed-none", { body: {} });
    expect(await answer.text()).toBe('data: {"n":1}\n\n');
  });
});

describe("What goes along", () => {
  it("is what the provider's API reads", async () => {
    const headers = {
      cookie: "session=1",
      "idempotency-key": "one",
      "openai-organization": "org-other",
      "openai-project": "other",
      "openai-beta": "assistants=v2",
      "x-forwarded-for": "1.2.3.4",
      "x-http-method-override": "DELETE",
      "x-api-key": gateway.masterKey,
      connection: "keep-alive, x-hop",
      "x-hop": "1",
    };
    await send("POST", "/openai/v1/assistants", gateway.masterKey, "{}", headers);
    const { host: _, ...got } = seen[0]!.headers;
    expect(got).toEqual({
      authorization: "Bearer sk-providers-own-key-0123456789",
      "content-type": "application/json",
      "content-length": "2",
      "openai-beta": "assistants=v2",
      connection: "keep-alive",
    });
  });

  it("is no WebSocket", async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /openai/v1/realtime?model=gpt HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.masterKey}\r\n` +
        "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const [first] = await new Promise<[Buffer]>((resolve) =>
      socket.once("data", (...got) => resolve(got as [Buffer])),
    );
    socket.destroy();
    expect(first.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked()).toEqual([]);
  });

  it("is no compressed body, and no JSON that two readers could take for different ones", async () => {
    const packed = await send("POST", "/openai/v1/x", gateway.masterKey, "{}", {
      "content-encoding": "gzip",
    });
    expect(packed.status).toBe(415);
    await send("POST", "/openai/v1/x", gateway.masterKey, '{"model":"a","model":"b"}');
    expect(seen.map(({ body }) => body)).toEqual(['{"model":"b"}']);
  });
});

describe("Endpoints of the configuration", () => {
  it("send requests to their target with its own headers", async () => {
    const { status } = await send("POST", "/priced", keys.all, '{"q":1}', { "x-mine": "1", cookie: "a=b" });
    expect([status, asked()]).toEqual([200, ["POST /rerank"]]);
    const { headers } = seen[0]!;
    expect([headers.authorization, headers["x-mine"], headers.cookie]).toEqual([
      "bearer sk-target-0123456789",
      undefined,
      undefined,
    ]);
  });

  it("take the paths below them where they are to, the query, and some methods", async () => {
    await send("POST", "/free/a/b:c?x=1", keys.all, "{}");
    await send("GET", "/free", keys.all);
    expect(asked()).toEqual(["POST /deep/er/a/b:c?fixed=1&x=1&more=2", "GET /deep/er?fixed=1&more=2"]);
    expect((await send("PUT", "/free", keys.all, "{}")).status).toBe(405);
    expect((await send("POST", "/priced/below", keys.all, "{}")).status).toBe(404);
    for (const path of [
      "/free/../x",
      "/free/%2e%2e/x",
      "/free/..%2fx",
      "/free//x",
      "/free/a%5cb",
      "/free/@evil//",
    ])
      expect([path, (await send("GET", path, keys.all)).status]).toEqual([
        path,
        expect.toSatisfy((status) => [400, 404].includes(status)),
      ]);
    expect(asked()).toHaveLength(2);
  });

  it("forward headers where they are to, but no key, no cookie and nothing of the connection", async () => {
    await send("POST", "/open", keys.all, "{}", {
      "x-mine": "1",
      "x-own": "callers",
      cookie: "a=b",
      "api-key": keys.all,
      "ocp-apim-subscription-key": keys.all,
      "x-litellm-api-key": keys.all,
      "x-goog-api-key": keys.all,
      "x-forwarded-host": "evil",
      "x-http-method-override": "DELETE",
      connection: "close, x-hop",
      "x-hop": "1",
    });
    expect(seen[0]!.headers).toMatchObject({ "x-mine": "1", "x-own": "sk-target-0123456789" });
    expect(JSON.stringify(seen[0])).not.toMatch(/sk-all|a=b|evil|x-hop|override/);
  });

  it("are for those alone who may pass, whatever `auth` says", async () => {
    for (const path of ["/priced", "/free", "/open"]) {
      expect((await send("POST", path, keys.plain, "{}")).status).toBe(403);
      expect((await send("POST", path, "sk-nobody-0123456789", "{}")).status).toBe(401);
    }
    expect(asked()).toEqual([]);
  });

  it("cost what they say: the budget takes what fits, and not more", async () => {
    expect((await send("GET", "/free", keys.budget)).status).toBe(402);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send("POST", "/priced", keys.budget, "{}")),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 402, 402, 402, 402]);
    expect(asked()).toEqual(["POST /rerank", "POST /rerank"]);
  });
});

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** What the host of the pictures answers, by path. */
const pages: Record<string, (response: ServerResponse) => void> = {
  "/picture": (response) => response.setHeader("content-type", "image/png; x=y").end(picture),
  "/unlabelled": (response) => response.end(picture),
  "/document": (response) => response.setHeader("content-type", "application/pdf").end("%PDF-1.4 hello"),
  "/page": (response) => response.setHeader("content-type", "text/html").end("<html>"),
  "/missing": (response) => response.writeHead(404).end(),
  "/broken": (response) => response.writeHead(500).end(),
  "/moved": (response) => response.writeHead(302, { location: "/picture" }).end(),
  "/circle": (response) => response.writeHead(302, { location: "/circle" }).end(),
  "/packed": (response) =>
    response.writeHead(200, { "content-type": "image/png", "content-encoding": "gzip" }).end(picture),
  "/large": (response) => {
    response.setHeader("content-type", "image/png");
    response.end(Buffer.alloc(3 * 2 ** 20));
  },
};
let asked: string[] = [];
const host = createServer((request, response) => {
  asked.push(request.url ?? "");
  (pages[request.url ?? ""] ?? pages["/missing"]!)(response);
});

let simulator: Simulator;
let open: TestGateway;
let closed: TestGateway;
let base: string;

beforeAll(async () => {
  await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  simulator = await startSimulator({ port: 0 });
  const models = `model_list:
  - model_name: gemini
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${simulator.url}/google", api_key: simulated}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${simulator.url}/anthropic", api_key: simulated}
  - model_name: gpt
    litellm_params: {model: openai/gpt-4o, api_base: "${simulator.url}/openai/v1", api_key: simulated}
  - model_name: ollama
    litellm_params: {model: ollama/llava, api_base: "${simulator.url}/compat/v1", api_key: simulated}
router_settings: {num_retries: 2, allowed_fails: 0}
general_settings: {master_key: sk-test-master-key-0123456789, max_request_size_mb: 4}
`;
  open = await startTestGateway({ config: `${models}gateway_settings: {allow_private_networks: true}\n` });
  closed = await startTestGateway({ config: models });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await Promise.all([open.close(), closed.close(), simulator.close()]);
  host.closeAllConnections();
  host.close();
});

function chat(model: string, ...parts: object[]) {
  return { model, max_tokens: 50, messages: [{ role: "user", content: parts }] };
}

const pictureAt = (url: string) => ({ type: "image_url", image_url: { url } });
const pictureBlock = (url: string) => ({ type: "image", source: { type: "url", url } });

async function lastRequest(): Promise<string> {
  const response = await fetch(`${simulator.url}/_admin/requests`);
  const { requests } = (await response.json()) as { requests: { body: unknown }[] };
  return JSON.stringify(requests.at(-1)?.body);
}

async function errorOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { message: string } }).error.message;
}

describe("pictures and files that a request names by address", () => {
  it("are sent along to providers that do not fetch them", async () => {
    const parts = [pictureAt(`${base}/picture`), pictureAt(`${base}/unlabelled`), pictureAt(`${base}/moved`)];
    const response = await open.call("/v1/chat/completions", { body: chat("gemini", ...parts) });
    expect(response.status).toBe(200);
    const sent = await lastRequest();
    expect(sent.split(picture.toString("base64"))).toHaveLength(4);
    expect(sent).toContain('"mimeType":"image/png"');
    expect(sent).not.toContain(base);
  });

  it("are sent along in messages, with documents and in the results of tools", async () => {
    const content = [
      pictureBlock(`${base}/picture`),
      { type: "document", source: { type: "url", url: `${base}/document` } },
    ];
    const texts = [
      { type: "text", text: "first" },
      { type: "text", text: "second" },
    ];
    const tools = [{ name: "look", input_schema: { type: "object" } }];
    const messages = [
      { role: "user", content: "look" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "look", input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: [...texts, ...content] }],
      },
      { role: "assistant", content: "and now?" },
      { role: "user", content },
    ];
    const body = { model: "gemini", max_tokens: 50, messages, tools };
    const response = await open.call("/v1/messages", { body });
    expect(response.status).toBe(200);
    const sent = await lastRequest();
    expect(sent.split('"functionResponse"')).toHaveLength(2);
    expect(sent.split(picture.toString("base64"))).toHaveLength(3);
    expect(sent.split(Buffer.from("%PDF-1.4 hello").toString("base64"))).toHaveLength(3);
    // Each address is asked once for the whole request.
    expect(asked.sort()).toEqual(["/document", "/picture"]);
  });

  it("are left to providers that fetch them", async () => {
    const url = "https://pictures.example.com/a.png";
    expect((await closed.call("/v1/chat/completions", { body: chat("claude", pictureAt(url)) })).status).toBe(
      200,
    );
    expect(await lastRequest()).toContain(url);
    expect((await closed.call("/v1/messages", { body: chat("gpt", pictureBlock(url)) })).status).toBe(200);
    expect(await lastRequest()).toContain(url);
    const video = "https://www.youtube.com/watch?v=abc_123";
    const file = { type: "document", source: { type: "url", url: video } };
    expect((await closed.call("/v1/messages", { body: chat("gemini", file) })).status).toBe(200);
    expect(await lastRequest()).toContain(`"fileUri":"${video}"`);
  });

  it("are sent along to hosts on the user's own machine", async () => {
    for (const [path, part] of [
      ["/v1/messages", pictureBlock(`${base}/picture`)],
      ["/v1/chat/completions", pictureAt(`${base}/picture`)],
    ] as const) {
      expect((await open.call(path, { body: chat("ollama", part) })).status).toBe(200);
      const sent = await lastRequest();
      expect(sent).toContain(`data:image/png;base64,${picture.toString("base64")}`);
      expect(sent).not.toContain(base);
    }
  });

  it.each([
    ["/page", /is not a picture but text\/html/],
    ["/missing", /status 404/],
    ["/broken", /status 500/],
    ["/circle", /redirects too often/],
    ["/packed", /compressed/],
  ])(
    "are refused with 400 where %s is no picture, and the deployment is not blamed",
    async (path, reason) => {
      const body = chat("gemini", pictureAt(base + path));
      const response = await open.call("/v1/chat/completions", { body });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatch(reason);
      const retries = response.headers.get("x-portico-attempted-retries");
      expect(retries ?? "0").toBe("0");
      const after = await open.call("/v1/chat/completions", {
        body: chat("gemini", { type: "text", text: "hi" }),
      });
      expect(after.status).toBe(200);
    },
  );

  it("are refused where nobody answers", async () => {
    const body = chat("gemini", pictureAt("http://127.0.0.1:9/picture"));
    const response = await open.call("/v1/chat/completions", { body });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toContain("could not be downloaded");
  });

  it("may not be larger together than a request", async () => {
    const one = await open.call("/v1/chat/completions", { body: chat("gemini", pictureAt(`${base}/large`)) });
    expect(one.status).toBe(200);
    const parts = [pictureAt(`${base}/large`), pictureAt(`${base}/large?again`)];
    pages["/large?again"] = pages["/large"]!;
    const two = await open.call("/v1/chat/completions", { body: chat("gemini", ...parts) });
    expect(two.status).toBe(413);
    expect(await errorOf(two)).toContain("4 MiB");
  });

  it("count as often as a request names them", async () => {
    asked = [];
    const parts = Array.from({ length: 2000 }, () => pictureAt(`${base}/large`));
    const many = await open.call("/v1/chat/completions", { body: chat("gemini", ...parts) });
    expect([many.status, await errorOf(many)]).toEqual([413, expect.stringContaining("4 MiB")]);
    expect(asked).toEqual(["/large"]);
  });

  it.each([
    "http://127.0.0.1:PORT/picture",
    "http://localhost:PORT/picture",
    "http://[::1]:PORT/picture",
    "http://[::ffff:127.0.0.1]:PORT/picture",
    "http://2130706433:PORT/picture",
    "http://0x7f.1:PORT/picture",
    "http://169.254.169.254/latest/meta-data/",
    "http://user:pass@127.0.0.1:PORT/picture",
  ])("may not lead into private networks: %s", async (address) => {
    const url = address.replace("PORT", new URL(base).port);
    for (const [path, part] of [
      ["/v1/chat/completions", pictureAt(url)],
      ["/v1/messages", pictureBlock(url)],
    ] as const) {
      const response = await closed.call(path, { body: chat("gemini", part) });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatch(/not public|credentials/);
    }
    expect(asked).toEqual([]);
  });
});

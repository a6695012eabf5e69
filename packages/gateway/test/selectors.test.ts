import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountUpstream, startAccountUpstream } from "./support/account-upstream.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { rawRequest } from "./support/raw-request.ts";

type Place = "path" | "header" | "query" | "body";

/** The specification's orders, written down from its sections Batches, Containers and Videos. */
const orders: readonly (readonly [method: string, path: string, order: readonly Place[]])[] = [
  ["POST", "/v1/batches", ["path", "body"]],
  ["GET", "/v1/batches/batch_1", ["path", "header", "query"]],
  ["GET", "/v1/batches", ["path", "header", "query"]],
  ["POST", "/v1/batches/batch_1/cancel", ["path", "body"]],
  ["POST", "/v1/containers", ["header", "query", "body"]],
  ["GET", "/v1/containers", ["header", "query"]],
  ["GET", "/v1/containers/cntr_1", ["header", "query"]],
  ["DELETE", "/v1/containers/cntr_1", ["header", "query"]],
  ["GET", "/v1/videos", ["header", "query", "body"]],
  ["GET", "/v1/videos/video_1", ["header", "query", "body"]],
  ["GET", "/v1/videos/video_1/content", ["header", "query", "body"]],
  ["POST", "/v1/videos/video_1/remix", ["header", "query", "body"]],
];

/** What a place says: one of two providers, or nothing in one of the ways to say it. */
const sayings = ["openai", "azure", "", null, undefined] as const;
type Saying = (typeof sayings)[number];

const bodies: Readonly<Record<string, object>> = {
  "/v1/batches": { input_file_id: "file-1", endpoint: "/v1/chat/completions", completion_window: "24h" },
  "/v1/containers": { name: "box" },
  "/v1/videos/video_1/remix": { prompt: "again" },
};

/** Every way to fill the places with these sayings. */
function* combinations(): Generator<Readonly<Record<Place, Saying>>> {
  for (const path of ["openai", "azure", undefined] as const)
    for (const header of ["openai", "azure", "", undefined] as const)
      for (const query of ["openai", "azure", "", undefined] as const)
        for (const body of sayings) yield { path, header, query, body };
}

describe("Selectors in every combination", () => {
  let openai: AccountUpstream;
  let azure: AccountUpstream;
  const gateways = new Map<boolean, TestGateway>();
  const before = { ...process.env };

  beforeAll(async () => {
    [openai, azure] = await Promise.all([startAccountUpstream(), startAccountUpstream()]);
    for (const balanced of [false, true])
      gateways.set(
        balanced,
        await startTestGateway({
          config: `
model_list:
  - {model_name: gpt, gateway_params: {model: openai/gpt-4o, api_base: "${openai.url}/router/v1", api_key: sk-router}, model_info: {id: dep-1}}
gateway_settings: {enable_loadbalancing_on_batch_endpoints: ${balanced}}
environment_variables:
  OPENAI_API_KEY: sk-openai
  OPENAI_API_BASE: "${openai.url}/v1"
  AZURE_API_KEY: azure-key
  AZURE_API_BASE: "${azure.url}"
`,
        }),
      );
  });
  afterAll(async () => {
    for (const gateway of gateways.values()) await gateway.close();
    await openai.close();
    await azure.close();
    process.env = before;
  });

  /** Who was asked: the router's deployment, or a provider called directly. */
  function asked(): string[] {
    // The gateway itself looks after batches that were made.
    const isCallers = ({ path }: { path: string }): boolean => !/_up\d/.test(path);
    const names = [
      ...openai.seen
        .filter(isCallers)
        .map(({ authorization }) => (authorization === "Bearer sk-router" ? "router" : "openai")),
      ...azure.seen.filter(isCallers).map(() => "azure"),
    ];
    return [...new Set(names)];
  }

  async function ask(
    gateway: TestGateway,
    method: string,
    path: string,
    said: Readonly<Record<Place, Saying>>,
  ): Promise<void> {
    openai.forget();
    azure.forget();
    const takesBody = said.body !== undefined || method === "POST";
    const body = { ...bodies[path], ...(said.body === undefined ? {} : { custom_llm_provider: said.body }) };
    const query = said.query === undefined ? "" : `?custom_llm_provider=${said.query}`;
    const headers: Record<string, string> =
      said.header === undefined ? {} : { "custom-llm-provider": said.header! };
    const address = (said.path === undefined ? "" : `/${said.path}`) + path + query;
    const text = takesBody ? JSON.stringify(body) : undefined;
    const length = text === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
    await rawRequest(gateway.url, method, address, gateway.masterKey, text, { ...headers, ...length });
  }

  it.each(orders)("%s %s follows its order", async (method, path, order) => {
    const wrong: string[] = [];
    for (const balanced of [false, true]) {
      for (const said of combinations()) {
        if (said.path !== undefined && !path.startsWith("/v1/batches")) continue;
        // Where two places say nothing by the specification, one of their values is enough.
        const isIdle = path === "/v1/batches" && method === "POST" && said.header !== said.query;
        if (isIdle || (balanced && !path.startsWith("/v1/batches"))) continue;
        // Retrieve rule 1: with load balancing the router handles the call.
        const isRouters = balanced && method === "GET" && path === "/v1/batches/batch_1";
        const named = order.map((place) => said[place]).find((name) => Boolean(name));
        const expected = isRouters ? "router" : (named ?? "openai");
        await ask(gateways.get(balanced)!, method, path, said);
        const who = asked();
        if (who.length !== 1 || who[0] !== expected)
          wrong.push(`${JSON.stringify(said)} balanced ${balanced}: ${who}, not ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(["dep-1", "gpt"])("a unified id of %s is the router's, whatever is said", async (name) => {
    const id = Buffer.from(`litellm_proxy;model_id:${name};llm_batch_id:batch_7`).toString("base64url");
    for (const balanced of [false, true])
      for (const said of combinations()) {
        await ask(gateways.get(balanced)!, "GET", `/v1/batches/${id}`, said);
        expect([said, asked()]).toEqual([said, ["router"]]);
      }
  });
});

describe("A hook that sets every selector to null", () => {
  const folder = mkdtempSync(join(tmpdir(), "portico-null-selectors-"));
  let upstream: AccountUpstream;
  let gateway: TestGateway;
  const before = { ...process.env };
  beforeAll(async () => {
    upstream = await startAccountUpstream();
    const nulls = "custom_llm_provider: null, target_model_names: null, 'target_model_names[]': null";
    writeFileSync(
      join(folder, "hook.mjs"),
      `export const preCall = ({ data }) => ({ ...data, ${nulls}, ...("purpose" in data ? { model: null } : {}) });`,
    );
    gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${upstream.url}/router/v1", api_key: sk-router}}
litellm_settings: {callbacks: ["${join(folder, "hook.mjs")}"]}
environment_variables: {OPENAI_API_KEY: sk-openai, OPENAI_API_BASE: "${upstream.url}/v1"}
`,
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await upstream?.close();
    process.env = before;
    rmSync(folder, { recursive: true, force: true });
  });

  const formOf = (fields: Readonly<Record<string, string>>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const fileOf = (fields: Readonly<Record<string, string>>): FormData => {
    const form = formOf({ purpose: "user_data", ...fields });
    form.set("file", new Blob(["text"]), "text.txt");
    return form;
  };
  const video = { prompt: "a cat", model: "sora-2", seconds: "4" };
  const operations: readonly (readonly [string, string, string, object | undefined])[] = [
    ...orders.map(
      ([method, path]) =>
        [`${method} ${path}`, method, path, method === "POST" ? (bodies[path] ?? {}) : undefined] as const,
    ),
    ["an upload", "POST", "/v1/files", fileOf({})],
    ["an upload for a provider", "POST", "/v1/files", fileOf({ custom_llm_provider: "anthropic" })],
    ["an upload for a model", "POST", "/v1/files", fileOf({ model: "gpt" })],
    ["an upload for models", "POST", "/v1/files", fileOf({ target_model_names: "gpt" })],
    ["an upload for models in a list", "POST", "/v1/files", fileOf({ "target_model_names[]": "gpt" })],
    ["a video's form", "POST", "/v1/videos", formOf({ ...video, custom_llm_provider: "azure" })],
    ["a video's body", "POST", "/v1/videos", { ...video, custom_llm_provider: "azure" }],
  ];

  it.each(operations)("says nothing at %s", async (_, method, path, body) => {
    upstream.forget();
    const answer = await gateway.call(path, { method, ...(body === undefined ? {} : { body }) });
    expect([answer.status, await answer.text()]).not.toEqual([400, expect.anything()]);
    const keys = upstream.seen.map(({ authorization }) => authorization);
    expect([...new Set(keys)]).toEqual(["Bearer sk-openai"]);
  });
});

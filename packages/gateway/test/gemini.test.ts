import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everyProvider, everyProviderConfig } from "./support/every-provider.ts";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";

const models = Object.values(everyProvider);
const NARROW = "sk-narrow-0123456789";
const LIMITED = "sk-limited-0123456789";

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const { url } = simulator;
  gateway = await startTestGateway({
    config: `${everyProviderConfig(url).replace(
      "router_settings",
      `  - model_name: gemini-3
    litellm_params: {model: gemini/gemini-3-pro-preview, api_base: "${url}/google", api_key: simulated}
  - model_name: team/gpt:latest
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: tuned
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", api_key: simulated, max_tokens: 3, temperature: 0.5}
  - model_name: embed
    litellm_params: {model: openai/text-embedding-3-small, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: google-embed
    litellm_params: {model: gemini/gemini-embedding-001, api_base: "${url}/google", api_key: simulated}
router_settings`,
    )}
general_settings: {master_key: sk-test-master-key-0123456789, max_request_size_mb: 1}
keys:
  - {key: ${NARROW}, models: [claude]}
  - {key: ${LIMITED}, rpm_limit: 1}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});
beforeEach(() => simulator.reset());

type Json = Record<string, unknown>;
interface Part extends Json {
  readonly text?: string;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: Json };
  readonly thoughtSignature?: string;
}
interface Answer {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly Part[] }; readonly finishReason?: string },
  ];
  readonly usageMetadata: { readonly totalTokenCount: number; readonly thoughtsTokenCount?: number };
  readonly modelVersion: string;
  readonly responseId: string;
  readonly error?: { readonly code: number; readonly status: string; readonly message: string };
}

const say = (text: string): Json => ({ contents: [{ role: "user", parts: [{ text }] }] });
const schema = { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] };
const tools = [{ functionDeclarations: [{ name: "weather", description: "w", parameters: schema }] }];

function post(model: string, verb: string, body: unknown, init: CallInit = {}): Promise<Response> {
  return gateway.call(`/v1beta/models/${model}:${verb}`, { body, ...init });
}

async function generate(model: string, body: unknown): Promise<Answer> {
  const response = await post(model, "generateContent", body);
  const answer = (await response.json()) as Answer;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

async function refusal(response: Promise<Response>): Promise<{ status: number; error: Json }> {
  const answer = await response;
  return { status: answer.status, error: ((await answer.json()) as { error: Json }).error };
}

/** The last request that a provider got. */
function sent(): { path: string; body: Json; query: Json; headers: Json } {
  return simulator.received().at(-1) as never;
}

const textOf = ({ candidates: [{ content }] }: Answer): string =>
  content.parts.map((part) => (part.thought === true ? "" : (part.text ?? ""))).join("");

describe.each(models)("Google's format on %s", (model) => {
  it("answers", async () => {
    const answer = await generate(model, say("hello"));
    expect(textOf(answer)).toBe("echo: hello");
    expect(answer.candidates[0].finishReason).toBe("STOP");
    expect(answer.usageMetadata.totalTokenCount).toBeGreaterThan(0);
    expect(answer.modelVersion).not.toBe("");
    expect(answer.responseId).not.toBe("");
  });

  it("streams events, and one array without alt=sse", async () => {
    const events = await post(model, "streamGenerateContent?alt=sse", say("hello there"));
    expect(events.headers.get("content-type")).toContain("text/event-stream");
    const chunks = (await events.text())
      .split(/\r?\n\r?\n/)
      .filter((event) => event.trim() !== "")
      .map((event) => JSON.parse(event.replace(/^data: /, "")) as Answer);
    expect(chunks.map(textOf).join("")).toBe("echo: hello there");
    expect(chunks.at(-1)?.candidates[0].finishReason).toBe("STOP");
    expect(chunks.at(-1)?.usageMetadata.totalTokenCount).toBeGreaterThan(0);
    const array = await post(model, "streamGenerateContent", say("hello there"));
    expect(array.headers.get("content-type")).toContain("application/json");
    const elements = (await array.json()) as Answer[];
    expect(elements.map(textOf).join("")).toBe("echo: hello there");
  });

  it("calls functions and takes their responses, with ids and without", async () => {
    const question = { role: "user", parts: [{ text: "weather?" }] };
    const first = await generate(model, { contents: [question], tools });
    const [{ content, finishReason }] = first.candidates;
    expect(finishReason).toBe("STOP");
    const call = content.parts.find((part) => part.functionCall !== undefined)!.functionCall!;
    expect(call).toMatchObject({ name: "weather", args: { city: expect.any(String) } });
    for (const id of [{ id: call.id }, {}]) {
      const parts = content.parts.map((part) =>
        part.functionCall === undefined
          ? part
          : { ...part, functionCall: { ...id, name: call.name, args: call.args } },
      );
      const response = { functionResponse: { ...id, name: "weather", response: { output: "sunny" } } };
      const last = await generate(model, {
        contents: [question, { role: "model", parts }, { role: "user", parts: [response] }],
        tools,
      });
      expect(textOf(last)).toContain("sunny");
    }
  });

  it("calls two functions in one turn and pairs their responses", async () => {
    const both = [{ functionDeclarations: [{ name: "a" }, { name: "b" }] }];
    const question = { role: "user", parts: [{ text: "both [[sim:parallel]]" }] };
    const first = await generate(model, { contents: [question], tools: both });
    const calls = first.candidates[0].content.parts.filter((part) => part.functionCall !== undefined);
    expect(calls.map((part) => part.functionCall!.name)).toEqual(["a", "b"]);
    const responses = calls.map(({ functionCall }) => ({
      functionResponse: { id: functionCall!.id, name: functionCall!.name, response: { result: "x" } },
    }));
    await generate(model, {
      contents: [question, first.candidates[0].content, { role: "user", parts: responses }],
      tools: both,
    });
  });

  it("gives structured output by either schema", async () => {
    for (const given of [
      { responseSchema: schema },
      {
        responseJsonSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    ]) {
      const generationConfig = { responseMimeType: "application/json", ...given };
      const answer = await generate(model, { ...say("a city"), generationConfig });
      expect(JSON.parse(textOf(answer))).toHaveProperty("city");
    }
  });

  it("takes every field in snake case, numbers as texts and one element for a list", async () => {
    const answer = await generate(model, {
      system_instruction: { parts: { text: "be kind" } },
      contents: { parts: { text: "a city" } },
      generation_config: {
        max_output_tokens: "100",
        stop_sequences: ["zzz"],
        response_mime_type: "application/json",
        response_schema: { type: "OBJECT", properties: { city: { type: "STRING", max_length: "9" } } },
      },
      safety_settings: [],
    });
    expect(JSON.parse(textOf(answer))).toHaveProperty("city");
  });

  it("counts tokens", async () => {
    const counted = await post(model, "countTokens", say("hello there"));
    expect(await counted.json()).toMatchObject({ totalTokens: expect.any(Number) });
    const whole = { generateContentRequest: { model: `models/${model}`, ...say("hello there"), tools } };
    const more = (await (await post(model, "countTokens", whole)).json()) as { totalTokens: number };
    expect(more.totalTokens).toBeGreaterThan(5);
  });

  it("tells errors in Google's shape, before and in a stream", async () => {
    const fault = (text: string) => refusal(post(model, "generateContent", say(text)));
    expect(await fault("[[sim:fault status=429;retry-after=3]]")).toMatchObject({
      status: 429,
      error: { code: 429, status: "RESOURCE_EXHAUSTED", details: expect.any(Array) },
    });
    expect(await fault("[[sim:fault status=500]]")).toMatchObject({ error: { status: "INTERNAL" } });
    const cut = "[[sim:tokens 200]] [[sim:fault cut=3000]]";
    const events = await (await post(model, "streamGenerateContent?alt=sse", say(cut))).text();
    const last = events
      .trimEnd()
      .split(/\r?\n\r?\n/)
      .at(-1)!;
    expect(JSON.parse(last.replace("data: ", ""))).toMatchObject({
      error: { code: 502, status: "INTERNAL" },
    });
    expect(events).not.toContain("finishReason");
    const array = (await (await post(model, "streamGenerateContent", say(cut))).json()) as Answer[];
    expect(array.at(-1)).toMatchObject({ error: { code: 502 } });
  });

  it("says what it cost, and writes one row for it", async () => {
    const response = await post(model, "generateContent", say("hello"));
    expect(response.headers.get("x-portico-response-cost-status")).toMatch(/final|unpriced/);
    const callId = response.headers.get("x-portico-call-id");
    const rows = async () =>
      ((await (await gateway.call(`/spend/logs?request_id=${callId}`)).json()) as { data: Json[] }).data;
    await expect.poll(rows).toMatchObject([{ call_type: "agenerate_content", status: "success" }]);
  });
});

describe("Thoughts", () => {
  it("keep the signatures of Claude and Gemini, streamed and whole", async () => {
    for (const model of ["claude", "bedrock-claude", "gemini-2.5-flash", "gemini-3", "vertex-gemini"]) {
      const question = { role: "user", parts: [{ text: "weather? [[sim:think]]" }] };
      const generationConfig = { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } };
      const request = { contents: [question], tools, generationConfig };
      const whole = await generate(model, request);
      const streamed = (await (await post(model, "streamGenerateContent", request)).json()) as Answer[];
      // As the SDKs keep a stream: a content for each chunk.
      const histories = [
        [whole.candidates[0].content],
        streamed.map(({ candidates: [candidate] }) => candidate.content),
      ];
      for (const history of histories) {
        const parts = history.flatMap((content) => content.parts);
        expect(parts.some((part) => part.thought === true && part.text !== "")).toBe(true);
        expect(parts.some((part) => part.thoughtSignature !== undefined)).toBe(true);
        const response = { functionResponse: { name: "weather", response: { output: "sunny" } } };
        const last = await generate(model, {
          ...request,
          contents: [
            question,
            ...history.map((content) => ({ role: "model", ...content })),
            { role: "user", parts: [response] },
          ],
        });
        expect(textOf(last)).toContain("sunny");
        if (!model.includes("claude")) continue;
        const body = JSON.stringify(sent().body);
        expect(body).toMatch(/"thinking":"The user says|"reasoningText":\{"text":"The user says/);
      }
    }
  });

  it("survive a change of model: a call that Claude or GPT made goes on at Gemini 3", async () => {
    for (const model of ["claude", "gpt-4o"]) {
      const question = { role: "user", parts: [{ text: "weather?" }] };
      const generationConfig = { thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 } };
      const first = await generate(model, { contents: [question], tools, generationConfig });
      const response = { functionResponse: { name: "weather", response: { output: "sunny" } } };
      const contents = [question, first.candidates[0].content, { role: "user", parts: [response] }];
      expect(textOf(await generate("gemini-3", { contents, tools }))).toContain("sunny");
      expect(JSON.stringify(sent().body)).not.toContain("cG9ydGljbz");
    }
  });
});

describe("A model of Google's", () => {
  it.each(["gemini-2.5-flash", "vertex-gemini"])("%s gets the caller's own bytes", async (model) => {
    const body = { ...say("hello"), aFieldOfTomorrow: { some_thing: 1 } };
    expect(textOf(await generate(model, body))).toBe("echo: hello");
    expect(sent().body).toEqual(body);
    expect(sent().path).toMatch(/models\/gemini-2\.5-flash:generateContent$/);
    await (await post(model, "streamGenerateContent", body)).text();
    expect(sent().body).toEqual(body);
    expect(sent().query).toEqual({ alt: "sse" });
  });

  it("gets a deployment's defaults where the request is silent", async () => {
    const generationConfig = { temperature: 0.1 };
    await generate("tuned", { ...say("hello there you"), generationConfig });
    expect(sent().body.generationConfig).toEqual({ temperature: 0.1, maxOutputTokens: 3 });
  });

  it("gets none of the gateway's fields and no key of the caller's", async () => {
    const body = { ...say("hello"), num_retries: 0, tags: ["a"], metadata: { tags: ["b"] }, timeout: 9 };
    const address = `/v1beta/models/gemini-2.5-flash:generateContent?key=${gateway.masterKey}`;
    const response = await fetch(gateway.url + address, { method: "POST", body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    expect(sent().body).toEqual(say("hello"));
    expect(JSON.stringify(sent())).not.toContain(gateway.masterKey);
  });

  it("keeps Google's own details of an error", async () => {
    const { error } = await refusal(
      post("gemini-2.5-flash", "generateContent", say("[[sim:fault status=429;retry-after=7]]")),
    );
    expect(error.details).toContainEqual({
      "@type": "type.googleapis.com/google.rpc.RetryInfo",
      retryDelay: "7s",
    });
  });
});

describe("Keys", () => {
  const body = JSON.stringify(say("hello"));
  const at = (query: string, headers: Record<string, string>) =>
    fetch(`${gateway.url}/v1beta/models/claude:generateContent${query}`, { method: "POST", body, headers });

  it("come in Google's header, as a bearer token, or in the address", async () => {
    const { masterKey } = gateway;
    expect((await at("", { "x-goog-api-key": masterKey })).status).toBe(200);
    expect((await at("", { authorization: `Bearer ${masterKey}` })).status).toBe(200);
    expect((await at(`?key=${masterKey}`, {})).status).toBe(200);
    expect(gateway.log()).not.toContain(masterKey);
  });

  it("in the address are taken at Google's paths only", async () => {
    const elsewhere = await fetch(`${gateway.url}/v1/chat/completions?key=${gateway.masterKey}`, {
      method: "POST",
      body: "{}",
    });
    expect(elsewhere.status).toBe(401);
  });

  it("that are missing, wrong, narrow or spent are refused in Google's shape", async () => {
    expect(await refusal(at("", {}))).toMatchObject({ status: 401, error: { status: "UNAUTHENTICATED" } });
    const wrong = await refusal(at("?key=sk-wrong-0123456789", {}));
    expect(wrong).toMatchObject({
      status: 401,
      error: { code: 401, details: [{ reason: "API_KEY_INVALID" }] },
    });
    const narrow = refusal(post("gpt-4o", "generateContent", say("hello"), { key: NARROW }));
    expect(await narrow).toMatchObject({ status: 403, error: { status: "PERMISSION_DENIED" } });
    await (await post("claude", "generateContent", say("hello"), { key: LIMITED })).text();
    const spent = await refusal(post("claude", "generateContent", say("hello"), { key: LIMITED }));
    expect(spent).toMatchObject({ status: 429, error: { status: "RESOURCE_EXHAUSTED" } });
    expect(spent.error.details).toContainEqual({
      "@type": "type.googleapis.com/google.rpc.RetryInfo",
      retryDelay: expect.stringMatching(/^\d+s$/),
    });
  });
});

describe("Paths", () => {
  it.each([
    "/v1/models/claude",
    "/v1alpha/models/claude",
    "/gemini/v1beta/models/claude",
    "/gemini/v1/models/claude",
    "/v1beta1/projects/p/locations/us-central1/publishers/google/models/claude",
    "/v1beta1/publishers/google/models/claude",
    "/v1beta/models/team/gpt:latest",
    "/v1beta/models/team%2Fgpt%3Alatest",
  ])("%s", async (path) => {
    const answer = await gateway.call(`${path}:generateContent`, { body: say("hello") });
    expect(textOf((await answer.json()) as Answer)).toBe("echo: hello");
  });

  it("that there are not, models that there are not and too much are refused in Google's shape", async () => {
    const cases: [Promise<Response>, number, string][] = [
      [post("nothing-here", "generateContent", say("x")), 404, "NOT_FOUND"],
      [post("claude", "teachContent", say("x")), 404, "NOT_FOUND"],
      [gateway.call("/v1beta/corpora", {}), 404, "NOT_FOUND"],
      [
        gateway.call("/v1beta/models/claude:generateContent", { method: "PUT", body: {} }),
        405,
        "FAILED_PRECONDITION",
      ],
      [post("claude", "generateContent", say("x".repeat(2 ** 21))), 413, "FAILED_PRECONDITION"],
    ];
    for (const [response, status, word] of cases)
      expect(await refusal(response)).toMatchObject({ status, error: { code: status, status: word } });
  });

  it("list the models in Google's shape for Google's clients", async () => {
    const headers = { "x-goog-api-key": gateway.masterKey };
    const list = async (path: string, init: RequestInit = { headers }) =>
      (await (await fetch(gateway.url + path, init)).json()) as {
        models?: { name: string }[];
        nextPageToken?: string;
      };
    const { models: all } = await list("/v1beta/models");
    expect(all?.map(({ name }) => name)).toContain("models/claude");
    expect(await list("/v1/models")).toEqual(await list("/v1beta/models"));
    expect(await list(`/v1/models?key=${gateway.masterKey}`, {})).toEqual(await list("/v1beta/models"));
    expect(await (await gateway.call("/v1/models")).json()).toHaveProperty("data");
    const first = await list("/v1beta/models?pageSize=4");
    const second = await list(`/v1beta/models?pageSize=100&pageToken=${first.nextPageToken}`);
    expect([...first.models!, ...second.models!]).toEqual(all);
    const one = await fetch(`${gateway.url}/v1beta/models/team/gpt:latest`, { headers });
    expect(await one.json()).toMatchObject({
      name: "models/team/gpt:latest",
      inputTokenLimit: 128_000,
      outputTokenLimit: 16_384,
      thinking: false,
    });
    const none = await fetch(`${gateway.url}/v1/models/none-such`, { headers });
    expect(await none.json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
  });
});

describe("Embeddings", () => {
  it.each(["embed", "google-embed"])("%s gives one vector, and several in their order", async (model) => {
    const content = (text: string) => ({ content: { parts: [{ text }] }, outputDimensionality: 4 });
    const one = await post(model, "embedContent", { ...content("a"), taskType: "RETRIEVAL_QUERY" });
    const { embedding } = (await one.json()) as { embedding: { values: number[] } };
    expect(embedding.values).toHaveLength(4);
    const requests = [content("b"), { model: `models/${model}`, ...content("a") }];
    const several = await post(model, "batchEmbedContents", { requests });
    const { embeddings } = (await several.json()) as { embeddings: { values: number[] }[] };
    expect(embeddings).toHaveLength(2);
    expect(embeddings[1]).toEqual(embedding);
    expect(one.headers.get("x-portico-response-cost")).not.toBeNull();
  });

  it.each<[string, Json]>([
    ["embedContent", {}],
    ["embedContent", { content: { parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] } }],
    ["batchEmbedContents", { requests: [] }],
    ["batchEmbedContents", { requests: "x" }],
    [
      "batchEmbedContents",
      {
        requests: [1, 2].map((size) => ({ content: { parts: [{ text: "a" }] }, outputDimensionality: size })),
      },
    ],
  ])("%s refuses %j", async (verb, body) => {
    expect(await refusal(post("embed", verb, body))).toMatchObject({ status: 400, error: { code: 400 } });
  });
});

describe("Hostile requests", () => {
  const deep = (levels: number): Json =>
    levels === 0 ? {} : { type: "OBJECT", properties: { a: deep(levels - 1) } };
  const call = { functionCall: { name: "f", args: {} } };
  const response = { functionResponse: { name: "f", response: {} } };
  const model = (parts: Json[]) => ({ role: "model", parts });
  const user = (parts: Json[]) => ({ role: "user", parts });
  const hi = user([{ text: "hi" }]);
  const cases: readonly [string, Json][] = [
    ["no contents", {}],
    ["an empty list", { contents: [] }],
    ["an empty content", { contents: [{ parts: [] }] }],
    ["a part of no kind", { contents: [user([{}])] }],
    ["a part of two kinds", { contents: [user([{ text: "a", functionCall: { name: "f" } }])] }],
    ["another role", { contents: [{ role: "system", parts: [{ text: "a" }] }] }],
    ["a response without a call", { contents: [hi, user([response])] }],
    ["a call without a response", { contents: [hi, model([call]), hi] }],
    ["fewer responses than calls", { contents: [hi, model([call, call]), user([response]), hi] }],
    ["more responses than calls", { contents: [hi, model([call]), user([response, response])] }],
    ["a response in the model's turn", { contents: [hi, model([call]), model([response])] }],
    ["a call in the user's turn", { contents: [user([call])] }],
    ["both spellings at once", { ...say("a"), systemInstruction: hi, system_instruction: hi }],
    ["both spellings deep down", { ...say("a"), generationConfig: { topK: 1, top_k: 1 } }],
    [
      "a schema too deep",
      { ...say("a"), tools: [{ functionDeclarations: [{ name: "f", parameters: deep(300) }] }] },
    ],
    ["a function twice", { ...say("a"), tools: [{ functionDeclarations: [{ name: "f" }, { name: "f" }] }] }],
    ["two candidates", { ...say("a"), generationConfig: { candidateCount: 2 } }],
    ["sound", { ...say("a"), generationConfig: { responseModalities: ["AUDIO"] } }],
    ["a cache of Google's", { ...say("a"), cachedContent: "cachedContents/1" }],
    ["a wrong number", { ...say("a"), generationConfig: { maxOutputTokens: "many" } }],
    ["a choice without functions", { ...say("a"), toolConfig: { functionCallingConfig: { mode: "ANY" } } }],
    ["a schema for plain text", { ...say("a"), generationConfig: { responseSchema: schema } }],
  ];

  it.each(cases)("%s: 400 in Google's shape", async (_name, body) => {
    for (const verb of ["generateContent", "streamGenerateContent"]) {
      const { status, error } = await refusal(post("claude", verb, body));
      expect([status, error.code, error.status]).toEqual([400, 400, "INVALID_ARGUMENT"]);
      expect(error.message).not.toBe("");
    }
  });

  it.each([
    { candidateCount: "8e0x" },
    { candidateCount: [8] },
    { maxOutputTokens: "9".repeat(400) },
    { thinkingConfig: { thinkingBudget: "all" } },
    { thinkingConfig: [] },
    [{ candidateCount: 8 }],
    "8",
  ])("refuses what a budget cannot count also before Google's own models: %j", async (generationConfig) => {
    const { status, error } = await refusal(
      post("gemini-2.5-flash", "generateContent", { ...say("a"), generationConfig }),
    );
    expect([status, error.code, error.status]).toEqual([400, 400, "INVALID_ARGUMENT"]);
    expect(simulator.received()).toEqual([]);
  });

  it("reads numbers with an exponent in texts, as Google does", async () => {
    const generationConfig = { candidateCount: "1e0", max_output_tokens: "1.2E+2" };
    await generate("gemini-2.5-flash", { ...say("a"), generationConfig });
    expect(sent().body.generationConfig).toEqual({ candidateCount: 1, maxOutputTokens: 120 });
  });

  it("refuses text that is no JSON, and takes 500 functions", async () => {
    const bad = fetch(`${gateway.url}/v1beta/models/claude:generateContent?key=${gateway.masterKey}`, {
      method: "POST",
      body: "{",
    });
    expect(await refusal(bad)).toMatchObject({ status: 400, error: { status: "INVALID_ARGUMENT" } });
    const functionDeclarations = Array.from({ length: 500 }, (_, index) => ({
      name: `function_${index}`,
      parameters: schema,
    }));
    const request = { ...say("x"), tools: [{ functionDeclarations }] };
    for (const name of ["claude", "gemini-2.5-flash", "llama-3"]) {
      const response = await post(name, "generateContent", request);
      const answer = (await response.json()) as Answer;
      // Who takes fewer says so in Google's shape.
      if (response.status !== 200)
        expect(answer.error).toMatchObject({ code: 400, status: "INVALID_ARGUMENT" });
    }
  });
});

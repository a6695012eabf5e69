import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountUpstream, startAccountUpstream } from "./support/account-upstream.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { rawRequest } from "./support/raw-request.ts";
import { type RecordingUpstream, startRecordingUpstream } from "./support/recording-upstream.ts";

const ALICE = "sk-alice-0123456789";
const BOB = "sk-bob-0123456789";

interface Made {
  readonly file: string;
  readonly container: string;
}

/** Every place of a request that may name a file or a container: the endpoint, and its body with one there. */
const places: readonly (readonly [name: string, path: string, body: (ids: Made) => unknown])[] = [
  ["chat file", "/v1/chat/completions", ({ file }) => chat([{ type: "file", file: { file_id: file } }])],
  [
    "chat tool result",
    "/v1/chat/completions",
    ({ file }) => ({
      model: "gpt",
      messages: [{ role: "tool", tool_call_id: "1", content: [{ type: "file", file: { file_id: file } }] }],
    }),
  ],
  ...(["input_file", "input_image"] as const).map(
    (type) =>
      [
        `responses ${type}`,
        "/v1/responses",
        ({ file }: Made) => responses([{ role: "user", content: [{ type, file_id: file }] }]),
      ] as const,
  ),
  [
    "responses function output",
    "/v1/responses",
    ({ file }) =>
      responses([
        { type: "function_call_output", call_id: "1", output: [{ type: "input_file", file_id: file }] },
      ]),
  ],
  [
    "responses computer screenshot",
    "/v1/responses",
    ({ file }) =>
      responses([
        {
          type: "computer_call_output",
          call_id: "1",
          output: { type: "computer_screenshot", file_id: file },
        },
      ]),
  ],
  [
    "responses code interpreter files",
    "/v1/responses",
    ({ file }) => tool({ type: "code_interpreter", container: { type: "auto", file_ids: [file] } }),
  ],
  [
    "responses code interpreter container",
    "/v1/responses",
    ({ container }) => tool({ type: "code_interpreter", container }),
  ],
  [
    "responses shell container",
    "/v1/responses",
    ({ container }) =>
      tool({ type: "shell", environment: { type: "container_reference", container_id: container } }),
  ],
  [
    "responses image mask",
    "/v1/responses",
    ({ file }) => tool({ type: "image_generation", input_image_mask: { file_id: file } }),
  ],
  [
    "responses code interpreter call",
    "/v1/responses",
    ({ container }) =>
      responses([
        {
          type: "code_interpreter_call",
          id: "ci_1",
          code: "1",
          container_id: container,
          outputs: [],
          status: "completed",
        },
      ]),
  ],
  [
    "responses prompt variables",
    "/v1/responses",
    ({ file }) => ({
      model: "gpt",
      input: "hi",
      prompt: { id: "pmpt_1", variables: { doc: { type: "input_file", file_id: file } } },
    }),
  ],
  [
    "responses prompt variable that is called as a member",
    "/v1/responses",
    ({ file }) => ({
      model: "gpt",
      input: "hi",
      prompt: { id: "pmpt_1", variables: { metadata: { type: "input_file", file_id: file } } },
    }),
  ],
  [
    "responses one file in place of a list",
    "/v1/responses",
    ({ file }) => tool({ type: "code_interpreter", container: { type: "auto", file_ids: file } }),
  ],
  [
    "responses list in a list of files",
    "/v1/responses",
    ({ file }) => tool({ type: "code_interpreter", container: { type: "auto", file_ids: [[file]] } }),
  ],
  [
    "responses list in place of a file",
    "/v1/responses",
    ({ file }) => responses([{ role: "user", content: [{ type: "input_file", file_id: [file] }] }]),
  ],
  [
    "responses input tokens",
    "/v1/responses/input_tokens",
    ({ file }) => responses([{ role: "user", content: [{ type: "input_file", file_id: file }] }]),
  ],
  ["messages document", "/v1/messages", ({ file }) => messages([documentOf(file)])],
  [
    "messages tool result",
    "/v1/messages",
    ({ file }) => messages([{ type: "tool_result", tool_use_id: "1", content: [documentOf(file)] }]),
  ],
  [
    "messages container upload",
    "/v1/messages",
    ({ file }) => messages([{ type: "container_upload", file_id: file }]),
  ],
  [
    "messages container",
    "/v1/messages",
    ({ container }) => ({ ...messages([{ type: "text", text: "hi" }]), container }),
  ],
  [
    "messages container with skills",
    "/v1/messages",
    ({ container }) => ({
      ...messages([{ type: "text", text: "hi" }]),
      container: { id: container, skills: [] },
    }),
  ],
  ["count_tokens", "/v1/messages/count_tokens", ({ file }) => messages([documentOf(file)])],
  ["container's files", "/v1/containers", ({ file }) => ({ name: "box", file_ids: [file] })],
  [
    "video reference",
    "/v1/videos",
    ({ file }) => ({ prompt: "a cat", model: "sora-2", input_reference: { file_id: file } }),
  ],
  [
    "batch input",
    "/v1/batches",
    ({ file }) => ({ input_file_id: file, endpoint: "/v1/chat/completions", completion_window: "24h" }),
  ],
];

function chat(content: unknown[]): unknown {
  return { model: "gpt", messages: [{ role: "user", content }] };
}

function responses(input: unknown[]): unknown {
  return { model: "gpt", input };
}

function tool(one: unknown): unknown {
  return { model: "gpt", input: "hi", tools: [one] };
}

function messages(content: unknown[]) {
  return { model: "claude", max_tokens: 10, messages: [{ role: "user", content }] };
}

function documentOf(file: string): unknown {
  return { type: "document", source: { type: "file", file_id: file } };
}

describe("files and containers that a request names", () => {
  let upstream: AccountUpstream;
  let gateway: TestGateway;
  let own: Made;
  let raw: Made;
  const before = { ...process.env };

  beforeAll(async () => {
    upstream = await startAccountUpstream();
    gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: gpt, gateway_params: {model: openai/gpt-4o, api_base: "${upstream.url}/v1", api_key: sk-up}, model_info: {id: dep-1}}
  - {model_name: claude, gateway_params: {model: anthropic/claude-sonnet-4-5, api_base: "${upstream.url}", api_key: sk-up}}
environment_variables: {OPENAI_API_KEY: sk-up, OPENAI_API_BASE: "${upstream.url}/v1"}
keys: [{key: ${ALICE}, team_id: alice}, {key: ${BOB}, team_id: bob}]
`,
    });
    // For a batch, which takes no file that was uploaded for something else; other requests take any.
    const body = JSON.stringify(chat([{ type: "text", text: "hello" }]));
    const row = `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":${body}}\n`;
    const file = await upload(ALICE, "batch", row);
    const box = await gateway.call("/v1/containers", { key: ALICE, body: { name: "box" } });
    own = {
      file: ((await file.json()) as { id: string }).id,
      container: ((await box.json()) as { id: string }).id,
    };
    raw = { file: upstream.idsOf("files").at(-1)!, container: upstream.idsOf("containers").at(-1)! };
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    process.env = before;
  });

  /** @param model for which the gateway keeps it, instead of a provider */
  function upload(key: string, purpose: string, text: string, model?: string): Promise<Response> {
    const form = new FormData();
    if (model !== undefined) form.append("target_model_names", model);
    form.append("purpose", purpose);
    form.append("file", new Blob([text]), "x.jsonl");
    const headers = { authorization: `Bearer ${key}` };
    return fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body: form });
  }

  const sent = (): string => upstream.seen.map(({ body }) => body).join("\n");

  it.each(places)("%s: another tenant's are 404 and go nowhere", async (_name, path, body) => {
    for (const ids of [own, raw]) {
      upstream.forget();
      const answer = await gateway.call(path, { key: BOB, body: body(ids) });
      expect(answer.status).toBe(404);
      for (const id of Object.values({ ...own, ...raw })) expect(sent()).not.toContain(id);
    }
  });

  it.each(places)("%s: one's own are the provider's there", async (_name, path, body) => {
    upstream.forget();
    await (await gateway.call(path, { key: ALICE, body: body(own) })).text();
    expect(upstream.seen.length).toBeGreaterThan(0);
    for (const id of Object.values(own)) expect(sent()).not.toContain(id);
    expect(Object.values(raw).some((id) => sent().includes(id))).toBe(true);
  });

  /** A form of an operation that takes one, with a field that names a file. */
  async function sendForm(key: string, place: "container" | "video", file: string): Promise<number> {
    const form = new FormData();
    if (place === "video") {
      form.append("prompt", "a cat");
      form.append("input_reference", JSON.stringify({ file_id: file }));
    } else form.append("file_id", file);
    const body = { name: "box" };
    const box = (await (await gateway.call("/v1/containers", { key, body })).json()) as { id: string };
    upstream.forget();
    const path = place === "video" ? "/v1/videos" : `/v1/containers/${box.id}/files`;
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(gateway.url + path, { method: "POST", headers, body: form })).status;
  }

  const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

  it.each([
    [
      "chat",
      "/v1/chat/completions",
      (file: string) => chat(times(1001, { type: "file", file: { file_id: file } })),
    ],
    ["messages", "/v1/messages", (file: string) => messages(times(1001, documentOf(file)))],
    ["count_tokens", "/v1/messages/count_tokens", (file: string) => messages(times(1001, documentOf(file)))],
    [
      "responses",
      "/v1/responses",
      (file: string) =>
        responses([{ role: "user", content: times(1001, { type: "input_file", file_id: file }) }]),
    ],
    [
      "a tool",
      "/v1/responses",
      (file: string) =>
        tool({ type: "code_interpreter", container: { type: "auto", file_ids: times(1001, file) } }),
    ],
    ["a container", "/v1/containers", (file: string) => ({ name: "box", file_ids: times(1001, file) })],
    [
      "gemini",
      "/v1beta/models/gpt:generateContent",
      (file: string) => ({ contents: [{ parts: times(1001, { fileData: { fileUri: `files/${file}` } }) }] }),
    ],
  ])("%s names no more than can be looked for", async (_name, path, body) => {
    upstream.forget();
    const answer = await gateway.call(path, { key: ALICE, body: body(own.file) });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("at most 1,000 files"),
    ]);
    expect(upstream.seen).toEqual([]);
  });

  it("files whose content goes into a request are no larger together than one may be", async () => {
    const { id } = (await (await upload(ALICE, "user_data", "a".repeat(12 * 2 ** 20), "claude")).json()) as {
      id: string;
    };
    upstream.forget();
    const parts = (count: number) => times(count, { type: "file", file: { file_id: id, filename: "a.txt" } });
    const ask = (count: number) =>
      gateway.call("/v1/chat/completions", {
        key: ALICE,
        body: { ...Object(chat(parts(count))), model: "claude" },
      });
    const answer = await ask(1000);
    expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining("32 MiB together")]);
    const posted = () => upstream.seen.filter(({ method }) => method === "POST");
    expect(posted()).toEqual([]);
    await (await ask(2)).text();
    expect(posted().length).toBeGreaterThan(0);
  });

  it.each(["container", "video"] as const)(
    "a form's field for a new %s names own files alone",
    async (place) => {
      for (const id of [own.file, raw.file]) {
        expect([id, await sendForm(BOB, place, id)]).toEqual([id, 404]);
        expect(sent()).not.toContain(raw.file);
      }
      expect(await sendForm(ALICE, place, own.file)).toBe(200);
      expect(sent()).toContain(raw.file);
    },
  );

  it("a prompt's variable may be called as a member that names things", async () => {
    upstream.forget();
    const prompt = { id: "pmpt_1", variables: { container: "a blue box", url: "files/abc" } };
    const answer = await gateway.call("/v1/responses", {
      key: BOB,
      body: { model: "gpt", input: "hi", prompt },
    });
    expect(answer.status).toBe(200);
    expect(sent()).toContain("a blue box");
  });

  it("a file that was uploaded for something else is no batch's input, since nobody looked at its rows", async () => {
    const { id } = (await (await upload(ALICE, "user_data", "x")).json()) as { id: string };
    const input = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" };
    upstream.forget();
    const answer = await gateway.call("/v1/batches", { key: ALICE, body: input });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("Invalid file purpose"),
    ]);
    expect(sent()).not.toContain(raw.file);
  });

  it("rows of a batch name none of another tenant's, in either spelling", async () => {
    const row = (body: string): string =>
      `{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":${body}}\n`;
    const wrong = [
      JSON.stringify(chat([{ type: "file", file: { file_id: raw.file } }])),
      JSON.stringify(chat([{ type: "file", file: { file_id: own.file } }])),
      JSON.stringify(chat([{ type: "file", file: { file_id: raw.file } }])).replace(
        "file_id",
        "file\\u005fid",
      ),
      `{"model":"gpt","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"${raw.file}","file_id":"file-free"}}]}]}`,
      `{"model":"gpt","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"${raw.file}"},"file":{"file_id":"file-free"}}]}]}`,
    ];
    for (const body of wrong) {
      upstream.forget();
      expect((await upload(BOB, "batch", row(body))).status).toBe(400);
      expect(upstream.seen).toEqual([]);
    }
    const free = JSON.stringify(chat([{ type: "file", file: { file_id: "file-free" } }]));
    expect((await upload(BOB, "batch", row(free))).status).toBe(200);
  });

  it("refuses a row whose model stands twice", async () => {
    const rows = [
      '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"a","model":"b"}}',
      '{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"a"},"body":{"model":"b"}}',
    ];
    for (const row of rows) expect((await upload(BOB, "batch", row)).status).toBe(400);
  });

  it("sends a name that stands twice as it was understood", async () => {
    upstream.forget();
    const body = `{"model":"gpt","messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"${raw.file}"},"file":{"file_id":"file-free"}}]}]}`;
    await rawRequest(gateway.url, "POST", "/v1/chat/completions", BOB, body);
    expect(sent()).toContain("file-free");
    expect(sent()).not.toContain(raw.file);
  });

  it("leaves the arguments and schemas of the caller's own functions alone", async () => {
    upstream.forget();
    const use = {
      type: "tool_use",
      id: "1",
      name: "f",
      input: { file_id: raw.file, container: raw.container },
    };
    const body = {
      ...messages([{ type: "text", text: "hi" }]),
      tools: [{ name: "f", input_schema: { type: "object", default: { file_id: raw.file } } }],
    };
    body.messages.push({ role: "assistant", content: [use] });
    const answer = await gateway.call("/v1/messages", { key: BOB, body });
    expect(answer.status).toBe(200);
    expect(sent()).toContain(raw.file);
  });
});

const GENERATE = "/v1beta/models/gemini:generateContent";
const COUNT = "/v1beta/models/gemini:countTokens";

/** What a provider's account keeps and no endpoint of the gateway makes: the path, and a body that names one. */
type Kept = readonly [name: string, path: string, body: unknown];
const kept: readonly Kept[] = [
  ["Google's cached content", GENERATE, { ...google([]), cachedContent: "cachedContents/abc" }],
  ["the same in snake case", GENERATE, { ...google([]), cached_content: "cachedContents/abc" }],
  ["Google's file", GENERATE, google([{ fileData: { fileUri: "https://example.org/v1beta/files/abc" } }])],
  ["the same by its name", GENERATE, google([{ file_data: { file_uri: "files/abc" } }])],
  ...[
    " files/abc",
    "//example.org/v1beta/files/abc",
    "https://example.org/v1beta//files/abc",
    "https://example.org/v1beta/./files/abc",
    "https://example.org/v1beta/files%2Fabc",
  ].map((fileUri): Kept => [`the same as ${fileUri}`, GENERATE, google([{ fileData: { fileUri } }])]),
  ["an object of Google's storage", GENERATE, google([{ fileData: { fileUri: "gs://bucket/abc" } }])],
  [
    "a file in a function's answer",
    GENERATE,
    google([
      {
        functionResponse: { name: "f", response: {}, parts: [{ fileData: { fileUri: "gs://bucket/abc" } }] },
      },
    ]),
  ],
  [
    "Google's store of files",
    GENERATE,
    { ...google([]), tools: [{ fileSearch: { fileSearchStoreNames: ["fileSearchStores/abc"] } }] },
  ],
  [
    "Google's corpus",
    GENERATE,
    {
      ...google([]),
      tools: [
        { retrieval: { vertexRagStore: { ragResources: [{ ragCorpus: "projects/p/ragCorpora/abc" }] } } },
      ],
    },
  ],
  [
    "Google's data store",
    GENERATE,
    { ...google([]), tools: [{ retrieval: { vertexAiSearch: { datastore: "projects/p/dataStores/abc" } } }] },
  ],
  ["a count of Google's", COUNT, google([{ fileData: { fileUri: "gs://bucket/abc" } }])],
  [
    "a count of a whole request",
    COUNT,
    { generateContentRequest: { ...google([]), cachedContent: "cachedContents/abc" } },
  ],
  ["OpenAI's vector store", "/v1/responses", tool({ type: "file_search", vector_store_ids: ["vs_abc"] })],
  [
    "an own skill at Anthropic",
    "/v1/messages",
    { ...messages([]), container: { skills: [{ type: "custom", skill_id: "skill_abc" }] } },
  ],
  [
    "an own skill at OpenAI",
    "/v1/containers",
    { name: "box", skills: [{ type: "skill_reference", skill_id: "skill_abc" }] },
  ],
];

/** The gateway fetches what it does not know as a provider's own. */
const inChat: (typeof kept)[number] = [
  "an address in a chat that goes to Google",
  "/v1/chat/completions",
  {
    model: "gemini",
    messages: [
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: "https://example.org/v1beta/files/abc" } }],
      },
    ],
  },
];

function google(parts: unknown[]) {
  return { contents: [{ role: "user", parts: [{ text: "hi" }, ...parts] }] };
}

describe("what a provider's account keeps", () => {
  let upstream: RecordingUpstream;
  const start = (settings: string): Promise<TestGateway> =>
    startTestGateway({
      config: `
model_list:
  - {model_name: gpt, gateway_params: {model: openai/gpt-4o, api_base: "${upstream.url}/v1", api_key: k}}
  - {model_name: claude, gateway_params: {model: anthropic/claude-sonnet-4-5, api_base: "${upstream.url}", api_key: k}}
  - {model_name: gemini, gateway_params: {model: gemini/gemini-2.5-flash, api_base: "${upstream.url}", api_key: k}}
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {${settings}}
`,
    });
  beforeAll(async () => {
    upstream = await startRecordingUpstream(() => ({ status: 400, body: { error: { message: "no" } } }));
  });
  afterAll(() => upstream.close());

  it("is nobody's where providers' ids may not be used, in any spelling", async () => {
    const gateway = await start("allow_provider_ids: false");
    try {
      for (const [name, path, body] of [...kept, inChat]) {
        const text = JSON.stringify(body);
        const escaped = text.replace(
          /"(cached|file|vector|skill|rag|data)(\w)(\w*)":/g,
          (_all, start: string, letter: string, rest: string) =>
            `"${start}\\u00${letter.charCodeAt(0).toString(16)}${rest}":`,
        );
        const spellings = [text, escaped];
        for (const each of spellings) {
          const { status } = await rawRequest(gateway.url, "POST", path, gateway.masterKey, each);
          expect([name, each, status]).toEqual([name, each, 404]);
        }
      }
      expect(upstream.seen).toEqual([]);
    } finally {
      await gateway.close();
    }
  });

  it("passes as it stands elsewhere", async () => {
    const gateway = await start("");
    try {
      for (const [name, path, body] of kept) {
        const before = upstream.seen.length;
        await rawRequest(gateway.url, "POST", path, gateway.masterKey, JSON.stringify(body));
        expect([name, upstream.seen.slice(before).at(-1)?.body]).toEqual([
          name,
          expect.stringContaining("abc"),
        ]);
      }
    } finally {
      await gateway.close();
    }
  });
});

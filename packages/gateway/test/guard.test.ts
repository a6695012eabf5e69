import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadHooks } from "../src/core/hooks/hook-registry.ts";
import { countMembers, repeatsMembers } from "../src/util/repeated-members.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { rawRequest } from "./support/raw-request.ts";
import { startRecordingUpstream } from "./support/recording-upstream.ts";
import { BLUE_KEY, clientOf, type Resources, startResources, TEAM_KEYS } from "./support/resources.ts";
import { responsesConfig } from "./support/responses.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-guard-"));
const WORD = "SECRETWORD";
let resources: Resources;
let gateway: TestGateway;

beforeAll(async () => {
  const guard = join(folder, "guard.json");
  writeFileSync(guard, JSON.stringify({ rules: [{ name: "word", pattern: WORD, action: "mask" }] }));
  resources = await startResources();
  gateway = await resources.start(
    `${responsesConfig(resources.simulator.url)}gateway_settings: {guard: "${guard}"}\n${TEAM_KEYS}`,
  );
});
afterAll(async () => {
  await resources?.close();
  rmSync(folder, { recursive: true, force: true });
});

const text = `say ${WORD} now`;
const schema = {
  type: "object",
  description: text,
  properties: { [WORD]: { type: "string", enum: [text] } },
};
const chatTool = { type: "function", function: { name: "look", description: text, parameters: schema } };
const messagesTool = { name: "look", description: text, input_schema: schema };
const toolUse = {
  type: "tool_use",
  id: "t1",
  name: "look",
  input: { data: text, url: text, type: text, id: text },
};
const toolResult = { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text }] };
const document = {
  type: "document",
  title: text,
  source: { type: "text", media_type: "text/plain", data: text },
};
const user = (content: unknown) => ({ role: "user", content });

/** A request with the word in each field that carries text, by its path. */
const requests: readonly [string, Record<string, unknown>][] = [
  [
    "/v1/chat/completions",
    {
      messages: [
        { role: "system", content: text },
        { ...user(text), name: WORD },
      ],
    },
  ],
  [
    "/v1/chat/completions",
    { messages: [user("hi")], tools: [chatTool], stop: [text], metadata: { a: text } },
  ],
  [
    "/v1/chat/completions",
    { messages: [user("hi")], prediction: { type: "content", content: text }, user: text },
  ],
  [
    "/v1/chat/completions",
    { messages: [user("hi")], response_format: { type: "json_schema", json_schema: { name: "n", schema } } },
  ],
  ["/v1/messages", { max_tokens: 9, system: [{ type: "text", text }], messages: [user([document])] }],
  [
    "/v1/messages",
    { max_tokens: 9, messages: [user("hi"), { role: "assistant", content: [toolUse] }, user([toolResult])] },
  ],
  ["/v1/messages", { max_tokens: 9, messages: [user("hi")], tools: [messagesTool], stop_sequences: [text] }],
  ["/v1/messages/count_tokens", { system: text, messages: [user([document])], tools: [messagesTool] }],
  [
    "/v1/responses",
    { instructions: text, input: [user([{ type: "input_text", text }])], metadata: { a: text } },
  ],
  [
    "/v1/responses",
    {
      input: "hi",
      tools: [
        { type: "mcp", server_label: "s", server_url: "https://example.org", server_description: text },
      ],
    },
  ],
  [
    "/v1beta/models/*:generateContent",
    {
      system_instruction: { parts: [{ text }] },
      contents: [
        { parts: [{ text }, { inlineData: { mimeType: "text/plain", data: "AAAA" } }] },
        {
          role: "model",
          parts: [
            { functionCall: { name: "look", args: { data: text, [WORD]: text, id: text, type: text } } },
          ],
        },
        { parts: [{ functionResponse: { name: "look", response: { id: text, [WORD]: { status: text } } } }] },
      ],
      tools: [{ functionDeclarations: [{ name: "look", description: text, parameters: schema }] }],
      generationConfig: { stopSequences: [text] },
    },
  ],
  [
    "/v1beta/models/*:streamGenerateContent",
    {
      contents: [{ parts: [{ text: "hi" }] }],
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
      labels: { [WORD]: text },
    },
  ],
  ["/v1beta/models/*:countTokens", { contents: [{ parts: [{ text }] }] }],
  ["/v1/containers", { name: text }],
  ["/v1/videos", { model: "sora-2", prompt: text, negative_prompt: text }],
];

describe.each(["gpt-4o", "claude", "gemini-2.5-flash"])("The guard before %s", (model) => {
  it.each(requests)("lets the word through in no field of %s %j", async (path, body) => {
    const before = resources.simulator.received().length;
    const called = path.includes("*")
      ? gateway.call(path.replace("*", model), { body })
      : gateway.call(path, { body: { model, ...body } });
    await (await called).text();
    const sent = resources.simulator.received().slice(before);
    expect(JSON.stringify(sent.map(({ body: each }) => each))).not.toContain(WORD);
  });

  it("knows the items of a conversation that a response continues", async () => {
    const items = [{ type: "message", role: "user", content: text }];
    const made = await gateway.call("/v1/conversations", { body: { items } });
    const { id } = (await made.json()) as { id: string };
    const before = resources.simulator.received().length;
    const response = await gateway.call("/v1/responses", {
      body: { model, input: "go on", conversation: id },
    });
    expect(response.status).toBe(200);
    const sent = JSON.stringify(resources.simulator.received().slice(before));
    expect(sent).toContain("[word]");
    expect(sent).not.toContain(WORD);
  });
});

it("The guard goes over the rows of a batch's file before a provider has them", async () => {
  const body = { model: "gpt-4o", messages: [user(text)] };
  const row = { custom_id: "1", method: "POST", url: "/v1/chat/completions", body };
  const file = new File([JSON.stringify(row)], "rows.jsonl");
  const client = clientOf(gateway, BLUE_KEY);
  const uploaded = await client.files.create({ purpose: "batch", file });
  const content = await (await client.files.content(uploaded.id)).text();
  expect(content).toContain("say [word] now");
  expect(content).not.toContain(WORD);
});

describe("Rows of a file that was uploaded past the gateway", () => {
  const upload = async (content: string): Promise<string> => {
    const form = new FormData();
    const body = { model: "gpt-4o", messages: [user(content)] };
    const row = { custom_id: "1", method: "POST", url: "/v1/chat/completions", body };
    form.append("purpose", "batch");
    form.append("file", new Blob([JSON.stringify(row)]), "rows.jsonl");
    const answer = await fetch(`${resources.simulator.url}/openai/v1/files`, {
      method: "POST",
      headers: { authorization: "Bearer simulated" },
      body: form,
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const create = (id: string, more = {}) =>
    gateway.call("/v1/batches", {
      key: BLUE_KEY,
      body: { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h", ...more },
    });
  const batchesAt = (from: number): number =>
    resources.simulator
      .received()
      .slice(from)
      .filter(({ method, path }) => method === "POST" && path.endsWith("/batches")).length;
  const ofLiteLlm = (id: string): string =>
    Buffer.from(
      `litellm_proxy:application/json;unified_id,1;target_model_names,gpt-4o;llm_output_file_id,${id};llm_output_file_model_id,gpt-4o`,
    ).toString("base64url");

  it("run at the provider where the guard would change none", async () => {
    const before = resources.simulator.received().length;
    const answer = await create(await upload("nothing to hide"));
    expect([answer.status, await answer.json()]).toMatchObject([200, { object: "batch" }]);
    expect(batchesAt(before)).toBe(1);
  });

  it("are refused where only the provider could run them", async () => {
    const before = resources.simulator.received().length;
    const id = await upload(text);
    for (const [named, more] of [
      [id, {}],
      [ofLiteLlm(id), { execution: "provider" }],
    ] as const) {
      const answer = await create(named, more);
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { error: { param: "input_file_id" } },
      ]);
    }
    expect(batchesAt(before)).toBe(0);
  });

  it("are masked where the gateway can run them", async () => {
    const before = resources.simulator.received().length;
    const answer = await create(ofLiteLlm(await upload(text)));
    const { id } = (await answer.json()) as { id: string };
    expect(answer.status).toBe(200);
    await expect
      .poll(async () => {
        const batch = await gateway.call(`/v1/batches/${id}`, { key: BLUE_KEY });
        return ((await batch.json()) as { status: string }).status;
      })
      .toBe("completed");
    const calls = resources.simulator.received().slice(before);
    const sent = JSON.stringify(calls.filter(({ path }) => path.endsWith("/chat/completions")));
    expect(sent).toContain("say [word] now");
    expect(sent).not.toContain(WORD);
    expect(batchesAt(before)).toBe(0);
  });
});

it.each(["gpt-4o", "claude"])(
  "Rows for %s that were uploaded before there was a guard are masked before a provider has them",
  async (model) => {
    const dataDirectory = mkdtempSync(join(folder, "later-"));
    const config = responsesConfig(resources.simulator.url);
    const before = await startTestGateway({ config, dataDirectory });
    const body = { model, max_tokens: 20, messages: [user(text)] };
    const row = { custom_id: "1", method: "POST", url: "/v1/chat/completions", body };
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("target_model_names", model);
    form.append("file", new File([JSON.stringify(row)], "rows.jsonl"));
    const { id } = (await (await before.call("/v1/files", { body: form })).json()) as { id: string };
    await before.close();
    const guarded = `${config}gateway_settings: {guard: "${join(folder, "guard.json")}"}\n`;
    const after = await startTestGateway({ config: guarded, dataDirectory });
    try {
      const from = resources.simulator.received().length;
      const request = { input_file_id: id, endpoint: row.url, completion_window: "24h" };
      const refused = await after.call("/v1/batches", { body: { ...request, execution: "provider" } });
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("guard masks")]);
      const made = (await (await after.call("/v1/batches", { body: request })).json()) as { id: string };
      const look = async () =>
        ((await (await after.call(`/v1/batches/${made.id}`)).json()) as { status: string }).status;
      await expect.poll(look).toBe("completed");
      const sent = JSON.stringify(resources.simulator.received().slice(from));
      expect(sent).toContain("say [word] now");
      expect(sent).not.toContain(WORD);
    } finally {
      await after.close();
    }
  },
);

/** A request's text in which each of its members in turn stands twice, first with the word and then without. */
function* doubled(value: unknown, around: (text: string) => string = (text) => text): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const others = Object.entries(value).map(([other, each]): [string, string] => [
      other,
      JSON.stringify(each).replaceAll(WORD, "fine"),
    ]);
    const withMember = (texts: readonly string[]): string => {
      const all = others.flatMap(([other, text]) =>
        (other === name ? texts : [text]).map((each) => [other, each]),
      );
      return around(
        isList
          ? `[${all.map(([, text]) => text).join(",")}]`
          : `{${all.map(([other, text]) => `${JSON.stringify(other)}:${text}`).join(",")}}`,
      );
    };
    const dirty = JSON.stringify(member);
    if (!isList && dirty.includes(WORD)) yield withMember([dirty, dirty.replaceAll(WORD, "fine")]);
    yield* doubled(member, (text) => withMember([text]));
  }
}

describe("A member that stands twice", () => {
  it.each([
    ["the guard", `gateway_settings: {guard: "${join(folder, "guard.json")}"}`],
    ["the gateway without a hook", ""],
  ])("reaches a provider of the same format as %s reads it", async (_whom, settings) => {
    const refuse = { status: 400, body: { error: { message: "no" } } };
    const upstream = await startRecordingUpstream(() => refuse);
    const { url } = upstream;
    const own = await startTestGateway({
      config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${url}/v1", api_key: k}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}", api_key: k}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}", api_key: k}}
${settings}
router_settings: {num_retries: 0, disable_cooldowns: true}`,
    });
    try {
      let texts = 0;
      for (const [path, body] of requests) {
        const model = path.includes("*") ? "gemini" : path.includes("messages") ? "claude" : "gpt";
        for (const text of doubled(path.includes("*") ? body : { model, ...body })) {
          await rawRequest(own.url, "POST", path.replace("*", model), own.masterKey, text);
          texts += 1;
        }
      }
      expect(texts).toBeGreaterThan(requests.length);
      expect(upstream.seen.length).toBeGreaterThan(texts / 2);
      const read = upstream.seen.map(({ body }) => body);
      expect(read.filter((text) => repeatsMembers(text, countMembers(JSON.parse(text) as object)))).toEqual(
        [],
      );
      if (settings !== "") expect(read.filter((text) => text.includes(WORD))).toEqual([]);
    } finally {
      await own.close();
      await upstream.close();
    }
  });
});

it("leaves pictures, ids and harmless requests as they are", async () => {
  const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${WORD}AAAA` } };
  const before = resources.simulator.received().length;
  await gateway.call("/v1/chat/completions", { body: { model: "gpt-4o", messages: [user([picture])] } });
  expect(JSON.stringify(resources.simulator.received().slice(before))).toContain(`${WORD}AAAA`);
});

describe("The page on hooks", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/gateway/hooks.md"), "utf8");
  const examples = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);
  const named = (code: string): string => /function\*? (\w+)/.exec(code)![1]!;

  it("has an example for each hook, which loads", async () => {
    expect(examples.map(named).sort()).toEqual(
      ["duringCall", "failure", "postCallStream", "postCallSuccess", "preCall", "requestStatus"].sort(),
    );
    for (const code of examples) {
      writeFileSync(join(folder, `${named(code)}.mjs`), code);
      expect(await loadHooks(`${named(code)}.mjs`, folder)).toHaveProperty(named(code));
    }
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadHooks } from "../src/core/hooks/load-hooks.ts";
import type { TestGateway } from "./support/gateway.ts";
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
  ["/v1/containers", { name: text }],
  ["/v1/videos", { model: "sora-2", prompt: text, negative_prompt: text }],
];

describe.each(["gpt-4o", "claude", "gemini-2.5-flash"])("The guard before %s", (model) => {
  it.each(requests)("lets the word through in no field of %s %j", async (path, body) => {
    const before = resources.simulator.received().length;
    await (await gateway.call(path, { body: { model, ...body } })).text();
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

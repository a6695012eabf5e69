import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url)}\ngateway_settings: {callbacks: [format_python]}\n`,
  });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const written = "Try this:\n\n```python\nx  = { 'a':1 }\n```\n\nor `x  = 1`.";
const formatted = 'Try this:\n\n```python\nx = {"a": 1}\n```\n\nor `x  = 1`.';

/** What an API answers to a prompt, as far as it is the model's text. */
interface Api {
  readonly path: string;
  readonly request: (prompt: string) => JsonObject;
  readonly text: (answer: JsonObject) => unknown;
}

const apis: Readonly<Record<string, Api>> = {
  chat: {
    path: "/v1/chat/completions",
    request: (prompt) => ({ messages: [{ role: "user", content: prompt }] }),
    text: (answer) => (answer as { choices: { message: { content: string } }[] }).choices[0]!.message.content,
  },
  messages: {
    path: "/v1/messages",
    request: (prompt) => ({ max_tokens: 1000, messages: [{ role: "user", content: prompt }] }),
    text: (answer) => (answer as { content: { text: string }[] }).content[0]!.text,
  },
  responses: {
    path: "/v1/responses",
    request: (prompt) => ({ input: prompt }),
    text: (answer) =>
      (answer as { output: { type: string; content: { text: string }[] }[] }).output.find(
        ({ type }) => type === "message",
      )!.content[0]!.text,
  },
};

async function ask(api: Api, model: string, said: string): Promise<unknown> {
  const body = { model, ...api.request(`[[sim:say ${said}]]`) };
  const answer = await gateway.call(api.path, { body });
  const json = (await answer.json()) as JsonObject;
  expect(answer.status, JSON.stringify(json)).toBe(200);
  return api.text(json);
}

describe("callbacks: [format_python]", () => {
  it.each(
    Object.entries(apis).flatMap(([name, api]) =>
      ["gpt-4o", "claude"].map((model) => ({ name, model, api })),
    ),
  )("formats Python blocks in answers of $name by $model", async ({ api, model }) => {
    expect(await ask(api, model, written)).toBe(formatted);
  });

  it.each([
    ["code that is no Python", "```python\nx  = (\n```"],
    ["other languages", "```js\nx  = 'a'\n```"],
    ["blocks that are never closed", "```python\nx  = 'a'"],
    ["answers without code", "x  = 'a'"],
  ])("leaves alone %s", async (_name, said) => {
    expect(await ask(apis.chat!, "gpt-4o", said)).toBe(said);
  });

  it("leaves streams as they are", async () => {
    const messages = [{ role: "user", content: `[[sim:say ${written}]]` }];
    const body = { model: "gpt-4o", stream: true, messages };
    const text = await (await gateway.call("/v1/chat/completions", { body })).text();
    const deltas = [...text.matchAll(/^data: (\{.*)$/gm)].map(
      ([, json]) => (JSON.parse(json!) as { choices: { delta?: { content?: string } }[] }).choices[0],
    );
    expect(deltas.map((choice) => choice?.delta?.content ?? "").join("")).toBe(written);
  });
});

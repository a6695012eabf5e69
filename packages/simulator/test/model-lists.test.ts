import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

test("OpenAI, Anthropic and Google list the models that they have, page by page, and serve each", async () => {
  const openai = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey: "any" });
  const anthropic = new Anthropic({ baseURL: `${simulator.url}/anthropic`, apiKey: "any" });
  const names: Record<string, string[]> = { openai: [], anthropic: [], google: [] };
  for await (const { id } of openai.models.list()) names.openai!.push(id);
  for await (const { id } of anthropic.models.list()) names.anthropic!.push(id);
  const headers = { "x-goog-api-key": "any" };
  for (let token: string | undefined = ""; token !== undefined; ) {
    const address = `${simulator.url}/google/v1beta/models?pageSize=10${token === "" ? "" : `&pageToken=${token}`}`;
    const page = (await (await fetch(address, { headers })).json()) as {
      models: { name: string }[];
      nextPageToken?: string;
    };
    names.google!.push(...page.models.map(({ name }) => name));
    token = page.nextPageToken;
  }
  expect(names.openai).toEqual(
    expect.arrayContaining(["gpt-6-sol", "o3-pro", "text-embedding-3-large", "sora-2"]),
  );
  expect(names.anthropic).toEqual(expect.arrayContaining(["claude-opus-5-5", "claude-haiku-4-5"]));
  expect(names.google).toEqual(
    expect.arrayContaining(["models/gemini-3.8-flash", "models/gemini-embedding-001"]),
  );
  for (const list of Object.values(names)) {
    expect(new Set(list).size).toBe(list.length);
    expect(list.every((name) => /^[\w./-]+[\w]$/.test(name))).toBe(true);
  }
  for (const model of names.anthropic!) {
    const messages = [{ role: "user" as const, content: "hi" }];
    expect((await anthropic.messages.create({ model, max_tokens: 9, messages })).model).toBe(model);
  }
});

test("An address below no provider is told of all of them", async () => {
  const { error } = (await (await fetch(`${simulator.url}/nowhere`)).json()) as {
    error: { message: string };
  };
  for (const prefix of ["/openai/v1", "/azure/openai", "/bedrock", "/vertex/v1", "/xai/v1"])
    expect(error.message).toContain(`${prefix},`);
});

import Anthropic from "@anthropic-ai/sdk";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  openai = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey: "any", maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: `${simulator.url}/anthropic`, apiKey: "any", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

describe("OpenAI's resources", () => {
  test("are made, listed page by page, changed and deleted", async () => {
    const first = await openai.vectorStores.create({ name: "first", metadata: { a: "b" } });
    const second = await openai.vectorStores.create({ name: "second" });
    expect(first).toMatchObject({ object: "vector_store", name: "first", status: "completed" });
    const ids: string[] = [];
    for await (const { id } of openai.vectorStores.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([second.id, first.id]);
    await openai.vectorStores.update(first.id, { name: "changed" });
    expect(await openai.vectorStores.retrieve(first.id)).toMatchObject({ id: first.id, name: "changed" });
    expect(await openai.vectorStores.delete(first.id)).toMatchObject({ id: first.id, deleted: true });
    await expect(openai.vectorStores.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("lie in one another", async () => {
    const store = await openai.vectorStores.create({});
    const file = await openai.vectorStores.files.create(store.id, { file_id: "file-1" });
    expect(file).toMatchObject({ vector_store_id: store.id, object: "vector_store.file" });
    const other = await openai.vectorStores.create({});
    expect((await openai.vectorStores.files.list(other.id)).data).toEqual([]);
    await expect(openai.vectorStores.files.list("vs_missing")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("have actions, required members and secrets shown once", async () => {
    const job = await openai.fineTuning.jobs.create({ model: "gpt-4o-mini", training_file: "file-1" });
    expect(await openai.fineTuning.jobs.cancel(job.id)).toMatchObject({ id: job.id, status: "cancelled" });
    await expect(openai.post("/fine_tuning/jobs", { body: { model: "gpt-4o-mini" } })).rejects.toMatchObject({
      status: 400,
      param: "training_file",
    });
    const body = { name: "key" };
    const key = await openai.post<{ id: string; value: string }>("/organization/admin_api_keys", { body });
    expect(key.value).toMatch(/^sk-admin-\w{32}$/);
    expect(await openai.get(`/organization/admin_api_keys/${key.id}`)).not.toHaveProperty("value");
  });

  test("take any id for an object once placeholders are on", async () => {
    await expect(openai.evals.retrieve("eval_id")).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: '{"placeholders":true}' });
    expect(await openai.evals.runs.retrieve("run_id", { eval_id: "eval_id" })).toMatchObject({
      id: "run_id",
      eval_id: "eval_id",
    });
  });
});

describe("OpenAI's media", () => {
  test("images are PNGs, as many as were asked for", async () => {
    const { data } = await openai.images.generate({ model: "gpt-image-1", prompt: "a cat", n: 2 });
    const starts = data?.map(({ b64_json }) =>
      Buffer.from(b64_json ?? "", "base64").toString("latin1", 1, 4),
    );
    expect(starts).toEqual(["PNG", "PNG"]);
    await expect(openai.images.generate({ prompt: "a cat", n: 11 })).rejects.toMatchObject({ param: "n" });
  });

  test("speech is a WAV file, which is heard as words", async () => {
    const speech = await openai.audio.speech.create({ model: "tts-1", input: "hello", voice: "alloy" });
    const bytes = Buffer.from(await speech.arrayBuffer());
    expect(bytes.toString("latin1", 0, 4)).toBe("RIFF");
    const file = await toFile(bytes, "speech.wav");
    const { text } = await openai.audio.transcriptions.create({ file, model: "whisper-1" });
    expect(text).toBe("simulated speech");
  });

  test("moderations flag the category that a text names", async () => {
    const { results } = await openai.moderations.create({ input: ["flowers", "violence"] });
    expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
    expect(results[1]?.categories.violence).toBe(true);
  });

  test("legacy completions answer each prompt, whole and streamed", async () => {
    const whole = await openai.completions.create({
      model: "gpt-3.5-turbo-instruct",
      prompt: ["one", "two"],
    });
    expect(whole.choices.map(({ text }) => text)).toEqual(["echo: one", "echo: two"]);
    let text = "";
    const request = { model: "gpt-3.5-turbo-instruct", prompt: "one", stream: true } as const;
    for await (const chunk of await openai.completions.create(request)) text += chunk.choices[0]?.text;
    expect(text).toBe("echo: one");
  });
});

describe("Anthropic's resources", () => {
  test("are made, listed page by page and deleted", async () => {
    const upload = async (name: string) =>
      anthropic.beta.files.upload({ file: await toFile(Buffer.from("abc"), name) });
    const first = await upload("first.txt");
    const second = await upload("second.txt");
    expect(first).toMatchObject({ type: "file", filename: "first.txt", size_bytes: 3 });
    const ids: string[] = [];
    for await (const { id } of anthropic.beta.files.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([second.id, first.id]);
    await anthropic.beta.files.delete(first.id);
    await expect(anthropic.beta.files.retrieveMetadata(first.id)).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
  });
});

test("Anthropic's own tools are offered and never called as the caller's", async () => {
  const message = await anthropic.messages.create({
    model: "claude-sonnet-4-5",
    max_tokens: 100,
    messages: [{ role: "user", content: "hello" }],
    tools: [{ type: "web_search_20250305", name: "web_search" }],
  });
  expect(message.content).toMatchObject([{ type: "text", text: "echo: hello" }]);
});

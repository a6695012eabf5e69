import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey: "any", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

function row(customId: string, content: string) {
  const body = { model: "gpt-4o", messages: [{ role: "user", content }] };
  return JSON.stringify({ custom_id: customId, method: "POST", url: "/v1/chat/completions", body });
}

async function upload(lines: readonly string[]) {
  return client.files.create({
    file: await toFile(Buffer.from(lines.join("\n")), "rows.jsonl"),
    purpose: "batch",
  });
}

async function batchOf(lines: readonly string[]) {
  const file = await upload(lines);
  return client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
}

async function contents(id: string | null | undefined) {
  const text = await (await client.files.content(id ?? "")).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function settings(body: Record<string, unknown>) {
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(body) });
}

describe("files", () => {
  test("are uploaded, listed page by page, downloaded and deleted", async () => {
    const first = await upload([row("a", "one")]);
    const second = await upload([row("b", "two \u2028 and more")]);
    expect(await (await client.files.content(second.id)).text()).toBe(row("b", "two \u2028 and more"));
    const ids: string[] = [];
    for await (const file of client.files.list({ limit: 1 })) ids.push(file.id);
    expect(ids).toEqual([second.id, first.id]);
    await client.files.delete(first.id);
    await expect(client.files.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(client.files.list({ limit: -1 })).rejects.toMatchObject({ code: "integer_below_min_value" });
  });

  test("are refused with the purpose batch unless they are JSON lines", async () => {
    const file = await toFile(Buffer.from("x"), "rows.txt");
    await expect(client.files.create({ file, purpose: "batch" })).rejects.toThrow(/jsonl/);
  });
});

describe("batches", () => {
  test("run their rows and put each into the output or the error file", async () => {
    const batch = await batchOf([row("a", "one"), row("b", "[[sim:fault status=429]]"), row("c", "three")]);
    expect(batch).toMatchObject({ status: "validating", request_counts: { total: 0 } });
    await expect.poll(async () => (await client.batches.retrieve(batch.id)).status).toBe("completed");
    const done = await client.batches.retrieve(batch.id);
    expect(done.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
    const output = await contents(done.output_file_id);
    expect(output.map((line) => [line.custom_id, line.response.body.choices[0].message.content])).toEqual([
      ["a", "echo: one"],
      ["c", "echo: three"],
    ]);
    expect(await contents(done.error_file_id)).toMatchObject([
      { custom_id: "b", response: { status_code: 429 } },
    ]);
  });

  test("fail when lines are wrong and name each line", async () => {
    const batch = await batchOf([row("a", "one"), "not json", row("a", "again")]);
    await expect.poll(async () => (await client.batches.retrieve(batch.id)).status).toBe("failed");
    const { errors } = await client.batches.retrieve(batch.id);
    expect(errors?.data).toMatchObject([
      { line: 2, code: "invalid_json_line" },
      { line: 3, code: "duplicate_custom_id" },
    ]);
  });

  test("are cancelled by way of cancelling, once", async () => {
    await settings({ batchRunningMs: 1000 });
    const batch = await batchOf([row("a", "one")]);
    expect((await client.batches.cancel(batch.id)).status).toBe("cancelling");
    await expect.poll(async () => (await client.batches.retrieve(batch.id)).status).toBe("cancelled");
    await expect(client.batches.cancel(batch.id)).rejects.toThrow(/Cannot cancel/);
  });

  test("expire with every row left over in the error file", async () => {
    await settings({ batchExpiresMs: 1 });
    const batch = await batchOf([row("a", "one"), row("b", "two")]);
    await expect.poll(async () => (await client.batches.retrieve(batch.id)).status).toBe("expired");
    const { error_file_id } = await client.batches.retrieve(batch.id);
    expect((await contents(error_file_id)).map((line) => line.error.code)).toEqual([
      "batch_expired",
      "batch_expired",
    ]);
  });
});

describe("containers", () => {
  test("hold files that are uploaded into them or copied from the account", async () => {
    const stored = await upload([row("a", "one")]);
    const container = await client.containers.create({ name: "box", file_ids: [stored.id] });
    await client.containers.files.create(container.id, {
      file: await toFile(Buffer.from("hello"), "note.txt"),
    });
    const listed = await client.containers.files.list(container.id, { order: "asc" });
    expect(listed.data.map((file) => file.path)).toEqual(["/mnt/data/rows.jsonl", "/mnt/data/note.txt"]);
    const note = listed.data[1]?.id ?? "";
    const content = await client.containers.files.content.retrieve(note, { container_id: container.id });
    expect(await content.text()).toBe("hello");
    await client.containers.delete(container.id);
    await expect(client.containers.retrieve(container.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});

describe("videos", () => {
  test("are made from a form with a reference, watched, downloaded in parts and remixed", async () => {
    await settings({ videoQueuedMs: 1500 });
    const reference = await toFile(Buffer.alloc(5000), "start.png");
    const video = await client.videos.create({ prompt: "a fox", input_reference: reference });
    expect(video).toMatchObject({ status: "queued", progress: 0, model: "sora-2", seconds: "4" });
    await expect(client.videos.downloadContent(video.id)).rejects.toThrow(/not ready/);
    await expect.poll(async () => (await client.videos.retrieve(video.id)).status).toBe("completed");
    const whole = Buffer.from(await (await client.videos.downloadContent(video.id)).arrayBuffer());
    expect(whole.subarray(4, 8).toString()).toBe("ftyp");
    const part = await fetch(`${simulator.url}/openai/v1/videos/${video.id}/content`, {
      headers: { authorization: "Bearer any", range: "bytes=100-299" },
    });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 100-299/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 300));
    const remix = await client.videos.remix(video.id, { prompt: "at night" });
    expect(remix.remixed_from_video_id).toBe(video.id);
    expect((await client.videos.list()).data.map((item) => item.id)).toEqual([remix.id, video.id]);
  });
});

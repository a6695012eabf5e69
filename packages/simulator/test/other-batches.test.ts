import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
let client: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new Anthropic({ baseURL: `${simulator.url}/anthropic`, apiKey: "any", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

function request(custom_id: string, content: string) {
  return {
    custom_id,
    params: { model: "claude", max_tokens: 50, messages: [{ role: "user" as const, content }] },
  };
}

describe("anthropic message batches", () => {
  test("run their requests and give one result each", async () => {
    const slow = JSON.stringify({ batchRunningMs: 1500 });
    await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: slow });
    const requests = [request("a", "one"), request("b", "[[sim:fault status=529]]")];
    const batch = await client.messages.batches.create({ requests });
    expect(batch).toMatchObject({ processing_status: "in_progress", request_counts: { processing: 2 } });
    await expect(client.messages.batches.delete(batch.id)).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect
      .poll(async () => (await client.messages.batches.retrieve(batch.id)).processing_status)
      .toBe("ended");
    const results = [];
    for await (const line of await client.messages.batches.results(batch.id)) results.push(line);
    expect(results).toMatchObject([
      { custom_id: "a", result: { type: "succeeded", message: { content: [{ text: "echo: one" }] } } },
      { custom_id: "b", result: { type: "errored", error: { error: { type: "overloaded_error" } } } },
    ]);
    expect(await client.messages.batches.delete(batch.id)).toEqual({
      id: batch.id,
      type: "message_batch_deleted",
    });
  });

  test("are listed page by page in both directions and cancelled", async () => {
    const slow = JSON.stringify({ batchRunningMs: 3000 });
    await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: slow });
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      ids.unshift((await client.messages.batches.create({ requests: [request(name, name)] })).id);
    }
    const listed: string[] = [];
    for await (const batch of client.messages.batches.list({ limit: 2 })) listed.push(batch.id);
    expect(listed).toEqual(ids);
    const before = await client.messages.batches.list({ before_id: ids[2] ?? "", limit: 1 });
    expect(before.data.map((batch) => batch.id)).toEqual([ids[1]]);
    expect((await client.messages.batches.cancel(ids[0] ?? "")).processing_status).toBe("canceling");
    await expect
      .poll(async () => (await client.messages.batches.retrieve(ids[0] ?? "")).request_counts.canceled)
      .toBe(1);
  });

  test("are refused for a custom_id that comes twice", async () => {
    const requests = [request("a", "one"), request("a", "two")];
    await expect(client.messages.batches.create({ requests })).rejects.toThrow(/unique/);
  });
});

interface Operation {
  name: string;
  done?: boolean;
  metadata: { state: string; batchStats: unknown };
  response: { inlinedResponses: { inlinedResponses: unknown }; responsesFile: string };
}

async function jsonOf<T>(response: Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

describe("gemini batch jobs", () => {
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const url = path.startsWith("http") ? path : `${simulator.url}/google${path}`;
    const headers = { "x-goog-api-key": "any", ...(init.headers as Record<string, string>) };
    return fetch(url, { ...init, method, headers });
  };
  const ended = async (name: string) => {
    await expect.poll(async () => (await jsonOf<Operation>(ask("GET", `/v1beta/${name}`))).done).toBe(true);
    return jsonOf<Operation>(ask("GET", `/v1beta/${name}`));
  };
  const contents = (text: string) => ({ contents: [{ parts: [{ text }] }] });

  test("answer inline requests in their order", async () => {
    const requests = [
      { request: contents("one"), metadata: { key: "a" } },
      { request: contents("[[sim:fault status=503]]"), metadata: { key: "b" } },
    ];
    const body = JSON.stringify({ batch: { display_name: "n", input_config: { requests: { requests } } } });
    const created = await jsonOf<Operation>(ask("POST", "/v1beta/models/g:batchGenerateContent", { body }));
    expect(created.metadata).toMatchObject({
      state: "BATCH_STATE_PENDING",
      batchStats: { requestCount: "2" },
    });
    const done = await ended(created.name);
    expect(done.metadata.state).toBe("BATCH_STATE_SUCCEEDED");
    expect(done.response.inlinedResponses.inlinedResponses).toMatchObject([
      { metadata: { key: "a" }, response: { candidates: [{ content: { parts: [{ text: "echo: one" }] } }] } },
      { metadata: { key: "b" }, error: { status: "UNAVAILABLE" } },
    ]);
  });

  test("read their requests from an uploaded file and leave the answers in another", async () => {
    const start = await ask("POST", "/upload/v1beta/files", {
      headers: { "x-goog-upload-protocol": "resumable", "x-goog-upload-command": "start" },
      body: JSON.stringify({ file: { display_name: "rows" } }),
    });
    const upload = await ask("POST", start.headers.get("x-goog-upload-url") ?? "", {
      headers: { "x-goog-upload-command": "upload, finalize", "x-goog-upload-offset": "0" },
      body: `${JSON.stringify({ key: "a", request: contents("one") })}\n`,
    });
    const { file } = (await upload.json()) as { file: { name: string } };
    const body = JSON.stringify({ batch: { inputConfig: { fileName: file.name } } });
    const created = await jsonOf<Operation>(ask("POST", "/v1beta/models/g:batchGenerateContent", { body }));
    const done = await ended(created.name);
    const result = await ask("GET", `/v1beta/${done.response.responsesFile}:download?alt=media`);
    expect(JSON.parse(await result.text())).toMatchObject({ key: "a", response: { modelVersion: "g" } });
    expect(
      (await jsonOf<{ nextPageToken: string }>(ask("GET", "/v1beta/files?pageSize=1"))).nextPageToken,
    ).toBe("1");
  });

  test("are cancelled", async () => {
    const requests = [{ request: contents("one") }];
    const body = JSON.stringify({ batch: { inputConfig: { requests: { requests } } } });
    const created = await jsonOf<Operation>(ask("POST", "/v1beta/models/g:batchGenerateContent", { body }));
    await ask("POST", `/v1beta/${created.name}:cancel`);
    expect((await ended(created.name)).metadata.state).toBe("BATCH_STATE_CANCELLED");
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
/** Milliseconds by which its clock is ahead. */
let ahead = 0;

beforeAll(async () => {
  simulator = await startSimulator({ clock: () => Date.now() + ahead });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

/** The answers to video requests, as far as these tests look. */
interface Answer {
  readonly request_id: string;
  readonly status?: string;
  readonly progress?: number;
  readonly video?: { url: string; duration: number; respect_moderation: boolean };
  readonly error?: { message: string };
}

async function call(path: string, body?: unknown) {
  const headers = { authorization: "Bearer any", "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${simulator.url}/xai/v1${path}`, init);
  return { status: response.status, json: (await response.json()) as Answer };
}

function settings(values: object): Promise<Response> {
  return fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
}

const model = "grok-imagine-video";

describe("xai", () => {
  test("makes a video whose bytes need no key", async () => {
    await settings({ videoQueuedMs: 0, videoRunningMs: 60_000, videoBytes: 5000 });
    const { json } = await call("/videos/generations", { model, prompt: "a cat", duration: 5 });
    const path = `/videos/${json.request_id}`;
    expect(await call(path)).toMatchObject({ status: 202, json: { status: "pending" } });
    ahead += 60_000;
    const { video } = (await call(path)).json;
    expect(video).toMatchObject({ duration: 5, respect_moderation: true });
    const content = await fetch(video!.url);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    expect((await content.arrayBuffer()).byteLength).toBe(5000);
    expect((await call("/videos/edits", { model, prompt: "a dog", video: { url: video!.url } })).status).toBe(
      200,
    );
  });

  test("fails and withholds when asked to, and answers chats beside it", async () => {
    await settings({ videoQueuedMs: 0, videoRunningMs: 0 });
    const ended = async (note: string): Promise<Answer> => {
      const { json } = await call("/videos/generations", { model, prompt: `[[sim:${note}]] a cat` });
      return (await call(`/videos/${json.request_id}`)).json;
    };
    expect(await ended("fail")).toMatchObject({ status: "failed" });
    expect(await ended("content-policy")).toMatchObject({ video: { respect_moderation: false } });
    const messages = [{ role: "user", content: "hi" }];
    expect((await call("/chat/completions", { model: "grok-4", messages })).status).toBe(200);
  });

  test("checks what xAI checks", async () => {
    const prompt = "a cat";
    for (const wrong of [{ duration: 16 }, { aspect_ratio: "5:1" }, { resolution: "4k" }, { image: {} }])
      expect((await call("/videos/generations", { model, prompt, ...wrong })).status).toBe(400);
    expect((await call("/videos/generations", { model })).status).toBe(400);
    expect((await call("/videos/generations", { model: "grok-4", prompt })).status).toBe(404);
    expect((await call("/videos/edits", { model, prompt })).status).toBe(400);
    expect((await call("/videos/none")).status).toBe(404);
  });
});

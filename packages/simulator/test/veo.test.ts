import { createGoogleGenerativeAI } from "@ai-sdk/google";
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

const headers = { "x-goog-api-key": "any", "content-type": "application/json" };

function settings(values: object): Promise<Response> {
  return fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
}

/** An operation or an error, as far as these tests look. */
interface Answer {
  readonly name: string;
  readonly done?: boolean;
  readonly response: { generateVideoResponse: { generatedSamples: { video: { uri: string } }[] } };
  readonly error: { message: string };
}

/** A call below the API's version, with its status and JSON. */
async function call(path: string, body?: unknown) {
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`${simulator.url}/google/v1beta/${path}`, init);
  return { status: response.status, json: (await response.json()) as Answer };
}

function start(prompt: string, parameters: object = {}, model = "veo-3.1-generate-preview") {
  return call(`models/${model}:predictLongRunning`, { instances: [{ prompt }], parameters });
}

describe("veo", () => {
  test("serves the AI SDK's client from the prompt to the bytes", async () => {
    await settings({ videoBytes: 5000 });
    const google = createGoogleGenerativeAI({ baseURL: `${simulator.url}/google/v1beta`, apiKey: "any" });
    const { videos } = await google.video("veo-3.1-generate-preview").doGenerate({
      prompt: "a cat",
      n: 1,
      aspectRatio: "16:9",
      resolution: "1280x720",
      duration: 8,
      fps: undefined,
      seed: undefined,
      image: undefined,
      frameImages: undefined,
      inputReferences: undefined,
      generateAudio: undefined,
      providerOptions: { google: { pollIntervalMs: 20, negativePrompt: "dogs" } },
    });
    expect(videos).toHaveLength(1);
    const [video] = videos;
    if (video?.type !== "url") throw new Error("the client gives addresses");
    const content = await fetch(video.url, { headers });
    expect(content.headers.get("content-type")).toBe("video/mp4");
    const bytes = Buffer.from(await content.arrayBuffer());
    expect(bytes.length).toBe(5000);
    expect(bytes.toString("latin1", 4, 12)).toBe("ftypisom");
  });

  test("is done when its time is over, at one address from then on", async () => {
    await settings({ videoQueuedMs: 0, videoRunningMs: 60_000 });
    const { json } = await start("a cat");
    expect(json).toEqual({
      name: expect.stringMatching(/^models\/veo-3.1-generate-preview\/operations\/\w+$/),
    });
    expect((await call(json.name)).json).toEqual({ name: json.name });
    ahead += 60_000;
    const looks = await Promise.all([call(json.name), call(json.name)]);
    const uris = looks.map((look) => look.json.response.generateVideoResponse.generatedSamples[0]!.video.uri);
    expect(uris[0]).toBe(uris[1]);
    const redirect = await fetch(uris[0]!, { headers, redirect: "manual" });
    expect(redirect.status).toBe(302);
    const part = await fetch(new URL(redirect.headers.get("location")!), {
      headers: { ...headers, range: "bytes=4-7" },
    });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe("ftyp");
  });

  test("fails, is filtered and faults when asked to", async () => {
    await settings({ videoQueuedMs: 0, videoRunningMs: 0 });
    const failed = await call((await start("[[sim:fail]] a cat")).json.name);
    expect(failed.json).toMatchObject({ done: true, error: { code: 13 } });
    const filtered = await call((await start("[[sim:content-policy]] a cat")).json.name);
    expect(filtered.json.response.generateVideoResponse).toMatchObject({ raiMediaFilteredCount: 1 });
    expect(await start("[[sim:fault status=429;retry-after=2]] a cat")).toMatchObject({
      status: 429,
      json: { error: { status: "RESOURCE_EXHAUSTED" } },
    });
  });

  test("checks what Google checks", async () => {
    const refusals: [object, string][] = [
      [{ durationSeconds: 12 }, "durationSeconds"],
      [{ aspectRatio: "1:1" }, "aspectRatio"],
      [{ resolution: "480p" }, "resolution"],
      [{ resolution: "1080p", durationSeconds: 4 }, "durationSeconds"],
      [{ colour: "blue" }, "colour"],
    ];
    for (const [parameters, name] of refusals) {
      const { status, json } = await start("a cat", parameters);
      expect(status).toBe(400);
      expect(json.error.message).toContain(name);
    }
    expect((await start("")).status).toBe(400);
    expect((await start("a cat", {}, "gemini-2.5-flash")).status).toBe(404);
    expect((await call("models/veo-3.1-generate-preview/operations/none")).status).toBe(404);
    expect((await call("files/none:download?alt=media")).status).toBe(403);
  });
});

import OpenAI, { toFile } from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("Videos of xAI", () => {
  let simulator: Awaited<ReturnType<typeof startSimulator>>;
  /** Milliseconds by which the simulator's clock is ahead. */
  let ahead = 0;
  let gateway: TestGateway;
  let strict: TestGateway;
  let openai: OpenAI;
  beforeAll(async () => {
    simulator = await startSimulator({ clock: () => Date.now() + ahead });
    const config = `
model_list:
  - {model_name: clips, litellm_params: {model: xai/grok-imagine-video, api_key: xai-key, api_base: "${simulator.url}/xai/v1", output_cost_per_second: 0.05}}
`;
    strict = await startTestGateway({ config });
    gateway = await startTestGateway({
      config: `${config}\ngateway_settings: {allow_private_networks: true}`,
    });
    openai = new OpenAI({ apiKey: gateway.masterKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  afterAll(async () => {
    await Promise.all([gateway?.close(), strict?.close()]);
    await simulator?.close();
  });
  beforeEach(async () => {
    await fetch(`${simulator.url}/_admin/requests`, { method: "DELETE" });
    await settings({ videoQueuedMs: 0, videoRunningMs: 0, videoBytes: 60_000 });
  });

  function settings(values: object): Promise<Response> {
    return fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
  }

  it("are created, followed, listed, downloaded, remixed and deleted with the official client", async () => {
    await settings({ videoRunningMs: 600_000 });
    const created = await openai.videos.create({
      model: "clips",
      prompt: "a cat",
      seconds: "8",
      size: "1280x720",
      input_reference: await toFile(png, "a.png"),
    });
    expect(created).toMatchObject({ status: "queued", seconds: "8", size: "1280x720", progress: 0 });
    const [start] = simulator.received();
    expect(start).toMatchObject({
      path: "/xai/v1/videos/generations",
      body: {
        model: "grok-imagine-video",
        prompt: "a cat",
        duration: 8,
        aspect_ratio: "16:9",
        resolution: "720p",
        image: { url: `data:image/png;base64,${png.toString("base64")}` },
      },
    });
    ahead += 300_000;
    const half = await openai.videos.retrieve(created.id);
    expect(half.status).toBe("in_progress");
    expect(half.progress).toBeGreaterThanOrEqual(50);
    ahead += 300_000;
    expect((await openai.videos.retrieve(created.id)).status).toBe("completed");
    expect((await openai.videos.list()).data[0]).toMatchObject({ id: created.id, expires_at: null });
    const content = await openai.videos.downloadContent(created.id);
    expect((await content.arrayBuffer()).byteLength).toBe(60_000);
    const fetched = simulator.received().at(-1)!;
    expect(fetched.path).toMatch(/^\/xai-files\//);
    expect(fetched.headers.authorization).toBeUndefined();

    const remix = await openai.videos.remix(created.id, { prompt: "make it blue" });
    expect(remix).toMatchObject({ status: "queued", remixed_from_video_id: created.id, seconds: "8" });
    const url = `${simulator.url}${fetched.path}`;
    expect(simulator.received().at(-1)).toMatchObject({
      path: "/xai/v1/videos/edits",
      body: { model: "grok-imagine-video", prompt: "make it blue", video: { url } },
    });
    expect((await openai.videos.delete(created.id)).deleted).toBe(true);
    await expect(openai.videos.retrieve(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("pass ranges on, and say so when the bytes are gone", async () => {
    const { id } = await openai.videos.create({ model: "clips", prompt: "a cat" });
    const path = `/v1/videos/${id}/content`;
    const part = await gateway.call(path, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
    expect((await gateway.call(path, { headers: { range: "bytes=70000-" } })).status).toBe(416);
    simulator.setFault({ method: "GET", path: "/xai-files", fault: "status=404", times: 1 });
    expect((await gateway.call(path)).status).toBe(404);
  });

  it("that fail or are withheld say why", async () => {
    const codes = [];
    for (const note of ["fail", "content-policy"]) {
      const { id } = await openai.videos.create({ model: "clips", prompt: `[[sim:${note}]] a cat` });
      const { status, error } = await openai.videos.retrieve(id);
      codes.push([status, error?.code]);
    }
    expect(codes).toEqual([
      ["failed", "video_generation_failed"],
      ["failed", "content_policy_violation"],
    ]);
  });

  it("refuse what has no counterpart, and remixes of what is not finished", async () => {
    for (const [field, value] of Object.entries({ size: "1920x1080", seconds: "soon", seed: 1, n: 2 })) {
      const answer = await gateway.call("/v1/videos", {
        body: { model: "clips", prompt: "a cat", [field]: value },
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { param: field } });
    }
    expect(simulator.received()).toEqual([]);
    await settings({ videoRunningMs: 60_000 });
    const { id } = await openai.videos.create({ model: "clips", prompt: "a cat" });
    await expect(openai.videos.remix(id, { prompt: "b" })).rejects.toMatchObject({ status: 400 });
  });

  it("cost what their seconds cost", async () => {
    const created = await gateway.call("/v1/videos", {
      body: { model: "clips", prompt: "a cat", seconds: 10, aspect_ratio: "1:1" },
    });
    expect(Number(created.headers.get("x-portico-response-cost"))).toBeCloseTo(0.5);
    expect(await created.json()).toMatchObject({ size: "480x480" });
  });

  it("are not fetched out of a private network, whatever the provider says", async () => {
    const created = await strict.call("/v1/videos", { body: { model: "clips", prompt: "a cat" } });
    const { id } = (await created.json()) as { id: string };
    const before = simulator.received().length;
    const content = await strict.call(`/v1/videos/${id}/content`);
    expect(content.status).toBe(502);
    expect(
      simulator
        .received()
        .slice(before)
        .map(({ path }) => path.split("/")[1]),
    ).toEqual(["xai"]);
  });
});

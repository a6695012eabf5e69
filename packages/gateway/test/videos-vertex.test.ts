import OpenAI from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

describe("Videos of Vertex AI", () => {
  let simulator: Awaited<ReturnType<typeof startSimulator>>;
  /** Milliseconds by which the simulator's clock is ahead. */
  let ahead = 0;
  let gateway: TestGateway;
  let openai: OpenAI;
  beforeAll(async () => {
    simulator = await startSimulator({ clock: () => Date.now() + ahead });
    const credentials = {
      type: "authorized_user",
      client_id: "c",
      client_secret: "s",
      refresh_token: "r",
      token_uri: `${simulator.url}/vertex/token`,
    };
    gateway = await startTestGateway({
      config: `
model_list:
  - model_name: films
    litellm_params:
      model: vertex_ai/veo-3.0-generate-001
      vertex_project: cinema
      vertex_location: us-central1
      vertex_credentials: ${JSON.stringify(credentials)}
      api_base: "${simulator.url}/vertex"
      output_cost_per_second: 0.4
`,
    });
    openai = new OpenAI({ apiKey: gateway.masterKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
  });
  beforeEach(async () => {
    await fetch(`${simulator.url}/_admin/requests`, { method: "DELETE" });
    await settings({ videoQueuedMs: 0, videoRunningMs: 0, videoBytes: 80_000 });
  });

  function settings(values: object): Promise<Response> {
    return fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
  }

  it("are created, followed, listed, downloaded and deleted with the official client", async () => {
    await settings({ videoRunningMs: 60_000 });
    const { data: created, response } = await openai.videos
      .create({ model: "films", prompt: "a cat", seconds: "8", size: "1280x720" })
      .withResponse();
    expect(Number(response.headers.get("x-portico-response-cost"))).toBeCloseTo(3.2);
    expect(created).toMatchObject({ status: "queued", model: "veo-3.0-generate-001" });
    expect(created.id.length).toBeLessThanOrEqual(64);
    const place = "/vertex/v1/projects/cinema/locations/us-central1/publishers/google/models";
    expect(simulator.received().find(({ path }) => path.endsWith(":predictLongRunning"))).toMatchObject({
      path: `${place}/veo-3.0-generate-001:predictLongRunning`,
      headers: { authorization: "Bearer vertex-simulated" },
      body: {
        instances: [{ prompt: "a cat" }],
        parameters: { sampleCount: 1, durationSeconds: 8, aspectRatio: "16:9", resolution: "720p" },
      },
    });
    expect((await openai.videos.retrieve(created.id)).status).toBe("in_progress");
    ahead += 60_000;
    expect(await openai.videos.retrieve(created.id)).toMatchObject({ status: "completed", expires_at: null });
    const page = await gateway.call("/v1/videos?custom_llm_provider=vertex_ai");
    expect(await page.json()).toMatchObject({ data: [{ id: created.id, status: "completed" }] });
    const content = await openai.videos.downloadContent(created.id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    const bytes = Buffer.from(await content.arrayBuffer());
    expect([bytes.length, bytes.toString("latin1", 4, 12)]).toEqual([80_000, "ftypisom"]);
    expect((await openai.videos.delete(created.id)).deleted).toBe(true);
    await expect(openai.videos.retrieve(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("have ranges and versions although they come whole", async () => {
    const { id } = await openai.videos.create({ model: "films", prompt: "a cat" });
    const path = `/v1/videos/${id}/content`;
    const part = await gateway.call(path, { headers: { range: "bytes=4-7" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      "bytes 4-7/80000",
      "ftyp",
    ]);
    const etag = part.headers.get("etag")!;
    expect((await gateway.call(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await gateway.call(path, { headers: { range: "bytes=80000-" } })).status).toBe(416);
  });

  it("may be asked for with sound, and say why they failed", async () => {
    await gateway.call("/v1/videos", { body: { model: "films", prompt: "a cat", generate_audio: true } });
    expect(simulator.received().at(-1)).toMatchObject({ body: { parameters: { generateAudio: true } } });
    const codes = [];
    for (const note of ["fail", "content-policy"]) {
      const { id } = await openai.videos.create({ model: "films", prompt: `[[sim:${note}]] a cat` });
      codes.push((await openai.videos.retrieve(id)).error?.code);
    }
    expect(codes).toEqual(["video_generation_failed", "content_policy_violation"]);
    const refused = await gateway.call("/v1/videos", {
      body: { model: "films", prompt: "a cat", style: "x" },
    });
    expect(await refused.json()).toMatchObject({ error: { param: "style" } });
  });

  it("are asked for by operations only, whatever an id says", async () => {
    const refusals = { x: 404, "projects/p/locations/l/publishers/google/models/../../m/operations/1": 400 };
    for (const [name, status] of Object.entries(refusals)) {
      const text = `litellm:custom_llm_provider:vertex_ai;model_id:;video_id:${name}`;
      const id = `video_${Buffer.from(text).toString("base64")}`;
      expect((await gateway.call(`/v1/videos/${encodeURIComponent(id)}`)).status).toBe(status);
    }
    expect(simulator.received()).toEqual([]);
  });
});

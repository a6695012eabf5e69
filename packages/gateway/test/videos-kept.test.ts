import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let simulator: Awaited<ReturnType<typeof startSimulator>>;
let gateway: TestGateway;
beforeAll(async () => {
  simulator = await startSimulator();
  const settings = { videoQueuedMs: 50, videoRunningMs: 50, videoBytes: 300_000 };
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: movies, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: films, litellm_params: {model: gemini/veo-3.0-generate-001, api_key: k, api_base: "${simulator.url}/google"}}
gateway_settings: {keep_artifacts: true}
`,
  });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

/** Makes a video and waits until the gateway has its own copy, whose version differs from the provider's. */
async function keptVideo(model = "movies"): Promise<string> {
  const created = await gateway.call("/v1/videos", { body: { model, prompt: "a cat" } });
  const { id } = (await created.json()) as { id: string };
  await until(async () => {
    const before = simulator.received().length;
    const content = await gateway.call(`/v1/videos/${id}/content`);
    await content.arrayBuffer();
    const asked = simulator.received().slice(before);
    return content.status === 200 && !asked.some(({ path }) => /(\/content|:download)$/.test(path));
  });
  return id;
}

it("A finished video is kept when its provider has forgotten it: status, content, ranges, versions", async () => {
  const id = await keptVideo();
  await simulator.reset();
  expect(await (await gateway.call(`/v1/videos/${id}`)).json()).toMatchObject({
    id,
    status: "completed",
    expires_at: null,
  });
  const path = `/v1/videos/${id}/content`;
  const whole = await gateway.call(path);
  expect(whole.headers.get("content-type")).toBe("video/mp4");
  expect(whole.headers.get("content-disposition")).toBe(`attachment; filename=video_${id}.mp4`);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(bytes.length).toBe(300_000);
  const part = async (range: string, more = {}): Promise<[number, string | null, Buffer]> => {
    const answer = await gateway.call(path, { headers: { range, ...more } });
    return [answer.status, answer.headers.get("content-range"), Buffer.from(await answer.arrayBuffer())];
  };
  expect(await part("bytes=10-19")).toEqual([206, "bytes 10-19/300000", bytes.subarray(10, 20)]);
  expect(await part("bytes=-5")).toEqual([206, "bytes 299995-299999/300000", bytes.subarray(-5)]);
  expect((await part("bytes=299990-"))[2].length).toBe(10);
  expect((await part("bytes=300000-"))[0]).toBe(416);
  expect((await part("bytes=0-1", { "if-range": '"another"' }))[0]).toBe(200);
  const etag = whole.headers.get("etag")!;
  expect((await gateway.call(path, { headers: { "if-none-match": etag } })).status).toBe(304);
});

it("A kept video is deleted with its copy", async () => {
  const id = await keptVideo();
  const deleted = await gateway.call(`/v1/videos/${id}`, { method: "DELETE" });
  expect(await deleted.json()).toMatchObject({ id, deleted: true });
  expect((await gateway.call(`/v1/videos/${id}/content`)).status).toBe(404);
});

it("A finished video of Veo is kept past Google's two days", async () => {
  const settings = { videoQueuedMs: 50, videoRunningMs: 50, videoBytes: 40_000 };
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
  const id = await keptVideo("films");
  await simulator.reset();
  expect(await (await gateway.call(`/v1/videos/${id}`)).json()).toMatchObject({ id, status: "completed" });
  const content = await gateway.call(`/v1/videos/${id}/content`);
  expect((await content.arrayBuffer()).byteLength).toBe(40_000);
  const deleted = await gateway.call(`/v1/videos/${id}`, { method: "DELETE" });
  expect(await deleted.json()).toMatchObject({ id, deleted: true });
  expect((await gateway.call(`/v1/videos/${id}/content`)).status).toBe(404);
});

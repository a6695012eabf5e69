import { startSimulator } from "portico-simulator";
import { expect, it } from "vitest";
import { spawnTestGateway, startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";
import { memoryOf, transferVideo } from "./video-memory/transfer.ts";

const mebibyte = 1024 * 1024;

it("A large reference file and a large video pass through without being held in memory", async () => {
  // What waits for the garbage collector, up to some 110 MiB, does not grow with the size.
  const size = 384;
  const { atRest, peak, uploaded, downloaded } = await transferVideo(size);
  expect(uploaded).toBeGreaterThan(size * mebibyte);
  expect(downloaded).toBe(size * mebibyte);
  expect(peak - atRest).toBeLessThan(size / 2);
});

it("A large video that its provider answers with in base64 is not held in memory either", async () => {
  const size = 160;
  const simulator = await startSimulator();
  const settings = { videoQueuedMs: 0, videoRunningMs: 0, videoBytes: size * mebibyte };
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
  const credentials = {
    type: "authorized_user",
    client_id: "c",
    client_secret: "s",
    refresh_token: "r",
    token_uri: `${simulator.url}/vertex/token`,
  };
  const gateway = await spawnTestGateway({
    config: `
model_list:
  - model_name: films
    litellm_params:
      model: vertex_ai/veo-3.0-generate-001
      vertex_project: cinema
      vertex_location: us-central1
      vertex_credentials: ${JSON.stringify(credentials)}
      api_base: "${simulator.url}/vertex"
`,
  });
  try {
    const atRest = memoryOf(gateway, "VmRSS");
    const created = await gateway.call("/v1/videos", { body: { model: "films", prompt: "a cat" } });
    const { id } = (await created.json()) as { id: string };
    const described = await gateway.call(`/v1/videos/${id}`);
    expect(await described.json()).toMatchObject({ status: "completed" });
    const answer = await gateway.call(`/v1/videos/${id}/content`);
    let downloaded = 0;
    for await (const chunk of answer.body!) downloaded += chunk.byteLength;
    expect(downloaded).toBe(size * mebibyte);
    // Held whole it would take a third more than the video for the base64 alone, and as much again decoded.
    expect(memoryOf(gateway, "VmHWM") - atRest).toBeLessThan(size);
  } finally {
    await gateway.close();
    await simulator.close();
  }
});

it("A client that leaves stops the transfer from the provider", async () => {
  const simulator = await startSimulator();
  const settings = { videoQueuedMs: 0, videoRunningMs: 0, videoBytes: 400 * mebibyte };
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
  const gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: movies, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1"}}
`,
  });
  try {
    const created = await gateway.call("/v1/videos", { body: { model: "movies", prompt: "a cat" } });
    const { id } = (await created.json()) as { id: string };
    const leaving = new AbortController();
    const answer = await gateway.call(`/v1/videos/${id}/content`, { signal: leaving.signal });
    await answer.body!.getReader().read();
    leaving.abort();
    const transfer = () => simulator.received().find(({ path }) => path.endsWith("/content"));
    await until(() => transfer()?.aborted === true);
  } finally {
    await gateway.close();
    await simulator.close();
  }
});

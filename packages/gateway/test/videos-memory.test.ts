import { startSimulator } from "portico-simulator";
import { expect, it } from "vitest";
import { startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";
import { transferVideo } from "./video-memory/transfer.ts";

const mebibyte = 1024 * 1024;

it("A large reference file and a large video pass through without being held in memory", async () => {
  const size = 192;
  const { atRest, peak, uploaded, downloaded } = await transferVideo(size);
  expect(uploaded).toBeGreaterThan(size * mebibyte);
  expect(downloaded).toBe(size * mebibyte);
  expect(peak - atRest).toBeLessThan(size / 2);
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

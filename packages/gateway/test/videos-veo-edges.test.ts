import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
/** A provider that says where its video is. */
let liar: Server;
let videoAddress = "";
const asked: string[] = [];

beforeAll(async () => {
  liar = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://liar");
    asked.push(pathname);
    if (pathname.endsWith(":download")) {
      response.writeHead(302, { location: videoAddress }).end();
      return;
    }
    const name = "models/veo-3.0-generate-001/operations/1";
    const video = { uri: pathname.includes("odd") ? videoAddress : "https://g.test/v1beta/files/1:download" };
    const done = { done: true, response: { generateVideoResponse: { generatedSamples: [{ video }] } } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.method === "POST" ? { name } : { name, ...done }));
  });
  await new Promise<void>((ready) => liar.listen(0, "127.0.0.1", ready));
  const { port } = liar.address() as AddressInfo;
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: liar, litellm_params: {model: gemini/veo-3.0-generate-001, api_key: secret-key, api_base: "http://127.0.0.1:${port}"}}
  - {model_name: odd, litellm_params: {model: gemini/veo-3.0-generate-001, api_key: secret-key, api_base: "http://127.0.0.1:${port}/odd"}}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  liar?.close();
});

async function create(model: string): Promise<string> {
  const created = await gateway.call("/v1/videos", { body: { model, prompt: "a cat" } });
  return ((await created.json()) as { id: string }).id;
}

it.each(["http://169.254.169.254/latest", "https://elsewhere.test/video", "", "//elsewhere.test/video"])(
  "Videos of Veo: no redirect to '%s' gets the key",
  async (address) => {
    videoAddress = address;
    const content = await gateway.call(`/v1/videos/${await create("liar")}/content`);
    expect(content.status).toBe(502);
    expect(await content.text()).not.toContain("secret-key");
  },
);

it("Videos of Veo: a circle of redirects ends", async () => {
  videoAddress = "/v1beta/files/1:download";
  asked.length = 0;
  const content = await gateway.call(`/v1/videos/${await create("liar")}/content`);
  expect(content.status).toBe(502);
  expect(asked.filter((path) => path.endsWith(":download")).length).toBeLessThan(10);
});

it("Videos of Veo: an address that is no file of Google's is not asked for", async () => {
  videoAddress = "https://elsewhere.test/video.mp4";
  asked.length = 0;
  const status = await gateway.call(`/v1/videos/${await create("odd")}`);
  expect(status.status).toBe(502);
  expect(asked.every((path) => !path.includes("download"))).toBe(true);
});

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import OpenAI, { toFile } from "openai";
import type { Simulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import {
  BLUE_KEY,
  clientOf,
  RED_KEY,
  type Resources,
  startResources,
  TEAM_KEYS,
} from "./support/resources.ts";

let resources: Resources;
let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  resources = await startResources();
  ({ simulator } = resources);
  gateway = await resources.start(`
model_list:
  - {model_name: movies, litellm_params: {model: azure/sora-2, api_key: deployment-key, api_base: "${simulator.url}/azure"}}
${TEAM_KEYS}`);
});
afterAll(() => resources?.close());
beforeEach(async () => {
  await simulator.reset();
  await settings({ videoQueuedMs: 0, videoRunningMs: 0, videoBytes: 200_000 });
});

function settings(values: object): Promise<Response> {
  return fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
}

function client(apiKey = BLUE_KEY, prefix = "/v1"): OpenAI {
  return clientOf(gateway, apiKey, prefix);
}

function askedProviders(): string[] {
  return simulator.received().map((request) => request.path.split("/")[1]!);
}

async function create(body: object, headers: Record<string, string> = {}): Promise<string> {
  const response = await gateway.call("/v1/videos", { body: { prompt: "a cat", ...body }, headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

/** LiteLLM's form of an id that names its provider. */
function litellmId(provider: string, id: string): string {
  return `video_${Buffer.from(`litellm:custom_llm_provider:${provider};model_id:;video_id:${id}`).toString("base64")}`;
}

describe("Videos", () => {
  it.each(["/v1", ""])(
    "creates, follows, lists, remixes and deletes with the official client below '%s'",
    async (prefix) => {
      const openai = client(undefined, prefix);
      const video = await openai.videos.create({ model: "movies", prompt: "a cat", seconds: "4" });
      expect(video).toMatchObject({ object: "video", model: "sora-2" });
      expect((await openai.videos.retrieve(video.id)).id).toBe(video.id);
      expect((await openai.videos.list()).data.map(({ id }) => id)).not.toContain(undefined);
      const remix = await openai.videos.remix(video.id, { prompt: "a dog" });
      expect(remix.remixed_from_video_id).toBe(video.id);
      expect((await openai.videos.retrieve(remix.id)).remixed_from_video_id).toBe(video.id);
      await openai.videos.delete(video.id);
      await expect(openai.videos.retrieve(video.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    },
  );

  it("keeps the creating deployment's credentials for status, content and remix", async () => {
    const id = await create({ model: "movies" });
    await gateway.call(`/v1/videos/${id}`);
    await gateway.call(`/v1/videos/${id}/content`);
    await gateway.call(`/v1/videos/${id}/remix`, { body: { prompt: "b" } });
    expect(simulator.received().map((request) => request.headers["api-key"])).toEqual(
      Array(4).fill("deployment-key"),
    );
  });

  it("shows the same id in create, status and list", async () => {
    const id = await create({});
    const page = (await (await gateway.call("/v1/videos")).json()) as { data: { id: string }[] };
    expect(page.data.map((video) => video.id)).toEqual([id]);
    expect(id.length).toBeLessThanOrEqual(64);
  });

  it("Videos content: video/mp4 as an attachment, with ranges, etag and variants", async () => {
    const id = await create({});
    const whole = await gateway.call(`/v1/videos/${id}/content`);
    expect(whole.headers.get("content-type")).toBe("video/mp4");
    expect(whole.headers.get("content-disposition")).toBe(`attachment; filename=video_${id}.mp4`);
    expect((await whole.arrayBuffer()).byteLength).toBe(200_000);
    const part = await gateway.call(`/v1/videos/${id}/content`, { headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe("bytes 10-19/200000");
    expect((await part.arrayBuffer()).byteLength).toBe(10);
    const etag = whole.headers.get("etag")!;
    expect(
      (await gateway.call(`/v1/videos/${id}/content`, { headers: { "if-none-match": etag } })).status,
    ).toBe(304);
    const thumbnail = await gateway.call(`/v1/videos/${id}/content?variant=thumbnail`);
    expect(thumbnail.headers.get("content-type")).toBe("image/webp");
  });

  it("Videos content: a foreign id cannot break out of the file name", async () => {
    await settings({ videoQueuedMs: 0 });
    const id = encodeURIComponent('x"; filename=evil.sh\r\nset-cookie: a');
    const answer = await gateway.call(`/v1/videos/${id}/content`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("passes a form with a reference file on, its model replaced", async () => {
    const file = await toFile(Buffer.alloc(3_000_000, 7), "reference.png", { type: "image/png" });
    const video = await client().videos.create({ model: "movies", prompt: "a cat", input_reference: file });
    expect(video.model).toBe("sora-2");
    const [request] = simulator.received();
    expect(Number(request!.headers["content-length"])).toBeGreaterThan(3_000_000);
  });

  it("Videos remix: the body must be valid JSON", async () => {
    const id = await create({});
    const answer = await fetch(`${gateway.url}/v1/videos/${id}/remix`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.masterKey}`, "content-type": "application/json" },
      body: "{broken",
    });
    expect(answer.status).toBe(400);
  });

  describe("provider selection", () => {
    const placed = {
      header: (provider: string) => ({ headers: { "custom-llm-provider": provider }, query: "", body: {} }),
      query: (provider: string) => ({ headers: {}, query: `?custom_llm_provider=${provider}`, body: {} }),
      body: (provider: string) => ({ headers: {}, query: "", body: { custom_llm_provider: provider } }),
    };
    type Place = keyof typeof placed;

    /** Every place says another provider than those after it; the first one given must win. */
    function combine(places: readonly Place[]): {
      headers: Record<string, string>;
      query: string;
      body: object;
    } {
      const parts = places.map((place, index) => placed[place](index === 0 ? "azure" : "openai"));
      return {
        headers: Object.assign({}, ...parts.map((part) => part.headers)),
        query: parts.map((part) => part.query).join(""),
        body: Object.assign({}, ...parts.map((part) => part.body)),
      };
    }

    const combinations: readonly (readonly Place[])[] = [
      ["header", "query", "body"],
      ["header", "query"],
      ["header", "body"],
      ["query", "body"],
      ["header"],
      ["query"],
      ["body"],
    ];

    it("Videos create: no selector applies but what the body passes through", async () => {
      await create({}, { "custom-llm-provider": "azure" });
      await create({ custom_llm_provider: "azure" });
      await create({});
      expect(askedProviders()).toEqual(["openai", "azure", "openai"]);
    });

    it.each(combinations.map((places) => ({ places, order: places.join(", ") })))(
      "Videos remix: of $order the first wins, also over the id",
      async ({ places }) => {
        const { headers, query, body } = combine(places);
        await gateway.call(`/v1/videos/${litellmId("openai", "video_1")}/remix${query}`, {
          headers,
          body: { prompt: "p", ...body },
        });
        expect(askedProviders()).toEqual(["azure"]);
      },
    );

    /** fetch sends no body with GET, but the table has one. */
    async function getWithBody(path: string, headers: Record<string, string>, body: object): Promise<number> {
      const text = JSON.stringify(body);
      const length = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
      const authorization = `Bearer ${gateway.masterKey}`;
      const call = request(gateway.url + path, { headers: { ...headers, ...length, authorization } });
      const [answer] = (await once(call.end(text), "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode!;
    }

    const foreign = litellmId("openai", "video_1");
    it.each(
      ["", `/${foreign}`, `/${foreign}/content`].flatMap((suffix) =>
        combinations.map((places) => ({
          operation: suffix === "" ? "list" : suffix.endsWith("content") ? "content" : "status",
          suffix,
          places,
          order: places.join(", "),
        })),
      ),
    )("Videos $operation: of $order the first wins, also over the id", async ({ suffix, places }) => {
      const { headers, query, body } = combine(places);
      await getWithBody(`/v1/videos${suffix}${query}`, headers, body);
      expect(askedProviders()).toEqual(["azure"]);
    });

    it.each(["", "/content"])(
      "Videos status and content%s: header, query, then the provider in the id",
      async (suffix) => {
        const path = `/v1/videos/${litellmId("azure", "video_1")}${suffix}`;
        await gateway.call(`${path}?custom_llm_provider=azure`, {
          headers: { "custom-llm-provider": "openai" },
        });
        await gateway.call(`${path}?custom_llm_provider=openai`);
        await gateway.call(path);
        expect(askedProviders()).toEqual(["openai", "openai", "azure"]);
      },
    );

    it("Videos status: the default provider for an id that names none", async () => {
      await gateway.call("/v1/videos/video_raw");
      expect(askedProviders()).toEqual(["openai"]);
    });

    it("Videos list: header, then query, then the default; every parameter is forwarded", async () => {
      await gateway.call("/v1/videos?custom_llm_provider=openai&limit=2", {
        headers: { "custom-llm-provider": "azure" },
      });
      await gateway.call("/videos?custom_llm_provider=azure&order=asc");
      await gateway.call("/videos");
      expect(askedProviders()).toEqual(["azure", "azure", "openai"]);
      expect(simulator.received().map((request) => request.query)).toEqual([
        { limit: "2" },
        { order: "asc" },
        {},
      ]);
    });
  });

  it("shows a video to its team only", async () => {
    const { id } = await client().videos.create({ prompt: "secret" });
    await expect(client(RED_KEY).videos.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await client(RED_KEY).videos.list()).data).toEqual([]);
  });
});

it("Videos cost what their seconds cost, remixes too", async () => {
  const priced = await startTestGateway({
    config: `
model_list:
  - {model_name: movies, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1", output_cost_per_video_per_second: 0.1}}
`,
  });
  try {
    const body = { model: "movies", prompt: "a cat", seconds: "8" };
    const created = await priced.call("/v1/videos", { body });
    expect(Number(created.headers.get("x-portico-response-cost"))).toBeCloseTo(0.8);
    const { id } = (await created.json()) as { id: string };
    const remixed = await priced.call(`/v1/videos/${id}/remix`, { body: { prompt: "a dog" } });
    expect(Number(remixed.headers.get("x-portico-response-cost"))).toBeCloseTo(0.8);
    expect((await priced.call(`/v1/videos/${id}`)).headers.get("x-portico-response-cost")).toBeNull();
  } finally {
    await priced.close();
  }
});

it("Videos pass a form's image by address or file id on, the id being the provider's", async () => {
  const openai = client();
  const file = await openai.files.create({
    file: await toFile(Buffer.from("png"), "a.png"),
    purpose: "vision",
  });
  await openai.videos.create({ model: "sora-2", prompt: "a cat", input_reference: { file_id: file.id } });
  const body = { model: "sora-2", prompt: "a cat", input_reference: file.id };
  await gateway.call("/v1/videos", { key: BLUE_KEY, body });
  const foreign = await gateway.call("/v1/videos", { key: RED_KEY, body });
  expect(foreign.status).toBe(404);
  expect(simulator.received()).toHaveLength(3);
  const [uploaded, created, named] = simulator.received();
  expect(JSON.stringify(named!.body)).not.toContain(file.id);
  expect(uploaded!.path).toBe("/openai/v1/files");
  expect(created!.path).toBe("/openai/v1/videos");
  expect(created!.headers["content-type"]).toContain("multipart/form-data");
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI, { toFile } from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

type Simulator = Awaited<ReturnType<typeof startSimulator>>;

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.each(
  [
    { database: "SQLite", skipped: false },
    { database: "PostgreSQL", skipped: !hasPostgres },
  ].filter(({ skipped }) => !skipped),
)("Videos of Veo, remembered by $database", ({ database }) => {
  let simulator: Simulator;
  /** Milliseconds by which the simulator's clock is ahead. */
  let ahead = 0;
  let postgres: TestDatabases | undefined;
  let environment: Record<string, string> = {};
  let gateway: TestGateway;
  const dataDirectory = mkdtempSync(join(tmpdir(), "portico-veo-"));

  function start(): Promise<TestGateway> {
    const config = `
model_list:
  - {model_name: films, litellm_params: {model: gemini/veo-3.0-generate-preview, api_key: veo-key, api_base: "${simulator.url}/google", output_cost_per_second: 0.4}}
  - {model_name: more-films, litellm_params: {model: gemini/veo-2.0-generate-001, api_key: other-key, api_base: "${simulator.url}/google"}}
keys:
  - {key: sk-blue-0123456789, team_id: blue}
  - {key: sk-red-0123456789, team_id: red}
  - {key: sk-poor-0123456789, team_id: poor, max_budget: 3}
  - {key: sk-hasty-0123456789, team_id: hasty, max_budget: 3}
`;
    return startTestGateway({ config, environment, dataDirectory });
  }

  beforeAll(async () => {
    simulator = await startSimulator({ clock: () => Date.now() + ahead });
    if (database === "PostgreSQL") {
      postgres = await openDatabases();
      environment = { DATABASE_URL: await postgres.createDatabase() };
    }
    gateway = await start();
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
    await postgres?.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    // A reset would begin with the same ids again.
    await fetch(`${simulator.url}/_admin/requests`, { method: "DELETE" });
    await settings({ videoQueuedMs: 0, videoRunningMs: 0, videoBytes: 100_000 });
  });

  /** What Google does after two days. */
  async function forgetFiles(): Promise<void> {
    const headers = { "x-goog-api-key": "k" };
    const listed = await fetch(`${simulator.url}/google/v1beta/files`, { headers });
    const { files } = (await listed.json()) as { files: { name: string }[] };
    for (const { name } of files)
      await fetch(`${simulator.url}/google/v1beta/${name}`, { method: "DELETE", headers });
  }

  function settings(values: object): Promise<Response> {
    return fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
  }

  function client(apiKey = "sk-blue-0123456789"): OpenAI {
    return new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  }

  async function refusal(body: object): Promise<{ status: number; param: unknown }> {
    const answer = await gateway.call("/v1/videos", { body: { model: "films", prompt: "a cat", ...body } });
    const { error } = (await answer.json()) as { error: { param?: string } };
    return { status: answer.status, param: error.param };
  }

  it("creates, polls, lists, downloads and deletes with the official client", async () => {
    await settings({ videoRunningMs: 60_000 });
    const openai = client();
    const created = await openai.videos.create({
      model: "films",
      prompt: "a cat",
      seconds: "8",
      size: "1280x720",
    });
    expect(created).toMatchObject({
      object: "video",
      status: "queued",
      progress: 0,
      model: "veo-3.0-generate-preview",
      prompt: "a cat",
      seconds: "8",
      size: "1280x720",
      completed_at: null,
      error: null,
    });
    expect(created.id.length).toBeLessThanOrEqual(64);
    expect((await openai.videos.retrieve(created.id)).status).toBe("in_progress");
    ahead += 60_000;
    const done = await openai.videos.retrieve(created.id);
    expect(done).toMatchObject({
      id: created.id,
      status: "completed",
      progress: 100,
      created_at: created.created_at,
    });
    expect(done.expires_at! - done.completed_at!).toBe(2 * 86_400);
    expect((await openai.videos.list()).data[0]).toEqual(done);
    const content = await openai.videos.downloadContent(created.id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    expect(content.headers.get("content-disposition")).toBe(`attachment; filename=video_${created.id}.mp4`);
    const bytes = Buffer.from(await content.arrayBuffer());
    expect(bytes.length).toBe(100_000);
    expect(bytes.toString("latin1", 4, 12)).toBe("ftypisom");
    expect(await openai.videos.delete(created.id)).toEqual({
      id: created.id,
      object: "video.deleted",
      deleted: true,
    });
    await expect(openai.videos.retrieve(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect(simulator.received().map(({ headers }) => headers["x-goog-api-key"])).toEqual(
      simulator.received().map(() => "veo-key"),
    );
    expect(simulator.received().at(-1)).toMatchObject({ method: "DELETE", status: 200 });
  });

  it("is made at one time only, however long it takes to write it down", async () => {
    const { now } = Date;
    let later = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => {
      later += 700;
      return now() + later;
    });
    const created = await client()
      .videos.create({ model: "films", prompt: "a cat" })
      .finally(() => clock.mockRestore());
    expect((await client().videos.retrieve(created.id)).created_at).toBe(created.created_at);
    // It would stand above those that are really younger.
    await client().videos.delete(created.id);
  });

  it("passes ranges and conditions on", async () => {
    const { id } = await client().videos.create({ model: "films", prompt: "a cat" });
    const path = `/v1/videos/${id}/content`;
    const part = await gateway.call(path, { headers: { range: "bytes=4-7" } });
    expect([part.status, await part.text()]).toEqual([206, "ftyp"]);
    const etag = part.headers.get("etag")!;
    expect((await gateway.call(path, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("speaks Veo's words to Google", async () => {
    const file = await toFile(png, "start.png");
    await client().videos.create({
      model: "films",
      prompt: "a cat",
      seconds: "4",
      size: "720x1280",
      input_reference: file,
    });
    const image = { bytesBase64Encoded: png.toString("base64"), mimeType: "image/png" };
    expect(simulator.received().at(-1)).toMatchObject({
      path: "/google/v1beta/models/veo-3.0-generate-preview:predictLongRunning",
      body: {
        instances: [{ prompt: "a cat", image }],
        parameters: { durationSeconds: 4, aspectRatio: "9:16", resolution: "720p" },
      },
    });
    await gateway.call("/v1/videos", {
      body: {
        model: "films",
        prompt: "a cat",
        negative_prompt: "dogs",
        personGeneration: "allow_adult",
        seed: 7,
        input_reference: { image_url: `data:image/png;base64,${image.bytesBase64Encoded}` },
      },
    });
    expect(simulator.received().at(-1)).toMatchObject({
      body: {
        instances: [{ prompt: "a cat", image }],
        parameters: { negativePrompt: "dogs", personGeneration: "allow_adult", seed: 7 },
      },
    });
  });

  it("takes an uploaded file as reference, of the caller's own team only", async () => {
    const uploaded = await client().files.create({ file: await toFile(png, "a.png"), purpose: "vision" });
    const wanted = { model: "films", prompt: "a cat", input_reference: { file_id: uploaded.id } };
    expect((await client().videos.create(wanted)).status).toBe("queued");
    expect(simulator.received().at(-1)).toMatchObject({
      body: { instances: [{ image: { bytesBase64Encoded: png.toString("base64") } }] },
    });
    await expect(client("sk-red-0123456789").videos.create(wanted)).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });

  it("refuses what Veo has no word for and names the field", async () => {
    const fields: [object, string][] = [
      [{ size: "1024x1792" }, "size"],
      [{ size: "large" }, "size"],
      [{ seconds: "soon" }, "seconds"],
      [{ style: "vivid" }, "style"],
      [{ n: 2 }, "n"],
      [{ seed: "x" }, "seed"],
      [{ input_reference: "a.png" }, "input_reference"],
      [{ input_reference: { image_url: "data:image/png;base64,AAAA" } }, "input_reference"],
    ];
    for (const [body, param] of fields) expect(await refusal(body)).toEqual({ status: 400, param });
    expect(simulator.received()).toEqual([]);
    const tooLong = await gateway.call("/v1/videos", {
      body: { model: "films", prompt: "a cat", seconds: "12" },
    });
    expect(tooLong.status).toBe(400);
    expect(await tooLong.text()).toContain("durationSeconds");
  });

  it("tells why a video failed or was stopped by a filter", async () => {
    const openai = client();
    const failed = await openai.videos.create({ model: "films", prompt: "[[sim:fail]] a cat" });
    expect(await openai.videos.retrieve(failed.id)).toMatchObject({
      status: "failed",
      error: { code: "video_generation_failed", message: "The video could not be made." },
    });
    const filtered = await openai.videos.create({ model: "films", prompt: "[[sim:content-policy]] a cat" });
    expect(await openai.videos.retrieve(filtered.id)).toMatchObject({
      status: "failed",
      error: { code: "content_policy_violation", message: expect.stringContaining("policies") },
    });
    await expect(openai.videos.downloadContent(filtered.id)).rejects.toThrow(/policies/);
  });

  it("refuses content before it is there, other variants, remixes and what the provider has forgotten", async () => {
    await settings({ videoRunningMs: 60_000 });
    const openai = client();
    const early = await openai.videos.create({ model: "films", prompt: "a cat" });
    await expect(openai.videos.downloadContent(early.id)).rejects.toThrow(/not ready/);
    await settings({ videoRunningMs: 0 });
    const { id } = await openai.videos.create({ model: "films", prompt: "a cat" });
    await expect(openai.videos.downloadContent(id, { variant: "thumbnail" })).rejects.toMatchObject({
      status: 400,
      param: "variant",
    });
    await expect(openai.videos.remix(id, { prompt: "a dog" })).rejects.toMatchObject({ status: 400 });
    expect((await openai.videos.retrieve(id)).status).toBe("completed");
    await forgetFiles();
    await expect(openai.videos.downloadContent(id)).rejects.toMatchObject({ status: 404 });
    expect((await openai.videos.retrieve(id)).status).toBe("completed");
    expect((await openai.videos.delete(id)).deleted).toBe(true);
  });

  it("asks the provider for nothing but operations, whatever an id says", async () => {
    const refusals = { "../files/x": 400, "models/veo/operations/../../files": 400, x: 404 };
    for (const [name, status] of Object.entries(refusals)) {
      const text = `litellm:custom_llm_provider:gemini;model_id:;video_id:${name}`;
      const id = `video_${Buffer.from(text).toString("base64")}`;
      expect((await gateway.call(`/v1/videos/${encodeURIComponent(id)}`)).status).toBe(status);
    }
    const unknown = `models/veo-2.0-generate-001/operations/none`;
    const named = { headers: { "custom-llm-provider": "gemini" } };
    expect(
      await (await gateway.call(`/v1/videos/${encodeURIComponent(unknown)}`, named)).json(),
    ).toMatchObject({
      error: { type: "not_found_error", message: "Requested entity was not found." },
    });
    expect(simulator.received().map(({ path }) => path)).toEqual([`/google/v1beta/${unknown}`]);
  });

  it("follows LiteLLM's ids and an operation that was started elsewhere", async () => {
    const made = await fetch(
      `${simulator.url}/google/v1beta/models/veo-2.0-generate-001:predictLongRunning`,
      {
        method: "POST",
        headers: { "x-goog-api-key": "k" },
        body: JSON.stringify({ instances: [{ prompt: "a cat" }] }),
      },
    );
    const { name } = (await made.json()) as { name: string };
    const text = `litellm:custom_llm_provider:gemini;model_id:;video_id:${name}`;
    const id = `video_${Buffer.from(text).toString("base64")}`;
    const video = await gateway.call(`/v1/videos/${encodeURIComponent(id)}`);
    expect(await video.json()).toMatchObject({ id, status: "completed" });
  });

  it("hands the provider's errors on", async () => {
    const limited = await gateway.call("/v1/videos", {
      body: { model: "films", prompt: "[[sim:fault status=429;retry-after=7]] a cat" },
    });
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("7");
  });

  it("pages through a team's own videos in both directions", async () => {
    const pager = client();
    const before = (await pager.videos.list({ limit: 100 })).data.length;
    const made: string[] = [];
    for (const prompt of ["a", "b", "c"])
      made.unshift((await pager.videos.create({ model: "films", prompt })).id);
    const seen: string[] = [];
    for await (const video of pager.videos.list({ limit: 2 })) seen.push(video.id);
    expect(seen.slice(0, 3)).toEqual(made);
    expect(seen.length).toBe(before + 3);
    const page = await pager.videos.list({ limit: 1, order: "asc", after: made[2]! });
    expect(page.data.map(({ id }) => id)).toEqual([made[1]]);
    expect((await client("sk-red-0123456789").videos.list()).data).toEqual([]);
    await expect(client("sk-red-0123456789").videos.retrieve(made[0]!)).rejects.toMatchObject({
      status: 404,
    });
  });

  it("asks with the credentials that made a video, in lists and under another name of the provider too", async () => {
    await settings({ videoRunningMs: 60_000 });
    const { id } = await client().videos.create({ model: "more-films", prompt: "a cat" });
    const page = await client().videos.list({ limit: 1 });
    expect(page.data).toMatchObject([{ id, status: "in_progress" }]);
    for (const name of ["gemini", "google"])
      await gateway.call(`/v1/videos/${id}`, { headers: { "custom-llm-provider": name } });
    expect(simulator.received().map(({ headers }) => headers["x-goog-api-key"])).toEqual(
      Array(4).fill("other-key"),
    );
  });

  it("accounts the seconds and ends a budget", async () => {
    const poor = client("sk-poor-0123456789");
    const { response } = await poor.videos.create({ model: "films", prompt: "a cat" }).withResponse();
    expect(Number(response.headers.get("x-portico-response-cost"))).toBeCloseTo(3.2);
    await expect(poor.videos.create({ model: "films", prompt: "a cat" })).rejects.toMatchObject({
      status: 402,
    });
  });

  it("passes a budget by one video at most, however many are asked for at once", async () => {
    const hasty = client("sk-hasty-0123456789");
    const wanted = { model: "films", prompt: "a cat" };
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => hasty.videos.create(wanted)));
    expect(answers.filter(({ status }) => status === "fulfilled").length).toBe(1);
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ status: 402 });
  });

  it("makes one video for one idempotency key", async () => {
    const wanted = { model: "films", prompt: "once" };
    const options = { headers: { "idempotency-key": `veo-${database}` } };
    const [one, two] = await Promise.all([
      client().videos.create(wanted, options),
      client().videos.create(wanted, options),
    ]);
    expect(one.id).toBe(two.id);
    expect(simulator.received().length).toBe(1);
  });

  it("finds a video again after a restart", async () => {
    const { id } = await client().videos.create({ model: "films", prompt: "a cat", seconds: "4" });
    await gateway.close();
    gateway = await start();
    expect(await client().videos.retrieve(id)).toMatchObject({
      id,
      status: "completed",
      model: "veo-3.0-generate-preview",
      seconds: "4",
      prompt: "a cat",
    });
    const content = await client().videos.downloadContent(id);
    expect((await content.arrayBuffer()).byteLength).toBe(100_000);
  });
});

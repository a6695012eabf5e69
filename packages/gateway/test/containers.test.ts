import OpenAI, { toFile } from "openai";
import type { Simulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MASTER_KEY, type TestGateway } from "./support/gateway.ts";
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
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
${TEAM_KEYS}`);
});
afterAll(() => resources?.close());
beforeEach(() => simulator.reset());

function client(apiKey: string, prefix = "/v1"): OpenAI {
  return clientOf(gateway, apiKey, prefix);
}

/** Path prefixes of the providers that the simulator was asked as. */
function askedProviders(): string[] {
  return simulator.received().map((request) => request.path.split("/")[1]!);
}

describe("Containers", () => {
  it.each(["/v1", ""])(
    "creates, retrieves, lists and deletes with the official client below '%s'",
    async (prefix) => {
      const openai = client(BLUE_KEY, prefix);
      const created = await openai.containers.create({
        name: "box",
        expires_after: { anchor: "last_active_at", minutes: 20 },
      });
      expect(created.id.length).toBeLessThanOrEqual(64);
      expect(created).toMatchObject({ object: "container", name: "box" });
      expect((await openai.containers.retrieve(created.id)).id).toBe(created.id);
      const listed = await openai.containers.list({ limit: 10, order: "desc" });
      expect(listed.data.map((container) => container.id)).toContain(created.id);
      await openai.containers.delete(created.id);
      await expect(openai.containers.retrieve(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    },
  );

  it("Containers provider selection: header, then query, then (create only) body, then the default", async () => {
    const call = (query: string, headers: Record<string, string>, body: object): Promise<Response> =>
      gateway.call(`/v1/containers${query}`, { body: { name: "box", ...body }, headers });
    await call(
      "?custom_llm_provider=openai",
      { "custom-llm-provider": "azure" },
      { custom_llm_provider: "openai" },
    );
    await call("?custom_llm_provider=azure", {}, { custom_llm_provider: "openai" });
    await call("", {}, { custom_llm_provider: "azure" });
    await call("", {}, {});
    expect(askedProviders()).toEqual(["azure", "azure", "azure", "openai"]);
    expect(
      simulator.received().some((request) => JSON.stringify(request.body).includes("custom_llm_provider")),
    ).toBe(false);
  });

  it.each([
    ["header", "query", "body"],
    ["header", "query"],
    ["header", "body"],
    ["query", "body"],
    ["header"],
    ["query"],
    ["body"],
  ])("Containers create: of %s, %s, %s the first wins", async (...places) => {
    const said = (place: string): string | undefined => {
      const at = places.indexOf(place);
      return at < 0 ? undefined : at === 0 ? "azure" : "openai";
    };
    const [header, query, body] = [said("header"), said("query"), said("body")];
    const answer = await gateway.call(
      `/v1/containers${query === undefined ? "" : `?custom_llm_provider=${query}`}`,
      {
        body: { name: "box", ...(body === undefined ? {} : { custom_llm_provider: body }) },
        headers: header === undefined ? {} : { "custom-llm-provider": header },
      },
    );
    expect(answer.status).toBe(200);
    expect(askedProviders()).toEqual(["azure"]);
  });

  it("Containers provider selection: the body does not count for list, retrieve and delete", async () => {
    await gateway.call("/containers?custom_llm_provider=azure");
    await gateway.call("/containers", { headers: { "custom-llm-provider": "azure" } });
    await gateway.call("/containers");
    expect(askedProviders()).toEqual(["azure", "azure", "openai"]);
  });

  it("Containers list: forwards every query parameter but the selector", async () => {
    await gateway.call("/v1/containers?limit=3&order=asc&name=x&future=1&custom_llm_provider=openai");
    const [request] = simulator.received();
    expect(Object.fromEntries(new URLSearchParams(request!.query))).toEqual({
      limit: "3",
      order: "asc",
      name: "x",
      future: "1",
    });
  });

  it("finds the way back from the id without a selector", async () => {
    const created = await gateway.call("/v1/containers", {
      body: { name: "box", custom_llm_provider: "azure" },
    });
    const { id } = (await created.json()) as { id: string };
    expect((await gateway.call(`/v1/containers/${id}`)).status).toBe(200);
    expect(askedProviders()).toEqual(["azure", "azure"]);
  });

  it("shows a container to its team only", async () => {
    const { id } = await client(BLUE_KEY).containers.create({ name: "secret box" });
    const red = client(RED_KEY);
    await expect(red.containers.retrieve(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(red.containers.delete(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await red.containers.list()).data.map((container) => container.name)).not.toContain("secret box");
    expect((await client(MASTER_KEY).containers.retrieve(id)).name).toBe("secret box");
  });

  it("keeps files in a container", async () => {
    const openai = client(BLUE_KEY);
    const { id } = await openai.containers.create({ name: "with files" });
    const file = await openai.containers.files.create(id, {
      file: await toFile(Buffer.from("1,2\n"), "a.csv"),
    });
    expect(file.container_id).toBe(id);
    expect((await openai.containers.files.retrieve(file.id, { container_id: id })).id).toBe(file.id);
    const files = await openai.containers.files.list(id);
    expect(files.data).toMatchObject([{ id: file.id, container_id: id }]);
    const content = await openai.containers.files.content.retrieve(file.id, { container_id: id });
    expect(await content.text()).toBe("1,2\n");
    await openai.containers.files.delete(file.id, { container_id: id });
    await expect(openai.containers.files.retrieve(file.id, { container_id: id })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
  });

  it("puts uploaded files into a container by the ids that the gateway handed out", async () => {
    const openai = client(BLUE_KEY);
    const uploaded = await openai.files.create({
      file: await toFile(Buffer.from("1,2\n"), "a.csv"),
      purpose: "user_data",
    });
    const { id } = await openai.containers.create({ name: "filled", file_ids: [uploaded.id] });
    const [first] = (await openai.containers.files.list(id)).data;
    const content = await openai.containers.files.content.retrieve(first!.id, { container_id: id });
    expect(await content.text()).toBe("1,2\n");
    const added = await openai.containers.files.create(id, { file_id: uploaded.id });
    expect(added.container_id).toBe(id);
    const bodies = simulator.received().map(({ body }) => JSON.stringify(body ?? {}));
    expect(bodies.join()).not.toContain(uploaded.id);
  });

  it("puts a file that only the gateway keeps into a container by sending it to the provider", async () => {
    const form = new FormData();
    form.set("purpose", "user_data");
    form.set("target_model_names", "gpt");
    form.set("file", new File(["3,4\n"], "b.csv"));
    const headers = { authorization: `Bearer ${BLUE_KEY}` };
    const kept = await fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body: form });
    const { id: fileId } = (await kept.json()) as { id: string };
    const openai = client(BLUE_KEY);
    const { id } = await openai.containers.create({ name: "filled", file_ids: [fileId] });
    const [first] = (await openai.containers.files.list(id)).data;
    const content = await openai.containers.files.content.retrieve(first!.id, { container_id: id });
    expect(await content.text()).toBe("3,4\n");
  });

  it("refuses files of another team and file ids that are no text", async () => {
    const uploaded = await client(BLUE_KEY).files.create({
      file: await toFile(Buffer.from("secret"), "a.csv"),
      purpose: "user_data",
    });
    const red = client(RED_KEY);
    await expect(red.containers.create({ name: "box", file_ids: [uploaded.id] })).rejects.toBeInstanceOf(
      OpenAI.NotFoundError,
    );
    for (const [file_ids, param] of [
      [[1], "file_ids.0"],
      ["file-1", "file_ids"],
    ] as const) {
      const answer = await gateway.call("/v1/containers", { body: { name: "box", file_ids } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { param } });
    }
    expect(simulator.received().map(({ path }) => path)).toEqual(["/openai/v1/files"]);
  });

  it("refuses an unknown provider and one without containers by name", async () => {
    for (const name of ["nobody", "anthropic"]) {
      const answer = await gateway.call("/v1/containers", { headers: { "custom-llm-provider": name } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { param: "custom_llm_provider" } });
    }
  });
});

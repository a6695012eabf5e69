import { readdirSync } from "node:fs";
import { join } from "node:path";
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
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
${TEAM_KEYS}
  - {key: sk-narrow-0123456789, team_id: narrow, models: [claude]}
general_settings: {master_key: "${MASTER_KEY}", max_file_size_mb: 12}
`);
});
afterAll(() => resources?.close());
beforeEach(() => simulator.reset());

function client(apiKey = BLUE_KEY, prefix = "/v1"): OpenAI {
  return clientOf(gateway, apiKey, prefix);
}

function row(id: string, more: object = {}, body: object = {}): string {
  const messages = [{ role: "user", content: "hello" }];
  const url = "/v1/chat/completions";
  return JSON.stringify({
    custom_id: id,
    method: "POST",
    url,
    body: { model: "gpt", messages, ...body },
    ...more,
  });
}

function upload(text: string | Buffer, fields: Record<string, string> = {}, key = BLUE_KEY) {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(Buffer.from(text))], "rows.jsonl"));
  for (const [name, value] of Object.entries({ purpose: "batch", ...fields })) form.append(name, value);
  return fetch(`${gateway.url}/v1/files`, {
    method: "POST",
    body: form,
    headers: { authorization: `Bearer ${key}` },
  });
}

function keptFiles(): string[] {
  return readdirSync(gateway.dataDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.startsWith(join(gateway.dataDirectory, "files")))
    .map((entry) => entry.name);
}

describe("Files at a provider", () => {
  it.each(["/v1", "", "/openai/v1"])(
    "uploads, retrieves, lists, downloads and deletes below '%s'",
    async (prefix) => {
      const openai = client(undefined, prefix);
      const text = `${row("a")}\n${row("b")}\n`;
      const file = await openai.files.create({
        file: await toFile(Buffer.from(text), "rows.jsonl"),
        purpose: "batch",
      });
      expect(file).toMatchObject({ object: "file", filename: "rows.jsonl", bytes: text.length });
      expect(file.id.length).toBeLessThanOrEqual(64);
      expect((await openai.files.retrieve(file.id)).id).toBe(file.id);
      expect((await openai.files.list()).data.map(({ id }) => id)).toContain(file.id);
      expect(await (await openai.files.content(file.id)).text()).toBe(text);
      expect(await openai.files.delete(file.id)).toMatchObject({ id: file.id, deleted: true });
      await expect(openai.files.retrieve(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      expect(keptFiles()).toEqual([]);
    },
  );

  it("takes the provider from the path, then the form", async () => {
    await gateway.call("/azure/v1/files");
    await upload(row("a"), { custom_llm_provider: "azure" });
    expect(simulator.received().map(({ path }) => path.split("/")[1])).toEqual(["azure", "azure"]);
    expect(JSON.stringify(simulator.received())).not.toContain("custom_llm_provider");
  });

  it("shows a file to its team only, also under the provider's own id", async () => {
    const file = await client().files.create({
      file: await toFile(Buffer.from("x"), "a.txt"),
      purpose: "user_data",
    });
    const red = client(RED_KEY);
    await expect(red.files.retrieve(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(red.files.content(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await red.files.list()).data).toEqual([]);
    const direct = new OpenAI({ apiKey: "k", baseURL: `${simulator.url}/openai/v1` });
    const [atProvider] = (await direct.files.list()).data;
    await expect(red.files.retrieve(atProvider!.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect((await client(MASTER_KEY).files.retrieve(file.id)).id).toBe(file.id);
  });
});

describe("Unified files", () => {
  it("keeps one file for several models under one id and lists it beside the provider's", async () => {
    const openai = client();
    const provided = await openai.files.create({
      file: await toFile(Buffer.from("x"), "a.txt"),
      purpose: "user_data",
    });
    const response = await upload(row("a"), { target_model_names: "gpt, claude" });
    expect(response.status).toBe(200);
    const file = (await response.json()) as { id: string };
    expect(file).toMatchObject({ object: "file", purpose: "batch", target_model_names: ["gpt", "claude"] });
    expect((await openai.files.retrieve(file.id)).filename).toBe("rows.jsonl");
    expect(await (await openai.files.content(file.id)).text()).toBe(row("a"));
    const ids = (await openai.files.list()).data.map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([file.id, provided.id]));
    const red = client(RED_KEY);
    await expect(red.files.content(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    expect(keptFiles()).toHaveLength(1);
    await openai.files.delete(file.id);
    expect(keptFiles()).toEqual([]);
  });

  it("pages through the provider's and the gateway's own files without loss or repetition", async () => {
    const openai = client(RED_KEY);
    const made = new Set<string>();
    for (let index = 0; index < 3; index += 1) {
      made.add(
        (
          await openai.files.create({
            file: await toFile(Buffer.from("x"), `${index}.txt`),
            purpose: "user_data",
          })
        ).id,
      );
      const kept = await upload(row("a"), { model: "gpt" }, RED_KEY);
      made.add(((await kept.json()) as { id: string }).id);
    }
    const seen: string[] = [];
    for await (const file of openai.files.list({ limit: 2 })) seen.push(file.id);
    expect(seen).toHaveLength(6);
    expect(new Set(seen)).toEqual(made);
    const oldestFirst: string[] = [];
    for await (const file of openai.files.list({ limit: 4, order: "asc" })) oldestFirst.push(file.id);
    expect(new Set(oldestFirst)).toEqual(made);
    const batches: string[] = [];
    for await (const file of openai.files.list({ limit: 1, purpose: "batch" })) batches.push(file.id);
    expect(batches).toHaveLength(3);
  });

  it("keeps the expiry that was asked for", async () => {
    const response = await upload(row("a"), {
      model: "gpt",
      "expires_after[anchor]": "created_at",
      "expires_after[seconds]": "3600",
    });
    const file = (await response.json()) as { created_at: number; expires_at: number };
    expect(Math.abs(file.expires_at - file.created_at - 3600)).toBeLessThanOrEqual(1);
  });

  it("refuses models that do not exist or that the key may not call", async () => {
    const unknown = await upload(row("a"), { target_model_names: "gpt,nobody" });
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ error: { param: "target_model_names" } });
    expect((await upload(row("a"), { model: "gpt" }, "sk-narrow-0123456789")).status).toBe(403);
  });
});

describe("Batch input is checked while it arrives", () => {
  const big = Buffer.alloc(9 * 2 ** 20, "x").toString();
  it.each([
    ["an empty file", "", "empty"],
    ["white space only", "\n \n", "empty"],
    ["a line that is not JSON", `${row("a")}\n{oops\n`, "line 2"],
    ["a line that is not an object", `${row("a")}\n[]`, "line 2"],
    ["a duplicate custom_id", [row("a"), row("b"), row("a")].join("\n"), "line 3"],
    ["a missing custom_id", `${row("a")}\n${row("")}`, "line 2"],
    ["mixed endpoints", `${row("a")}\n${row("b", { url: "/v1/embeddings" })}`, "line 2"],
    ["a method other than POST", row("a", { method: "GET" }), "line 1"],
    ["a stream", `${row("a")}\n${row("b", {}, { stream: true })}`, "line 2"],
    ["a line that is too long", `${row("a")}\n${row("b", {}, { big })}`, "line 2"],
  ])("refuses %s by name", async (_, text, words) => {
    const kept = keptFiles();
    for (const fields of [{}, { model: "gpt" }]) {
      const response = await upload(text, fields);
      expect(response.status).toBe(400);
      const body = (await response.json()) as { error: { message: string; param: string } };
      expect(body.error.message).toContain(words);
      expect(body.error.param).toBe("file");
    }
    expect(keptFiles()).toEqual(kept);
  });

  it("does not check files of other purposes", async () => {
    expect((await upload("{oops", { purpose: "user_data" })).status).toBe(200);
  });

  it("refuses a form without file, without purpose, and one that is none", async () => {
    const form = new FormData();
    form.append("purpose", "batch");
    const headers = { authorization: "Bearer sk-blue-0123456789" };
    const url = `${gateway.url}/v1/files`;
    expect((await fetch(url, { method: "POST", body: form, headers })).status).toBe(400);
    expect((await upload(row("a"), { purpose: "" })).status).toBe(400);
    expect((await gateway.call("/v1/files", { body: {} })).status).toBe(400);
  });

  it("refuses a file past the size limit with 413 and keeps nothing", async () => {
    const kept = keptFiles();
    const lines = Array.from({ length: 13 }, (_, index) =>
      row(String(index), {}, { big: Buffer.alloc(2 ** 20, "x").toString() }),
    );
    const response = await upload(lines.join("\n"), { model: "gpt" });
    expect(response.status).toBe(413);
    expect(keptFiles()).toEqual(kept);
  });

  it("refuses wrong page parameters by name", async () => {
    for (const [query, param] of [
      ["limit=-1", "limit"],
      ["limit=x", "limit"],
      ["limit=100000", "limit"],
      ["order=up", "order"],
    ]) {
      const response = await gateway.call(`/v1/files?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { param } });
    }
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { LITELLM_FIELDS } from "../src/core/call/litellm-fields.ts";
import { CallHarness } from "./support/call-harness.ts";

const source = join(import.meta.dirname, "../src");
const switching = readFileSync(join(import.meta.dirname, "../../../docs/gateway/switching.md"), "utf8");
const harness = new CallHarness({});
afterAll(() => harness.close());

/** A value of each field that asks for nothing that the one deployment of this test cannot do. */
const values: Readonly<Record<string, unknown>> = {
  fallbacks: [],
  tags: ["a"],
  additional_drop_params: [],
  allowed_model_region: "eu",
  mock_response: null,
  cache: { "no-cache": true },
  caching: false,
};

const requests = [
  ["/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "x" }] }],
  ["/v1/messages", { model: "m", max_tokens: 5, messages: [{ role: "user", content: "x" }] }],
  ["/v1/embeddings", { model: "m", input: "x" }],
] as const;

const followed = [...LITELLM_FIELDS].filter(([, { handling }]) => handling === "followed");

describe("LiteLLM's request fields", () => {
  it.each([...LITELLM_FIELDS])("%s has one handling in every format", async (pattern, field) => {
    const name = pattern.replace("*", "region_name");
    for (const [path, body] of requests) {
      const before = harness.seen.length;
      const sent = harness.post(path, { ...body, [name]: name in values ? values[name] : 1 });
      if (field.handling === "refused") {
        await expect(sent).rejects.toMatchObject({
          status: 400,
          param: name,
          message: `${name} has no effect in a request: ${field.reason}`,
        });
        expect(harness.seen).toHaveLength(before);
        // An empty value relies on nothing.
        await harness.post(path, { ...body, [name]: [] });
      } else await sent;
      expect(harness.seen).toHaveLength(before + 1);
      expect(harness.seen.at(-1)!.json).not.toHaveProperty([name]);
    }
  });

  it.each(followed)("%s has so many entries at most", async (name) => {
    const many = Array.from({ length: 1001 }, (_, at) => `a${at}`);
    for (const [path, body] of requests)
      for (const value of [many, { "*": many }, [{ a: many.slice(0, 500) }, { b: many.slice(0, 500) }]]) {
        const before = harness.seen.length;
        await expect(harness.post(path, { ...body, [name]: value })).rejects.toMatchObject({
          status: 400,
          message: `${name}: expected at most 1,000 entries`,
        });
        expect(harness.seen).toHaveLength(before);
      }
  });

  it.each(["additional_drop_params", "allowed_openai_params", "tags"])("%s may have many", async (name) => {
    const many = Array.from({ length: 1000 }, (_, at) => `a${at}`);
    for (const [path, body] of requests)
      expect(await harness.post(path, { ...body, [name]: many })).toMatchObject({ status: 200 });
  });

  it.each(followed)("%s is read where the table says", (name, field) => {
    const { readIn } = field as { readIn: string };
    const text = readFileSync(join(source, readIn), "utf8");
    const spellings = [`${name}`, name.replaceAll("_", "-")];
    expect(spellings.some((spelling) => text.includes(spelling))).toBe(true);
  });

  it.each(["metadata", "litellm_metadata"])(
    "%s chooses no guardrails, and may say a word of them",
    async (name) => {
      for (const [path, body] of requests) {
        await expect(harness.post(path, { ...body, [name]: { guardrails: ["pii"] } })).rejects.toMatchObject({
          status: 400,
          param: name,
        });
        await harness.post(path, { ...body, [name]: { guardrails: "on" } });
        await harness.post(path, { ...body, [name]: { guardrails: [] } });
      }
    },
  );

  it("name the session and the labels of a call, also where LiteLLM's headers do", async () => {
    const [path, body] = requests[1];
    const callOf = async (more: object, headers = {}): Promise<[unknown, unknown]> => {
      const { session, notes } = (await harness.post(path, { ...body, ...more }, { headers })).call;
      return [session, notes?.metadata];
    };
    expect(await callOf({ litellm_metadata: { session_id: "s", run: "7" } })).toEqual(["s", { run: "7" }]);
    expect(await callOf({ litellm_trace_id: "t" })).toEqual(["t", undefined]);
    const labels = { "x-litellm-spend-logs-metadata": '{"run": 7}' };
    expect(await callOf({}, { "x-litellm-trace-id": "t", ...labels })).toEqual(["t", { run: 7 }]);
  });

  it("are listed for those who switch", () => {
    const missing = [...LITELLM_FIELDS.keys()].filter((name) => !switching.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe("additional_drop_params of a caller", () => {
  const params = { model: "openai/m", extra_body: { zone: "eu" }, temperature: 0.5 };
  const strict = new CallHarness({
    config: { model_list: [{ model_name: "m", litellm_params: params }] },
  });
  afterAll(() => strict.close());

  it.each(requests)("leaves the caller's own fields out of %s", async (path, body) => {
    await strict.post(path, { ...body, odd: 1, seed: 2, additional_drop_params: ["odd", "seed"] });
    expect(strict.seen.at(-1)!.json).not.toHaveProperty("odd");
    expect(strict.seen.at(-1)!.json).not.toHaveProperty("seed");
  });

  it.each(requests)("leaves nothing of the operator's out of %s", async (path, body) => {
    await strict.post(path, { ...body, zone: "us", additional_drop_params: ["zone", "temperature"] });
    expect(strict.seen.at(-1)!.json).toMatchObject({ zone: "eu" });
  });

  it.each(requests)("leaves the model in %s, which the provider would choose itself", async (path, body) => {
    await strict.post(path, { ...body, additional_drop_params: ["model"] });
    expect(strict.seen.at(-1)!.json).toMatchObject({ model: "m" });
  });

  it("leaves in what the gateway counts a stream by", async () => {
    const [path, body] = requests[0];
    const asked = { stream: true, stream_options: { include_usage: true } };
    await strict.post(path, { ...body, ...asked, additional_drop_params: Object.keys(asked) });
    expect(strict.seen.at(-1)!.json).toMatchObject(asked);
    await strict.post(path, { ...body, stream: true, additional_drop_params: Object.keys(asked) });
    expect(strict.seen.at(-1)!.json).toMatchObject(asked);
  });
});

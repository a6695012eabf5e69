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

  it.each([...LITELLM_FIELDS].filter(([, { handling }]) => handling === "followed"))(
    "%s is read where the table says",
    (name, field) => {
      const { readIn } = field as { readIn: string };
      const text = readFileSync(join(source, readIn), "utf8");
      const spellings = [`${name}`, name.replaceAll("_", "-")];
      expect(spellings.some((spelling) => text.includes(spelling))).toBe(true);
    },
  );

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

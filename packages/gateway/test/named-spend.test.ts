import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";
import { until } from "./support/until.ts";

/** What a request names, a customer and tags, stands in the spend log of whatever it spends, also long afterwards. */
const folder = mkdtempSync(join(tmpdir(), "portico-named-"));
let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  writeFileSync(
    join(folder, "hooks.mjs"),
    `export const preCall = ({ data }) => (data.user === "before" ? { ...data, user: "after" } : undefined);\n`,
  );
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url).replace(
      "model_list:",
      `model_list:
  - {model_name: film, litellm_params: {model: openai/sora-2, api_key: k, api_base: "${simulator.url}/openai/v1", output_cost_per_second: 0.1}}`,
    )}
gateway_settings: {callbacks: ["${join(folder, "hooks.mjs")}"]}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Spent {
  readonly call_type: string;
  readonly end_user: string | null;
  readonly request_tags?: readonly string[];
  readonly tags?: readonly string[];
  readonly spend: number;
}

async function rowsOf(customer: string): Promise<Spent[]> {
  const page = await gateway.call("/spend/logs?limit=500");
  const { data } = (await page.json()) as { data: Spent[] };
  return data.filter((row) => row.end_user === customer);
}

async function must(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ id: string }> {
  const answer = await gateway.call(path, { body, headers });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return JSON.parse(text) as { id: string };
}

type Named = { readonly body: object; readonly headers: Record<string, string> };

async function batch(model: string, named: Named, endpoint = "/v1/chat/completions"): Promise<void> {
  const body = { model, max_tokens: 20, messages: [{ role: "user", content: "hello" }] };
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("target_model_names", model);
  form.append(
    "file",
    new File([JSON.stringify({ custom_id: "one", method: "POST", url: endpoint, body })], "r"),
  );
  const { id } = await must("/v1/files", form);
  const request = { input_file_id: id, endpoint, completion_window: "24h", execution: "provider" };
  await must("/v1/batches", { ...request, ...named.body }, named.headers);
}

const ways: Readonly<Record<string, readonly [callType: string, run: (named: Named) => Promise<unknown>]>> = {
  "a chat completion": [
    "acompletion",
    ({ body, headers }) =>
      must(
        "/v1/chat/completions",
        { model: "gpt-4o", messages: [{ role: "user", content: "hello" }], ...body },
        headers,
      ),
  ],
  "a response in the background at its provider": [
    "aresponses_background",
    ({ body, headers }) =>
      must("/v1/responses", { model: "gpt-4o", input: "hello", background: true, ...body }, headers),
  ],
  "a response in the background here": [
    "aresponses",
    ({ body, headers }) =>
      must("/v1/responses", { model: "claude", input: "hello", background: true, ...body }, headers),
  ],
  "a video": [
    "avideo_generation",
    ({ body, headers }) =>
      must("/v1/videos", { model: "film", prompt: "a cat", seconds: "8", ...body }, headers),
  ],
  "a batch at OpenAI": ["abatch_cost", (named) => batch("gpt-4o", named)],
  "a batch at Anthropic": ["abatch_cost", (named) => batch("claude", named)],
  "a message batch": [
    "abatch_cost",
    ({ body, headers }) => {
      const params = { model: "claude", max_tokens: 20, messages: [{ role: "user", content: "hello" }] };
      return must("/v1/messages/batches", { requests: [{ custom_id: "one", params }], ...body }, headers);
    },
  ],
};

const namings: Readonly<Record<string, (customer: string) => Named>> = {
  "in headers": (customer) => ({
    body: {},
    headers: { "x-litellm-customer-id": customer, "x-litellm-tags": "red,blue" },
  }),
  "in LiteLLM's fields": (customer) => ({
    body: { litellm_metadata: { user: customer, tags: ["red", "blue"] } },
    headers: {},
  }),
};

describe.each(Object.keys(ways))("What %s costs", (way) => {
  it.each(Object.keys(namings))("stands under the customer and the tags that it names %s", async (naming) => {
    const [callType, run] = ways[way]!;
    const customer = `${way}, ${naming}`.replaceAll(/\W+/g, "-");
    await run(namings[naming]!(customer));
    const rows = await until(
      () => rowsOf(customer),
      (found) => found.some((row) => row.spend > 0),
    );
    const row = rows.find(({ spend }) => spend > 0)!;
    expect([row.end_user, row.tags ?? row.request_tags]).toEqual([customer, ["red", "blue"]]);
    expect(row.call_type).toBe(callType);
  });
});

describe("A customer that a hook names", () => {
  it("is the one whose spend and budget count", async () => {
    const ask = () =>
      gateway.call("/v1/chat/completions", {
        body: { model: "gpt-4o", user: "before", messages: [{ role: "user", content: "hello" }] },
      });
    await (await ask()).text();
    const [row] = await until(
      () => rowsOf("after"),
      ({ length }) => length > 0,
    );
    expect(row).toMatchObject({ end_user: "after" });
    await must("/customer/new", { user_id: "after", blocked: true });
    await until(async () => {
      const answer = await ask();
      await answer.text();
      return answer.status === 403;
    });
    expect(await rowsOf("before")).toEqual([]);
  });
});

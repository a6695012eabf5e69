import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "./support/gateway.ts";
import { clientOf, type Resources, startResources } from "./support/resources.ts";

/**
 * Ways to spend more than a budget has. The sum that is billed never passes it by more than the dearest call, and what
 * is left of it can be spent. `npm run attack:budgets -w portico` runs more calls and prints the table.
 */
const CALLS = Number(process.env.ATTACK_CALLS ?? 10);
const BUDGET = 0.05;
const PRICE = 0.00001;
let resources: Resources;
let gateway: TestGateway;
interface Row {
  readonly attack: string;
  readonly billed: number;
  readonly overshoot: number;
}

const table: Row[] = [];

beforeAll(async () => {
  resources = await startResources();
  const { url } = resources.simulator;
  const priced = `api_key: simulated, input_cost_per_token: ${PRICE}, output_cost_per_token: ${PRICE}`;
  gateway = await resources.start(`model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", ${priced}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", ${priced}}}
  - {model_name: flash, litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", ${priced}}}
  - {model_name: unpriced, litellm_params: {model: openai/nobody-knows-it, api_base: "${url}/openai/v1", api_key: simulated}}
  - {model_name: free, litellm_params: {model: openai/nobody-knows-it, api_base: "${url}/openai/v1", api_key: simulated, input_cost_per_token: 0, output_cost_per_token: 0}}
  - {model_name: film, model_info: {id: film-1}, litellm_params: {model: openai/sora-2, api_base: "${url}/openai/v1", api_key: simulated, output_cost_per_second: 0.005}}
router_settings: {num_retries: 0, disable_cooldowns: true}`);
});
afterAll(async () => {
  if (process.env.ATTACK_CALLS !== undefined) {
    const lines = table.map(
      ({ attack, billed, overshoot }) =>
        `${attack.padEnd(30)} $${BUDGET} $${billed.toFixed(4)} ${overshoot} calls`,
    );
    process.stdout.write(`attack, budget, billed, overshoot\n${lines.join("\n")}\n`);
  }
  await resources?.close();
});

interface SpendLine {
  readonly spend: number;
  readonly call_type: string;
}

async function rowsOf(key: string): Promise<readonly SpendLine[]> {
  const page = (await (await gateway.call(`/spend/logs?api_key=${key}&limit=1000`)).json()) as {
    data: SpendLine[];
  };
  return page.data;
}

/** Waits until all that was begun is billed, and compares. */
async function settles(attack: string, key: string, begun: number, callType?: string): Promise<void> {
  const counted = async (): Promise<number> =>
    (await rowsOf(key)).filter((row) => callType === undefined || row.call_type === callType).length;
  await expect.poll(counted, { interval: 200 }).toBeGreaterThanOrEqual(begun);
  const rows = await rowsOf(key);
  const billed = rows.reduce((sum, { spend }) => sum + spend, 0);
  const dearest = Math.max(0, ...rows.map(({ spend }) => spend));
  const overshoot = dearest === 0 ? 0 : Math.max(0, (billed - BUDGET) / dearest);
  table.push({ attack, billed, overshoot: +overshoot.toFixed(2) });
  expect(overshoot, attack).toBeLessThanOrEqual(1);
}

const WORDS = "[[sim:tokens 1000]]";
const user = (content: string) => ({ role: "user", content });
const contents = (generationConfig = {}) => ({ contents: [{ parts: [{ text: WORDS }] }], generationConfig });

/** Calls at the same moment, and how many of them were let through. */
async function storm(key: string, path: string, body: object): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () =>
      gateway.call(path, { key, body }).then(async (answer) => {
        await answer.text();
        return answer.status;
      }),
    ),
  );
  for (const status of answers) expect([200, 402]).toContain(status);
  return answers.filter((status) => status === 200).length;
}

describe("A budget holds against", () => {
  it.each([
    ["chat without max_tokens", "/v1/chat/completions", { model: "gpt", messages: [user(WORDS)] }],
    ["n answers", "/v1/chat/completions", { model: "gpt", n: 5, max_tokens: 200, messages: [user(WORDS)] }],
    ["streams", "/v1/chat/completions", { model: "gpt", stream: true, messages: [user(WORDS)] }],
    ["messages, translated", "/v1/messages", { model: "gpt", max_tokens: 2000, messages: [user(WORDS)] }],
    ["contents", "/v1beta/models/gpt:generateContent", contents()],
    ["contents, native", "/v1beta/models/flash:generateContent", contents({ maxOutputTokens: "2000" })],
    [
      "candidates",
      "/v1beta/models/flash:generateContent",
      contents({ candidate_count: 5, maxOutputTokens: 200 }),
    ],
    ["contents, streamed", "/v1beta/models/flash:streamGenerateContent?alt=sse", contents()],
    ["responses", "/v1/responses", { model: "gpt", input: WORDS }],
    ["responses, translated", "/v1/responses", { model: "claude", input: WORDS }],
  ])("%s", async (attack, path, body) => {
    const key = await gateway.newKey({ max_budget: BUDGET });
    const passed = await storm(key, path, body);
    // What is left can be spent: nobody is refused before.
    expect(passed).toBeGreaterThanOrEqual(Math.min(CALLS, 5));
    await settles(attack, key, passed);
  });

  // No text can be made of it: String throws.
  const odd = { toString: 1, valueOf: 1 };
  it.each<[string, object]>([
    ["/v1/chat/completions", { model: "gpt", messages: [user("x")], tools: [{ type: odd }] }],
    ["/v1/chat/completions", { model: "gpt", messages: [user("x")], additional_drop_params: [odd] }],
    ["/v1/chat/completions", { model: "gpt", messages: [{ role: odd, content: odd, type: odd }] }],
    [
      "/v1/messages",
      { model: "claude", max_tokens: 9, messages: [user("x")], tools: [{ type: odd, name: odd }] },
    ],
    ["/v1/responses", { model: "gpt", input: [{ type: odd, role: odd, id: odd }], tools: [{ type: odd }] }],
    [
      "/v1/responses",
      {
        model: "claude",
        input: "x",
        tools: [{ type: "custom", name: "f", format: { type: "grammar", syntax: odd, definition: odd } }],
      },
    ],
    ["/v1beta/models/gpt:generateContent", { contents: [{ parts: [{ inlineData: { mimeType: odd } }] }] }],
    ["/v1beta/models/flash:generateContent", { contents: [{ parts: [{ fileData: { mimeType: odd } }] }] }],
  ])("values that are no texts, without failing: %s %j", async (path, body) => {
    const answer = await gateway.call(path, { key: await gateway.newKey({ max_budget: BUDGET }), body });
    expect(await answer.text()).not.toContain("Internal server error");
  });

  it.each(["gpt", "claude"])("background responses on %s", async (model) => {
    const key = await gateway.newKey({ max_budget: BUDGET });
    const body = { model, input: WORDS, background: true };
    const answers = await Promise.all(
      Array.from({ length: CALLS }, () => gateway.call("/v1/responses", { key, body })),
    );
    const ids = await Promise.all(
      answers
        .filter(({ status }) => status === 200)
        .map(async (answer) => ((await answer.json()) as { id: string }).id),
    );
    const ended = async (): Promise<boolean> => {
      const states = await Promise.all(
        ids.map(async (id) => (await gateway.call(`/v1/responses/${id}`)).json()),
      );
      return states.every(
        (state) => !["queued", "in_progress"].includes((state as { status: string }).status),
      );
    };
    await expect.poll(ended, { interval: 500 }).toBe(true);
    if (model === "gpt") await settles("background, native", key, ids.length, "aresponses_background");
    else await settles("background, here", key, 1);
  });

  it("videos by any name, and models without a price", async () => {
    for (const model of ["film", "film-1"]) {
      const key = await gateway.newKey({ max_budget: BUDGET });
      const passed = await storm(key, "/v1/videos", { model, prompt: "x", seconds: "4" });
      expect(passed).toBeGreaterThan(0);
      await settles(`videos of ${model}`, key, passed);
    }
    const key = await gateway.newKey({ max_budget: BUDGET });
    expect(await storm(key, "/v1/videos", { model: "sora-2-pro", prompt: "x" })).toBe(0);
    for (const seconds of ["0", "-4", "four"]) {
      const refused = await gateway.call("/v1/videos", {
        key,
        body: { model: "film", prompt: "x", seconds },
      });
      expect(refused.status).toBe(400);
    }
    expect(await storm(key, "/v1/chat/completions", { model: "unpriced", messages: [user("x")] })).toBe(0);
    expect(await storm(key, "/v1/chat/completions", { model: "free", messages: [user("x")] })).toBe(CALLS);
  });

  it.each(["gpt", "claude"])("the rows of a batch on %s", async (model) => {
    const key = await gateway.newKey({ max_budget: BUDGET });
    const url = model === "gpt" ? "/v1/chat/completions" : "/v1/messages";
    const rows = Array.from({ length: CALLS }, (_, index) =>
      JSON.stringify({
        custom_id: String(index),
        method: "POST",
        url,
        body: { model, max_tokens: 1000, messages: [user(WORDS)] },
      }),
    );
    const client = clientOf(gateway, key);
    const file = await client.files.create({
      purpose: "batch",
      file: new File([rows.join("\n")], "rows.jsonl"),
    });
    const answers = await Promise.all(
      Array.from({ length: 3 }, () =>
        gateway.call("/v1/batches", {
          key,
          body: { input_file_id: file.id, endpoint: url, completion_window: "24h", model },
        }),
      ),
    );
    const ids = await Promise.all(
      answers
        .filter(({ status }) => status === 200)
        .map(async (answer) => ((await answer.json()) as { id: string }).id),
    );
    const ended = async (): Promise<boolean> => {
      const states = await Promise.all(
        ids.map(async (id) => (await gateway.call(`/v1/batches/${id}`)).json()),
      );
      return states.every((state) => ["completed", "failed"].includes((state as { status: string }).status));
    };
    await expect.poll(ended, { interval: 500 }).toBe(true);
    await settles(`batches on ${model}`, key, 1);
  });
});

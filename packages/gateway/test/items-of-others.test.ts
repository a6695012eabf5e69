import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { type RecordingUpstream, startRecordingUpstream } from "./support/recording-upstream.ts";

const ALICE = "sk-alice-0123456789";
const BOB = "sk-bob-0123456789";

let upstream: RecordingUpstream;
let gateway: TestGateway;
let made = 0;
/** Of the file that was uploaded last. */
let lastRow: unknown;

beforeAll(async () => {
  upstream = await startRecordingUpstream(({ path }) => {
    if (path.endsWith("/content")) return { body: lastRow };
    if (!path.startsWith("/v1/responses")) return undefined;
    if (path.endsWith("compact"))
      return { body: { id: "resp_c", object: "response.compaction", output: [] } };
    made += 1;
    const message = {
      type: "message",
      id: `msg_${made}`,
      role: "assistant",
      status: "completed",
      content: [],
    };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const answer = {
      id: `resp_up${made}`,
      object: "response",
      status: "completed",
      output: [message],
      usage,
    };
    return {
      body: path.endsWith("input_tokens") ? { object: "response.input_tokens", input_tokens: 1 } : answer,
    };
  });
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: gpt, gateway_params: {model: openai/gpt-4o, api_base: "${upstream.url}/v1", api_key: sk-up}}
keys: [{key: ${ALICE}, team_id: alice}, {key: ${BOB}, team_id: bob}]
`,
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** What a response of a key's got: its id, that at the provider, and the id of its item. */
async function respond(key: string, input: unknown = "hi") {
  const answer = await gateway.call("/v1/responses", { key, body: { model: "gpt", input } });
  const { id, output } = (await answer.json()) as { id: string; output?: { id: string }[] };
  return { status: answer.status, id, raw: `resp_up${made}`, item: output?.[0]?.id ?? "" };
}

/** Items that are there by their id alone. */
const spellings: readonly (readonly [string, (id: string) => Record<string, unknown>])[] = [
  ["a reference", (id) => ({ type: "item_reference", id })],
  ["a reference without a type", (id) => ({ id })],
  ["a reference whose type is null", (id) => ({ id, type: null })],
  ["a reference whose type is empty", (id) => ({ id, type: "" })],
  ["a message without content", (id) => ({ type: "message", role: "assistant", id })],
  ["a message with empty content", (id) => ({ type: "message", role: "assistant", id, content: [] })],
  ["a picture", (id) => ({ type: "image_generation_call", id, status: "completed", result: null })],
  ["a search", (id) => ({ type: "web_search_call", id, status: "completed" })],
  ["reasoning", (id) => ({ type: "reasoning", id, summary: [{ type: "summary_text", text: "hm" }] })],
];
const operations = ["/v1/responses", "/v1/responses/input_tokens", "/v1/responses/compact"];

const sent = (): string => upstream.seen.map(({ body }) => body).join("\n");

describe("items of other tenants' responses", () => {
  it.each(spellings)("%s reaches no provider, on any operation", async (_name, spell) => {
    const { item } = await respond(ALICE);
    for (const path of operations) {
      upstream.forget();
      const body = { model: "gpt", input: [{ role: "user", content: "hi" }, spell(item)] };
      const answer = await gateway.call(path, { key: BOB, body });
      expect([path, answer.status, await answer.text()]).toEqual([path, 400, expect.stringContaining(item)]);
      expect(sent()).not.toContain(item);
      expect((await gateway.call(path, { key: ALICE, body })).status).toBe(200);
    }
  });

  it("are not had by writing their ids into an input of one's own", async () => {
    const { item } = await respond(ALICE);
    const own = { type: "message", role: "user", id: item, content: "mine" };
    expect((await respond(BOB, [own])).status).toBe(200);
    upstream.forget();
    expect((await respond(BOB, [{ type: "item_reference", id: item }])).status).toBe(200);
    expect(sent()).toContain("mine");
    expect(sent()).not.toContain(item);
    upstream.forget();
    expect((await respond(ALICE, [{ type: "item_reference", id: item }])).status).toBe(200);
    expect(sent()).toContain(item);
  });
});

describe("rows of batches", () => {
  function upload(key: string, body: Record<string, unknown>): Promise<Response> {
    const row = {
      custom_id: "a",
      method: "POST",
      url: "/v1/responses",
      body: { model: "gpt", input: "hi", ...body },
    };
    lastRow = row;
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("file", new Blob([JSON.stringify(row)]), "x.jsonl");
    const headers = { authorization: `Bearer ${key}` };
    return fetch(`${gateway.url}/v1/files`, { method: "POST", headers, body: form });
  }

  it("go on from nothing of another tenant's", async () => {
    const { id, raw, item } = await respond(ALICE);
    const held = await gateway.call("/v1/conversations", { key: ALICE, body: {} });
    const conversation = ((await held.json()) as { id: string }).id;
    const rows = [
      { previous_response_id: id },
      { previous_response_id: raw },
      { conversation },
      { conversation: { id: conversation } },
      ...spellings.map(([, spell]) => ({ input: [spell(item)] })),
    ];
    for (const row of rows) {
      upstream.forget();
      expect([row, (await upload(BOB, row)).status]).toEqual([row, 400]);
      expect(upstream.seen).toEqual([]);
      expect([row, (await upload(ALICE, row)).status]).toEqual([row, 200]);
    }
  });

  it.each([{ background: true }, { background: "true" }, { stream: true }, { stream: 1 }])(
    "are answered whole and at once: %j",
    async (row) => {
      expect((await upload(ALICE, row)).status).toBe(400);
      expect((await upload(ALICE, { background: false, stream: false })).status).toBe(200);
    },
  );

  it("that the gateway runs go on from nothing, which it would forget", async () => {
    const { id } = await respond(ALICE);
    const file = (await (await upload(ALICE, { previous_response_id: id })).json()) as { id: string };
    const body = {
      input_file_id: file.id,
      endpoint: "/v1/responses",
      completion_window: "24h",
      execution: "gateway",
    };
    const batch = (await (await gateway.call("/v1/batches", { key: ALICE, body })).json()) as { id: string };
    const end = async () => {
      const answer = await gateway.call(`/v1/batches/${batch.id}?wait=5`, { key: ALICE });
      return (await answer.json()) as { status: string; request_counts: unknown };
    };
    await expect.poll(end).toMatchObject({
      status: "completed",
      request_counts: { total: 1, failed: 1 },
    });
  });
});

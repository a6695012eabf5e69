import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";
import { until } from "./support/until.ts";

/** Hooks that change `stream` or `background`: each operation obeys, or refuses with what the hook has to do instead. */
const folder = mkdtempSync(join(tmpdir(), "portico-ways-"));
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let gateway: TestGateway;

/** What a request says in `x-change` of its text is put into its data. */
const hooks = `
export const preCall = ({ data }) => {
  const said = /change:(\\{.*?\\})/.exec(JSON.stringify(data).replaceAll("\\\\\\"", "\\""))?.[1];
  if (said !== undefined) return { ...data, ...JSON.parse(said) };
  if (data.query_params?.change !== undefined)
    return { ...data, query_params: { ...data.query_params, ...JSON.parse(data.query_params.change) } };
};
`;

beforeAll(async () => {
  simulator = await startSimulator();
  writeFileSync(join(folder, "hooks.mjs"), hooks);
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url)}
gateway_settings: {callbacks: ["${join(folder, "hooks.mjs")}"]}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

const asking = (change: object): string => `hello change:${JSON.stringify(change)}`;

async function post(path: string, body: object): Promise<{ status: number; type: string; text: string }> {
  const answer = await gateway.call(path, { body });
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    text: await answer.text(),
  };
}

const models = ["gpt-4o", "claude", "gemini-2.5-flash"];
const user = (content: string) => [{ role: "user", content }];
const calls: Readonly<Record<string, (model: string, text: string, more: object) => [string, object]>> = {
  "chat completions": (model, text, more) => [
    "/v1/chat/completions",
    { model, messages: user(text), ...more },
  ],
  Messages: (model, text, more) => ["/v1/messages", { model, max_tokens: 50, messages: user(text), ...more }],
};

describe.each(Object.keys(calls))("A hook at %s", (name) => {
  it.each(models)("makes a stream of a whole answer of %s, and a whole answer of a stream", async (model) => {
    const streamed = await post(...calls[name]!(model, asking({ stream: true }), {}));
    expect(streamed).toMatchObject({ status: 200, type: expect.stringContaining("text/event-stream") });
    expect(streamed.text).toMatch(/^(data|event): /);
    const whole = await post(...calls[name]!(model, asking({ stream: false }), { stream: true }));
    expect(whole).toMatchObject({ status: 200, type: expect.stringContaining("application/json") });
    expect(JSON.parse(whole.text)).toHaveProperty("usage");
  });
});

const refused = (field: string) =>
  expect.stringMatching(new RegExp(`preCall hook changed ${field}.*refuse the call instead`));

describe.each(models)("A hook at Responses of %s", (model) => {
  it.each([
    [{ stream: true }, {}, "stream"],
    [{ stream: false }, { stream: true }, "stream"],
    [{ background: true }, {}, "background"],
    [{ background: true }, { stream: true }, "background"],
  ])("is refused that wants %j of %j", async (change, way, field) => {
    simulator.reset();
    const answer = await post("/v1/responses", { model, input: asking(change), ...way });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text).error).toMatchObject({ message: refused(field), param: field });
    expect(simulator.received().filter(({ method }) => method === "POST")).toEqual([]);
  });

  it.each([
    ["", { stream: true }],
    ["&stream=true", { stream: false }],
  ])("is refused that changes how one is retrieved (%s)", async (query, change) => {
    const made = JSON.parse((await post("/v1/responses", { model, input: "hello" })).text) as { id: string };
    const change_ = encodeURIComponent(JSON.stringify(change));
    const answer = await gateway.call(`/v1/responses/${made.id}?change=${change_}${query}`);
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as { error: object }).error).toMatchObject({ message: refused("stream") });
  });
});

const rows: readonly (readonly [string, object, object, number, unknown])[] = [
  ["/v1/chat/completions", { messages: user(asking({ stream: true })) }, {}, 500, refused("stream")],
  ["/v1/messages", { max_tokens: 9, messages: user(asking({ stream: true })) }, {}, 500, refused("stream")],
  ["/v1/responses", { input: asking({ stream: true }) }, {}, 500, refused("stream")],
  ["/v1/responses", { input: asking({ background: true }) }, {}, 500, refused("background")],
];

it.each(rows)(
  "A row of a batch for %s with %j fails alone and says why",
  async (url, body, more, status, message) => {
    const line = (custom_id: string, own: object) =>
      JSON.stringify({ custom_id, method: "POST", url, body: { model: "llama-3", ...own, ...more } });
    const plain = "input" in body ? { input: "hello" } : { max_tokens: 9, messages: user("hello") };
    const form = new FormData();
    form.append("purpose", "batch");
    form.append("model", "llama-3");
    form.append("file", new File([[line("changed", body), line("plain", plain)].join("\n")], "rows.jsonl"));
    const file = (await (await gateway.call("/v1/files", { body: form })).json()) as { id: string };
    const request = { input_file_id: file.id, endpoint: url, completion_window: "24h", execution: "gateway" };
    const made = JSON.parse((await post("/v1/batches", request)).text) as { id: string };
    const done = await until(
      async () =>
        (await (await gateway.call(`/v1/batches/${made.id}`)).json()) as {
          status: string;
          error_file_id: string;
          request_counts: object;
        },
      ({ status: state }) => ["completed", "failed", "expired"].includes(state),
    );
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 2, completed: 1, failed: 1 },
    });
    const errors = await (await gateway.call(`/v1/files/${done.error_file_id}/content`)).text();
    const { response } = JSON.parse(errors) as { response: { status_code: number; body: { error: object } } };
    expect(response).toMatchObject({ status_code: status, body: { error: { message } } });
  },
);

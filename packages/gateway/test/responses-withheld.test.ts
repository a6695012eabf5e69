import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Streams of a provider that keeps its responses, of which the caller did not get the end: by no id is there more. */
const folder = mkdtempSync(join(tmpdir(), "portico-withheld-"));
const hooks = join(folder, "hooks.mjs");
const SECRET = "what nobody may read";

/** Places where a hook refuses a stream, or lets nothing more of it pass. */
const places = ["beside", "unread", "first", "swallowed", "cut", "middle", "junk", "last"] as const;

let upstream: Server;
/** What the provider keeps, whether it deletes, and the bodies of creations. */
const kept = new Map<string, object>();
let deletes = true;
const asked: { previous_response_id?: string }[] = [];
let made = 0;

beforeAll(async () => {
  writeFileSync(
    hooks,
    `import { setTimeout as sleep } from "node:timers/promises";
const refusal = () => Object.assign(new Error("not that"), { status: 403 });
const at = (context, place) => context.callId.includes(place);
export const duringCall = async (context) => {
  if (!at(context, "beside")) return;
  await sleep(300);
  throw refusal();
};
export async function* postCallStream(context, stream) {
  if (at(context, "unread")) throw refusal();
  if (at(context, "swallowed")) return;
  let number = 0;
  for await (const chunk of stream) {
    number += 1;
    if (at(context, "first")) throw refusal();
    if (at(context, "junk") && number === 2) yield 7;
    if (at(context, "cut") && number === 3) return;
    if (at(context, "middle") && number === 3) throw refusal();
    yield chunk;
  }
  if (at(context, "last")) throw refusal();
}
`,
  );
  upstream = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(upstream, "listening");
});
afterAll(() => {
  upstream?.closeAllConnections();
  upstream?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  deletes = true;
  asked.length = 0;
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const [, , resource, id] = (request.url ?? "").split("?")[0]!.split("/");
  const send = (status: number, value: object): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(value));
  };
  if (resource !== "responses") return send(404, {});
  if (id !== undefined) {
    const found = kept.get(decodeURIComponent(id));
    if (request.method === "DELETE") {
      if (!deletes) return send(500, { error: { message: "not now" } });
      kept.delete(decodeURIComponent(id));
      return send(200, { id, deleted: true });
    }
    return found === undefined ? send(404, { error: { message: "no such response" } }) : send(200, found);
  }
  const sent = JSON.parse(body) as { stream?: boolean; previous_response_id?: string };
  asked.push(sent);
  if (sent.previous_response_id !== undefined && !kept.has(sent.previous_response_id))
    return send(400, { error: { code: "previous_response_not_found", message: "no such response" } });
  made += 1;
  const begun = {
    id: `resp_kept${made}`,
    object: "response",
    model: "gpt-4o",
    status: "in_progress",
    output: [],
  };
  const content = [{ type: "output_text", text: SECRET, annotations: [] }];
  const item = { id: `msg_${made}`, type: "message", role: "assistant", status: "completed", content };
  const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
  const done = { ...begun, status: "completed", output: [item], usage };
  kept.set(begun.id, done);
  if (sent.stream !== true) return send(200, done);
  const place = { output_index: 0, item_id: item.id, content_index: 0 };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    },
    { type: "response.content_part.added", ...place, part: { ...content[0], text: "" } },
    { type: "response.output_text.delta", ...place, delta: SECRET },
    { type: "response.output_text.done", ...place, text: SECRET },
    { type: "response.content_part.done", ...place, part: content[0] },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: done },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [sequence_number, event] of events.entries())
    response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`);
  response.end();
}

describe.each([
  ["with a store", ""],
  ["without a store", "general_settings: {store: none, master_key: sk-test-master-key-0123456789}"],
])("A stream that hooks withhold %s", (_, general) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    const { port } = upstream.address() as AddressInfo;
    gateway = await startTestGateway({
      config: `model_list:
  - {model_name: kept, litellm_params: {model: openai/gpt-4o, api_base: "http://127.0.0.1:${port}/v1", api_key: k}}
  - {model_name: mocked, litellm_params: {model: anthropic/claude-sonnet-4-5, api_key: k, mock_response: "${SECRET}"}}
router_settings: {num_retries: 0}
gateway_settings: {callbacks: ["${hooks}"]}
${general}
`,
    });
  });
  afterAll(() => gateway?.close());

  /** @returns the answer, and the ids that its caller and its provider know */
  async function stream(place: string, model = "kept"): Promise<{ said: string; ids: string[] }> {
    const id = `withheld-${place}-${made}`;
    const answered = await gateway.call("/v1/responses", {
      body: { model, input: "hello", stream: true },
      headers: { "x-litellm-call-id": id },
    });
    const said = await answered.text();
    const shown = /"id":"(resp_[^"]+)"/.exec(said)?.[1];
    return { said, ids: [`resp_kept${made}`, ...(shown === undefined ? [] : [shown])] };
  }

  async function readBy(id: string): Promise<string> {
    const retrieved = await (await gateway.call(`/v1/responses/${id}`)).text();
    const body = { model: "kept", input: "more", previous_response_id: id };
    asked.length = 0;
    const continued = await gateway.call("/v1/responses", { body });
    await continued.text();
    const reached = asked.some(({ previous_response_id: previous }) => kept.has(previous ?? ""));
    return retrieved + (reached ? SECRET : "");
  }

  it.each(places.flatMap((place) => [true, false].map((whether) => [place, whether] as const)))(
    "(%s) is readable by no id, whether its provider deletes it: %s",
    async (place, whether) => {
      deletes = whether;
      const { said, ids } = await stream(place);
      expect(said).not.toContain("response.completed");
      if (whether) await until(() => !kept.has(ids[0]!));
      for (const id of ids) expect(await readBy(id), id).not.toContain(SECRET);
    },
  );

  it("goes on as it was where they let it pass", async () => {
    const { said, ids } = await stream("whole");
    expect(said).toContain("response.completed");
    for (const id of ids) expect(await readBy(id), id).toContain(SECRET);
  });

  if (general !== "") return;

  it.each(places)("(%s) is not readable where the gateway alone keeps it", async (place) => {
    const { said, ids } = await stream(place, "mocked");
    expect(said).not.toContain("response.completed");
    for (const id of ids.slice(1)) expect(await readBy(id)).not.toContain(SECRET);
  });

  it.each(places)("(%s) has its cost in the spend log", async (place) => {
    const before = await rows();
    await stream(place);
    const added = await until(rows, ({ length }) => length > before.length);
    expect(added).toHaveLength(before.length + 1);
    const [row] = added.filter(({ request_id: id }) => !before.some((one) => one.request_id === id));
    expect(row!.spend).toBeGreaterThan(0);
  });

  async function rows(): Promise<{ request_id: string; spend: number }[]> {
    const page = await gateway.call("/spend/logs?limit=500");
    return ((await page.json()) as { data: { request_id: string; spend: number }[] }).data;
  }
});

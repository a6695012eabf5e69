import { randomUUID } from "node:crypto";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { responsesDialect } from "../src/formats/responses/responses-dialect.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { readEvents, responsesConfig, responsesModels } from "./support/responses.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases, type TestDatabases } from "./support/shared-postgres.ts";

/** Bytes between the places at which a caller is cut off; CUT_STEP=1 tries every byte. */
const cutStep = Number(process.env.CUT_STEP ?? 13);

let simulator: Simulator;
let postgres: TestDatabases;
let gateway: TestGateway;
let replica: TestGateway;

beforeAll(async () => {
  if (!hasPostgres) return;
  [simulator, postgres] = await Promise.all([startSimulator({ port: 0 }), openDatabases()]);
  const options = {
    config: responsesConfig(simulator.url),
    environment: { DATABASE_URL: await postgres.createDatabase() },
  };
  gateway = await startTestGateway(options);
  replica = await startTestGateway(options);
});

afterAll(async () => {
  if (!hasPostgres) return;
  await Promise.all([gateway.close(), replica.close()]);
  await simulator.close();
  await postgres.stop();
});

beforeEach(() => simulator?.reset());

const tool = {
  type: "function",
  name: "weather",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};
const time = { ...tool, name: "time" };
const reasoning = { effort: "low", summary: "auto" };

const requests: Readonly<Record<string, object>> = {
  text: { input: "hello there" },
  "a tool call": { input: "[[sim:tool weather]]", tools: [tool] },
  "parallel tool calls": { input: "[[sim:parallel]]", tools: [tool, time] },
  reasoning: { input: "[[sim:think]] hello", reasoning },
  "an incomplete answer": { input: "[[sim:tokens 99]]", max_output_tokens: 16 },
  "one that is not kept": { input: "hello", store: false },
  "one in the background": { input: "hello", background: true },
  "a conversation's": { input: "hello", conversation: undefined },
};

async function stream(body: object, headers: Record<string, string> = {}): Promise<string> {
  const answer = await gateway.call("/v1/responses", { body: { ...body, stream: true }, headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  return answer.text();
}

/** What a stream breaks of its grammar; empty when it is right. */
function violations(text: string): string[] {
  const grammar = responsesDialect.grammar();
  const wrong = readEvents(text).flatMap(({ event, data }, index) => [
    ...(event === data.type ? [] : [`event line ${event} before ${String(data.type)}`]),
    ...(data.sequence_number === index ? [] : [`number ${String(data.sequence_number)} at ${index}`]),
    ...(grammar.accept(event, JSON.stringify(data)) ?? []),
  ]);
  return grammar.isComplete ? wrong : [...wrong, "the stream is not complete"];
}

const idOf = (text: string): string => (readEvents(text)[0]!.data.response as { id: string }).id;

describe.skipIf(!hasPostgres).each(responsesModels)("The stream of a response on %s", (model) => {
  it.each(Object.entries(requests))("follows the grammar: %s", async (_name, body) => {
    expect(violations(await stream({ model, ...body }))).toEqual([]);
  });

  it("ends in the very object that is kept", async () => {
    const text = await stream({ model, input: "hello" });
    const last = readEvents(text).at(-1)!.data.response;
    expect(await (await gateway.call(`/v1/responses/${idOf(text)}`)).json()).toEqual(last);
  });

  it("is taken up again after every one of its events, on either replica, with the same bytes", async () => {
    const text = await stream({ model, input: "hello there" });
    const frames = text.split("\n\n").filter((frame) => frame !== "");
    const path = `/v1/responses/${idOf(text)}?stream=true`;
    for (const place of [gateway, replica]) {
      expect(await (await place.call(path)).text()).toBe(text);
      for (const [index] of frames.entries()) {
        const rest = await (await place.call(`${path}&starting_after=${index}`)).text();
        expect(rest).toBe(
          frames
            .slice(index + 1)
            .map((frame) => `${frame}\n\n`)
            .join(""),
        );
      }
    }
    const beyond = await gateway.call(`${path}&starting_after=${frames.length}`);
    expect(beyond.status).toBe(400);
    expect(await beyond.json()).toMatchObject({ error: { param: "starting_after" } });
    expect(simulator.received().length).toBe(1);
  });

  it("goes on when its caller is cut off, who takes it up on another replica while it runs", async () => {
    const input = "[[sim:tokens 30]] [[sim:delay 20]]";
    const leaving = new AbortController();
    const answer = await gateway.call("/v1/responses", {
      body: { model, input, stream: true },
      signal: leaving.signal,
    });
    const reader = answer.body!.getReader();
    let seen = "";
    while (readWhole(seen).length < 6) seen += new TextDecoder().decode((await reader.read()).value);
    leaving.abort();
    const whole = readWhole(seen);
    const after = whole.length - 1;
    const rest = await (
      await replica.call(`/v1/responses/${idOf(seen)}?stream=true&starting_after=${after}`)
    ).text();
    const together = whole.map((frame) => `${frame}\n\n`).join("") + rest;
    expect(violations(together)).toEqual([]);
    expect(await (await gateway.call(`/v1/responses/${idOf(seen)}?stream=true`)).text()).toBe(together);
    expect(simulator.received().length).toBe(1);
  });

  it("stops a moment after its caller has left for good, incomplete and accounted for", async () => {
    const leaving = new AbortController();
    const id = `left-${model}`;
    const answer = await gateway.call("/v1/responses", {
      body: { model, input: "[[sim:tokens 2000]] [[sim:delay 50]]", stream: true },
      signal: leaving.signal,
      headers: { "x-portico-call-id": id },
    });
    const first = new TextDecoder().decode((await answer.body!.getReader().read()).value);
    leaving.abort();
    const path = `/v1/responses/${idOf(`${readWhole(first)[0]!}\n\n`)}`;
    const status = async () => ((await (await gateway.call(path)).json()) as { status: string }).status;
    // Of one that the provider keeps, the provider says how it stands.
    if (model !== "gpt-4o") await expect.poll(status, { interval: 200 }).toBe("incomplete");
    expect(violations(await (await replica.call(`${path}?stream=true`)).text())).toEqual([]);
    await expect
      .poll(async () =>
        (await (await gateway.call(`/spend/logs?request_id=${id}`)).text()).includes('"aborted"'),
      )
      .toBe(true);
  });

  it("comes again by its Idempotency-Key, byte for byte, wherever the caller was cut off", async () => {
    const headers = { "idempotency-key": randomUUID() };
    const body = { model, input: "hello [[sim:delay 5]]", stream: true };
    const whole = await (await gateway.call("/v1/responses", { body, headers })).text();
    for (let at = 1; at < whole.length; at += cutStep) {
      const leaving = new AbortController();
      const cut = await replica.call("/v1/responses", { body, headers, signal: leaving.signal });
      const reader = cut.body!.getReader();
      let seen = "";
      while (seen.length < at) {
        const { value, done } = await reader.read();
        if (done) break;
        seen += new TextDecoder().decode(value);
      }
      leaving.abort();
      expect(whole.startsWith(seen)).toBe(true);
      expect(await (await gateway.call("/v1/responses", { body, headers })).text()).toBe(whole);
    }
    expect(simulator.received().length).toBe(1);
  });

  it("can be made of a response that was not streamed", async () => {
    const created = (await (
      await gateway.call("/v1/responses", { body: { model, input: "[[sim:tool weather]]", tools: [tool] } })
    ).json()) as { id: string };
    const text = await (await gateway.call(`/v1/responses/${created.id}?stream=true`)).text();
    expect(violations(text)).toEqual([]);
    expect(readEvents(text).at(-1)!.data.response).toEqual(created);
  });

  it("shows the next request on another replica what it just said", async () => {
    const first = idOf(await stream({ model, input: "hello" }));
    const next = await replica.call("/v1/responses", {
      body: { model, input: "more", previous_response_id: first },
    });
    expect(await next.json()).toMatchObject({ status: "completed", previous_response_id: first });
  });

  it("ends in an error event when its provider breaks off, and says so afterwards", async () => {
    simulator.setFault({ method: "POST", path: "/", fault: "cut=700", times: 1 });
    const answer = await gateway.call("/v1/responses", {
      body: { model, input: "[[sim:tokens 60]]", stream: true },
    });
    const text = await answer.text();
    if (answer.status !== 200) return expect(answer.status).toBeGreaterThanOrEqual(500);
    const last = readEvents(text).at(-1)!;
    expect(["response.failed", "error"]).toContain(last.data.type);
    expect((await gateway.call(`/v1/responses/${idOf(text)}`)).status).toBe(200);
    return undefined;
  });
});

describe.skipIf(!hasPostgres)("A background response on another replica", () => {
  it("is polled, followed and cancelled there", async () => {
    const body = { model: "claude", input: "[[sim:tokens 20]] [[sim:delay 20]]", background: true };
    const started = (await (await gateway.call("/v1/responses", { body })).json()) as {
      id: string;
      status: string;
    };
    expect(started.status).toBe("queued");
    const text = await (await replica.call(`/v1/responses/${started.id}?stream=true`)).text();
    expect(violations(text)).toEqual([]);
    expect(await (await replica.call(`/v1/responses/${started.id}`)).json()).toMatchObject({
      status: "completed",
    });
    const slow = { model: "claude", input: "[[sim:tokens 400]] [[sim:delay 50]]", background: true };
    const other = (await (await gateway.call("/v1/responses", { body: slow })).json()) as { id: string };
    const followed = replica.call(`/v1/responses/${other.id}?stream=true`).then((answer) => answer.text());
    const cancelled = await replica.call(`/v1/responses/${other.id}/cancel`, { method: "POST" });
    expect(await cancelled.json()).toMatchObject({ status: "cancelled" });
    expect(readEvents(await followed).at(-1)!.data).toMatchObject({ response: { status: "cancelled" } });
  });
});

function readWhole(text: string): string[] {
  return text.split("\n\n").slice(0, -1);
}

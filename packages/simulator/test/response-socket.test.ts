import { request } from "node:http";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Simulator, startSimulator } from "../src/index.ts";

type Frame = OpenAI.Responses.ResponsesServerEvent & Record<string, unknown>;

let simulator: Simulator;
const open: ResponsesWS[] = [];

beforeAll(async () => {
  simulator = await startSimulator();
});
beforeEach(() => simulator.reset());
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});
afterAll(() => simulator.close());

function connect(apiKey = "any"): ResponsesWS {
  const client = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey });
  const socket = new ResponsesWS(client, { reconnect: null });
  socket.on("error", () => {});
  open.push(socket);
  return socket;
}

/** The frames of one answer. */
function turn(socket: ResponsesWS, body: object): Promise<Frame[]> {
  const frames: Frame[] = [];
  const answered = new Promise<Frame[]>((resolve, reject) => {
    const take = (event: unknown): void => {
      const frame = event as Frame;
      frames.push(frame);
      if (!/^(?:error|response\.(?:completed|incomplete|failed))$/.test(frame.type)) return;
      socket.off("event", take);
      resolve(frames);
    };
    socket.on("event", take);
    socket.once("close", () => reject(new Error("closed")));
  });
  socket.send({ type: "response.create", model: "m", ...body } as Parameters<typeof socket.send>[0]);
  return answered;
}

function responseOf(frames: Frame[]): OpenAI.Responses.Response {
  return (frames.at(-1) as unknown as { response: OpenAI.Responses.Response }).response;
}

const weather = { type: "function", name: "weather", parameters: { type: "object", properties: {} } };

test("The official client gets the events of a stream as frames", async () => {
  const frames = await turn(connect(), { input: "hi" });
  const types = frames.map(({ type }) => type);
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const received = simulator.received();
  expect(received.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["GET", "/openai/v1/responses", 101],
    ["POST", "/openai/v1/responses", 200],
  ]);
});

test("goes on from the connection's last response, which nobody stores", async () => {
  const socket = connect();
  const first = responseOf(
    await turn(socket, { store: false, input: "weather?", tools: [weather], reasoning: { effort: "low" } }),
  );
  const call = first.output.find(({ type }) => type === "function_call") as { call_id: string };
  const output = { type: "function_call_output", call_id: call.call_id, output: "sunny" };
  const next = { store: false, previous_response_id: first.id, input: [output] };
  const second = responseOf(await turn(socket, next));
  expect(JSON.stringify(second.output)).toContain("tool said: sunny");
  const lost = { type: "error", status: 400, error: { code: "previous_response_not_found" } };
  // Only the last one is remembered, and only by its connection.
  expect((await turn(socket, next)).at(-1)).toMatchObject(lost);
  expect((await turn(connect(), { previous_response_id: second.id, input: "and?" })).at(-1)).toMatchObject(
    lost,
  );
  expect((await turn(socket, { input: "still there" })).at(-1)?.type).toBe("response.completed");
});

test("forgets what a turn that failed went on from", async () => {
  const socket = connect();
  const { id } = responseOf(await turn(socket, { store: false, input: "one" }));
  const next = { store: false, previous_response_id: id };
  expect((await turn(socket, { ...next, input: "two", nonsense: 1 })).at(-1)).toMatchObject({ status: 400 });
  expect((await turn(socket, { ...next, input: "two" })).at(-1)).toMatchObject({
    error: { code: "previous_response_not_found" },
  });
});

test("begins without an answer, and answers streams side by side", async () => {
  const socket = connect();
  const begun = responseOf(await turn(socket, { generate: false, store: false, input: "remember tulips" }));
  expect(begun).toMatchObject({ output: [], status: "completed" });
  const frames: Frame[] = [];
  const both = new Promise<void>((resolve) => {
    socket.on("event", (event) => {
      frames.push(event as Frame);
      if (frames.filter(({ type }) => type === "response.completed").length === 2) resolve();
    });
  });
  for (const stream_id of ["slow", "quick"])
    socket.send({
      type: "response.create",
      model: "m",
      stream_id,
      input: stream_id === "slow" ? "wait [[sim:ttft 200]]" : "go",
    } as Parameters<typeof socket.send>[0]);
  await both;
  const ends = frames.filter(({ type }) => type === "response.completed");
  expect(ends.map(({ stream_id }) => stream_id)).toEqual(["quick", "slow"]);
});

test("refuses as it does over HTTP, and fails on command", async () => {
  const socket = connect();
  const refused = async (body: object) => (await turn(socket, body)).at(-1);
  expect(await refused({})).toMatchObject({ status: 400, error: { code: "missing_required_parameter" } });
  expect(await refused({ type: "response.cancel" })).toMatchObject({ error: { param: "type" } });
  expect(await refused({ model: "unknown", input: "hi" })).toMatchObject({
    status: 404,
    error: { code: "model_not_found" },
  });
  expect(await refused({ input: "[[sim:fault status=429;retry-after=2]]" })).toMatchObject({
    status: 429,
    headers: { "retry-after": "2" },
  });
  expect(await refused({ input: "[[sim:fault error-event]]" })).toMatchObject({ type: "error" });
  await expect(turn(socket, { input: "[[sim:fault cut=300]]" })).rejects.toThrow("closed");
  await expect(turn(connect(), { input: "[[sim:fault disconnect]]" })).rejects.toThrow("closed");
});

test("refuses a wrong key and an ordered fault at the handshake", async () => {
  const opened = (key: string): Promise<string> =>
    new Promise((resolve) => {
      const headers = { authorization: `Bearer ${key}` };
      const socket = new WebSocket(`${simulator.url.replace("http", "ws")}/openai/v1/responses`, { headers });
      socket.on("open", () => {
        socket.close();
        resolve("open");
      });
      socket.on("error", (error) => resolve(error.message));
    });
  expect(await opened("invalid")).toContain("401");
  simulator.setFault({ method: "GET", path: "/openai/v1/responses", fault: "status=426", times: 1 });
  expect(await opened("any")).toContain("426");
  expect(await opened("any")).toBe("open");
});

test("ends a connection that has lasted as long as it may", async () => {
  const settings = JSON.stringify({ socketLifetimeMs: 50 });
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: settings });
  const socket = connect();
  const frames: Frame[] = [];
  socket.on("event", (event) => frames.push(event as Frame));
  await new Promise((resolve) => socket.once("close", resolve));
  expect(frames).toMatchObject([{ type: "error", error: { code: "websocket_connection_limit_reached" } }]);
});

test("answers who asks for another protocol as if nobody had asked", async () => {
  const answer = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: "Bearer any", connection: "Upgrade", upgrade: "h2c" };
    const asked = request(`${simulator.url}/openai/v1/responses`, { method: "POST", headers }, (got) => {
      let text = "";
      got.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      got.on("end", () => resolve(text));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify({ model: "m", input: "hi" }));
  });
  expect(answer).toContain("echo: hi");
});

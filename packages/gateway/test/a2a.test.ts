import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerText, legacyMessage, message, register, rpc, rpcStream } from "./support/a2a.ts";
import { spawnTestGateway, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { startRemoteAgent } from "./support/remote-agent.ts";
import { hasPostgres } from "./support/services.ts";
import { openDatabases } from "./support/shared-postgres.ts";
import { until } from "./support/until.ts";

type Json = Record<string, unknown>;
type Task = { id: string; contextId: string; status: { state: string } };
type Simulator = Awaited<ReturnType<typeof startSimulator>>;

function configOf(simulator: Simulator, more = ""): string {
  return `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
keys:
  - {key: sk-ann-0123456789, user_id: ann, metadata: {agents: [echo, elsewhere]}}
  - {key: sk-ann-sister-0123456789, user_id: ann, metadata: {agents: [echo]}}
  - {key: sk-bob-0123456789, user_id: bob, metadata: {agents: []}}
  - {key: sk-not-0123456789, user_id: not, models: [other], metadata: {agents: [echo]}}
${more}
`;
}

const ann = { key: "sk-ann-0123456789" };
const echo = { agent_name: "echo", gateway_params: { model: "gpt" } };

describe("Talking to agents", () => {
  let simulator: Simulator;
  let gateway: TestGateway;
  beforeAll(async () => {
    simulator = await startSimulator();
    gateway = await startTestGateway({ config: configOf(simulator) });
    await register(gateway, echo);
  });
  afterAll(async () => {
    await gateway.close();
    await simulator.close();
  });

  it("says of an agent that a key does not see what it says of none, and how keys see agents", async () => {
    const told = async (agent: string, key?: string): Promise<string> => {
      const answer = await gateway.call(`/a2a/${agent}`, { ...(key === undefined ? {} : { key }), body: {} });
      expect(answer.status).toBe(404);
      return (await answer.text()).replaceAll(agent, "AGENT");
    };
    const hidden = await told("echo", "sk-bob-0123456789");
    expect(await told("nobody", "sk-bob-0123456789")).toBe(hidden);
    expect(JSON.parse(hidden)).toMatchObject({
      error: {
        message: "Agent 'AGENT' not found; a key sees those that its metadata (agents) or its team's names",
      },
      detail: "Agent 'AGENT' not found",
    });
    expect(await told("nobody")).toContain("GET /v1/agents lists all");
  });

  it("reads the names of the protocol buffers as well as those of their JSON", async () => {
    const content = {
      message_id: "1",
      role: "ROLE_USER",
      parts: [{ text: "hello", media_type: "text/plain" }],
    };
    const metadata = { own_name: { stays_so: 1 } };
    const sent = await rpc(gateway, "echo", "SendMessage", {
      message: { ...content, metadata },
      configuration: { history_length: 1 },
    });
    const { task } = sent.result as { task: Task & { history: Json[] } };
    expect(task.history[0]).toMatchObject({ messageId: "1", metadata });
    const url = "https://example.com/hook";
    const own = { task_id: task.id, id: "mine" };
    await rpc(gateway, "echo", "CreateTaskPushNotificationConfig", { ...own, url });
    const found = await rpc(gateway, "echo", "GetTaskPushNotificationConfig", own);
    expect(found.result).toMatchObject({ taskId: task.id, id: "mine", url });
    const listed = await rpc(gateway, "echo", "ListTasks", { page_size: 1, context_id: task.contextId });
    expect(listed.result).toMatchObject({ pageSize: 1, totalSize: 1 });
  });

  it("tells clients that asked for a stream of an error as an event", async () => {
    const init = { headers: { accept: "text/event-stream" } };
    const errors: unknown[] = [];
    for await (const event of rpcStream(gateway, "echo", "SubscribeToTask", { id: "none" }, init))
      errors.push(event);
    expect(errors).toEqual([{ error: { code: -32001, message: "Task 'none' was not found" } }]);
    const whole = await rpc(gateway, "echo", "GetTask", { id: "none" }, init);
    expect(whole.error?.code).toBe(-32001);
  });

  it("lets only the key that a task works for add messages to it meanwhile", async () => {
    const slow = message("[[sim:latency 2000]] slow", {}, { returnImmediately: true });
    const { task } = (await rpc(gateway, "echo", "SendMessage", slow, ann)).result as { task: Task };
    const taskId = task.id;
    const sister = { key: "sk-ann-sister-0123456789" };
    const refused = await rpc(gateway, "echo", "SendMessage", message("me too", { taskId }), sister);
    expect(refused.error).toMatchObject({ code: -32004, message: expect.stringContaining("still working") });
    const joined = await rpc(gateway, "echo", "SendMessage", message("more", { taskId }), ann);
    expect(answerText((joined.result as { task: Task }).task)).toContain("more");
  });

  it.each([
    ["-32700 for what is no JSON", "{oops", -32700, null],
    ["-32600 for a batch", "[]", -32600, null],
    ["-32600 without jsonrpc 2.0", { id: 1, method: "tasks/get" }, -32600, 1],
    ["-32600 without an id", { jsonrpc: "2.0", method: "tasks/get" }, -32600, null],
    ["-32601 for an unknown method", { jsonrpc: "2.0", id: "a", method: "tasks/explode" }, -32601, "a"],
    [
      "-32602 for params that are no object",
      { jsonrpc: "2.0", id: 1, method: "tasks/get", params: [] },
      -32602,
      1,
    ],
    [
      "-32602 without the id of the task",
      { jsonrpc: "2.0", id: 1, method: "tasks/get", params: {} },
      -32602,
      1,
    ],
    ["-32602 without a message", { jsonrpc: "2.0", id: 1, method: "message/send", params: {} }, -32602, 1],
    [
      "-32602 for a part of two kinds",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "SendMessage",
        params: message("x", { parts: [{ text: "a", url: "b" }] }),
      },
      -32602,
      1,
    ],
    [
      "-32001 for an unknown task",
      { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "task_x" } },
      -32001,
      1,
    ],
  ])("answers %s", async (_, body, code, id) => {
    const response = await fetch(`${gateway.url}/a2a/echo`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.masterKey}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  });

  it("answers -32009 for a version that it does not speak", async () => {
    const headers = { "a2a-version": "2.0" };
    expect((await rpc(gateway, "echo", "SendMessage", message("x"), { headers })).error?.code).toBe(-32009);
    const spoken = await rpc(gateway, "echo", "SendMessage", message("x"), {
      headers: { "a2a-version": "1.0" },
    });
    expect(spoken.error).toBeUndefined();
  });

  it("reaches an agent by its name or its id, and only those that the key may see", async () => {
    const agents = (await (await gateway.call("/v1/agents")).json()) as {
      agent_id: string;
      agent_name: string;
    }[];
    const { agent_id } = agents.find(({ agent_name }) => agent_name === "echo")!;
    expect((await rpc(gateway, agent_id, "message/send", legacyMessage("x"), ann)).status).toBe(200);
    const bob = { key: "sk-bob-0123456789" };
    expect((await rpc(gateway, "echo", "message/send", legacyMessage("x"), bob)).status).toBe(404);
    expect((await rpc(gateway, "none", "message/send", legacyMessage("x"))).status).toBe(404);
    const card = "/a2a/echo/.well-known/agent-card.json";
    expect((await gateway.call(card, bob)).status).toBe(404);
    expect((await gateway.call(card, ann)).status).toBe(200);
    expect((await fetch(gateway.url + card)).status).toBe(401);
  });

  it("keeps a tenant's tasks from other tenants", async () => {
    const { id } = (await rpc(gateway, "echo", "message/send", legacyMessage("x"), ann))
      .result as unknown as Task;
    const few = { key: "sk-not-0123456789" };
    expect((await rpc(gateway, "echo", "tasks/get", { id }, few)).error?.code).toBe(-32001);
    expect((await rpc(gateway, "echo", "tasks/cancel", { id }, few)).error?.code).toBe(-32001);
    expect((await rpc(gateway, "echo", "tasks/list", {}, few)).result.tasks).toEqual([]);
    const next = await rpc(gateway, "echo", "message/send", legacyMessage("y", { taskId: id }), few);
    expect(next.error?.code).toBe(-32001);
  });

  it("shows the card of an agent made public without a key, at the address by which it was asked", async () => {
    const id = await register(gateway, { agent_name: "open", gateway_params: { model: "gpt" } });
    const address = `${gateway.url}/a2a/open/.well-known/agent-card.json`;
    expect((await fetch(address)).status).toBe(401);
    expect((await gateway.call(`/v1/agents/${id}/make_public`, { method: "POST" })).status).toBe(200);
    const proxied = await fetch(address, {
      headers: { "x-forwarded-host": "agents.example", "x-forwarded-proto": "https" },
    });
    expect(await proxied.json()).toMatchObject({
      name: "open",
      url: "https://agents.example/a2a/open",
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      supportedInterfaces: [{ protocolVersion: "1.0" }, { protocolVersion: "0.3" }],
      security: [{ bearer: [] }],
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
    const strict = await fetch(address, { headers: { "a2a-version": "1.0" } });
    expect(await strict.json()).toMatchObject({
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "bearer" } } },
    });
    expect((await fetch(address.replace("agent-card", "agent"))).status).toBe(200);
    const hub = (await (await fetch(`${gateway.url}/public/agent_hub`)).json()) as Json[];
    expect(hub.map(({ name }) => name)).toEqual(["open"]);
    const other = await register(gateway, { agent_name: "also", gateway_params: { model: "gpt" } });
    await gateway.call("/v1/agents/make_public", { body: { agent_ids: [other] } });
    expect((await fetch(`${gateway.url}/a2a/also/.well-known/agent-card.json`)).status).toBe(200);
    expect((await fetch(`${gateway.url}/a2a/also`, { method: "POST" })).status).toBe(401);
  });

  it("holds the key's limits and permissions before it begins", async () => {
    const made = await gateway.call("/key/generate", {
      body: { rpm_limit: 1, metadata: { agents: ["echo"] } },
    });
    const few = { key: ((await made.json()) as { key: string }).key };
    expect((await rpc(gateway, "echo", "message/send", legacyMessage("x"), few)).status).toBe(200);
    const body = { jsonrpc: "2.0", id: 1, method: "message/stream", params: legacyMessage("x") };
    const limited = await gateway.call("/a2a/echo", { body, ...few });
    expect(limited.status).toBe(429);
    const refused = await gateway.call("/a2a/echo", { body, key: "sk-not-0123456789" });
    expect(refused.status).toBe(403);
  });

  it("logs and accounts messages like model calls", async () => {
    const response = await gateway.call("/a2a/echo", {
      body: { jsonrpc: "2.0", id: 1, method: "message/send", params: legacyMessage("count me") },
      ...ann,
    });
    const id = response.headers.get("x-portico-call-id");
    const rows = await until(
      async () => {
        const log = await gateway.call(`/spend/logs?request_id=${id}`);
        return ((await log.json()) as { data: Json[] }).data;
      },
      (found) => found.length > 0,
    );
    expect(rows).toEqual([
      expect.objectContaining({ call_type: "asend_message", model: "gpt", status: "success", user: "ann" }),
    ]);
    expect(rows[0]!.prompt_tokens).toBeGreaterThan(0);
    expect(rows[0]!.spend).toBeGreaterThan(0);
  });

  it("keeps only the asked length of history, and pages through tasks", async () => {
    const short = await rpc(
      gateway,
      "echo",
      "message/send",
      legacyMessage("x", {}, { historyLength: 0 }),
      ann,
    );
    expect(short.result.history).toBeUndefined();
    const first = await rpc(gateway, "echo", "ListTasks", { pageSize: 1 }, ann);
    const second = await rpc(
      gateway,
      "echo",
      "ListTasks",
      { pageSize: 1, pageToken: first.result.nextPageToken },
      ann,
    );
    const [a, b] = [first, second].map(({ result }) => (result.tasks as Task[])[0]!.id);
    expect(a).not.toBe(b);
    expect((await rpc(gateway, "echo", "ListTasks", { pageToken: "task_x" }, ann)).error?.code).toBe(-32602);
    expect((await rpc(gateway, "echo", "ListTasks", { pageSize: 0 }, ann)).error?.code).toBe(-32602);
    const since = { statusTimestampAfter: "-1" };
    expect((await rpc(gateway, "echo", "ListTasks", since, ann)).error?.code).toBe(-32602);
  });
});

describe("Push notifications", () => {
  let simulator: Simulator;
  let gateway: TestGateway;
  let failures = 0;
  const received: { headers: IncomingHttpHeaders; body: Json }[] = [];
  const hook = createServer(async (request, response) => {
    const body = (await json(request)) as Json;
    if (failures > 0) {
      failures -= 1;
      response.writeHead(503).end();
      return;
    }
    received.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  let url = "";
  beforeAll(async () => {
    hook.listen(0, "127.0.0.1");
    await once(hook, "listening");
    url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
    simulator = await startSimulator();
    gateway = await startTestGateway({
      config: configOf(simulator, "gateway_settings: {allow_private_networks: true}"),
    });
    await register(gateway, echo);
  });
  afterAll(async () => {
    await gateway.close();
    await simulator.close();
    hook.close();
  });

  const done = (state: string) => () =>
    received.find(({ body }) => JSON.stringify(body).includes(`"${state}"`));

  it("are sent with the caller's token and credentials, again where the address fails", async () => {
    received.length = 0;
    failures = 1;
    const pushNotificationConfig = {
      url,
      token: "tok-0123456789",
      authentication: { schemes: ["Bearer"], credentials: "cred-0123456789" },
    };
    const params = legacyMessage("hello", {}, { blocking: false, pushNotificationConfig });
    const { id } = (await rpc(gateway, "echo", "message/send", params)).result as unknown as Task;
    const sent = await until(done("completed"), (found) => found !== undefined);
    expect(sent!.headers).toMatchObject({
      "x-a2a-notification-token": "tok-0123456789",
      authorization: "Bearer cred-0123456789",
    });
    expect(sent!.body).toMatchObject({ kind: "task", id, status: { state: "completed" } });
    const files = readdirSync(gateway.dataDirectory).filter((name) => name.startsWith("portico.sqlite"));
    const stored = files.map((name) => readFileSync(join(gateway.dataDirectory, name), "latin1")).join("");
    expect(stored).toContain(id);
    expect(stored).not.toMatch(/(?:tok|cred)-0123456789/);
  });

  it("carry the shape of version 1.0 for callers who speak it", async () => {
    received.length = 0;
    const params = message("hello", {}, { taskPushNotificationConfig: { url } });
    const { task } = (await rpc(gateway, "echo", "SendMessage", params)).result as unknown as { task: Task };
    const sent = await until(done("TASK_STATE_COMPLETED"), (found) => found !== undefined);
    expect(sent!.body).toMatchObject({ task: { id: task.id } });
  });

  it("come from the gateway for remote agents that have none themselves", async () => {
    const remote = await startRemoteAgent("1.0");
    try {
      await register(gateway, { agent_name: "elsewhere", agent_card_params: { url: remote.url } });
      received.length = 0;
      const pushNotificationConfig = { url };
      const params = legacyMessage("soon", {}, { blocking: false, pushNotificationConfig });
      const { id } = (await rpc(gateway, "elsewhere", "message/send", params)).result as unknown as Task;
      const sent = await until(done("completed"), (found) => found !== undefined);
      expect(sent!.body).toMatchObject({ id, status: { state: "completed" } });
    } finally {
      await remote.close();
    }
  });
});

it("A task whose gateway was killed is finished by the next one", async () => {
  const simulator = await startSimulator();
  const config = configOf(simulator);
  const first = await spawnTestGateway({ config });
  let second: TestGateway | undefined;
  try {
    await register(first, echo);
    const params = legacyMessage("[[sim:tokens 200]] [[sim:delay 30]]", {}, { blocking: false });
    const { id } = (await rpc(first, "echo", "message/send", params)).result as unknown as Task;
    await until(() => simulator.received().length > 0);
    first.process.kill("SIGKILL");
    await first.exited;
    second = await startTestGateway({ config, dataDirectory: first.dataDirectory });
    const gateway = second;
    const task = await until(
      async () => (await rpc(gateway, "echo", "tasks/get", { id })).result as unknown as Task & Json,
      ({ status }) => status.state === "completed",
    );
    expect((task.artifacts as Json[]).length).toBe(1);
    expect(answerText(task).split(/\s+/).length).toBeGreaterThan(100);
  } finally {
    await second?.close();
    await first.close();
    await simulator.close();
  }
});

it.skipIf(!hasPostgres)("Two replicas share tasks: one streams and cancels what the other runs", async () => {
  const simulator = await startSimulator();
  const postgres = await openDatabases();
  const environment = { DATABASE_URL: await postgres.createDatabase() };
  const config = configOf(simulator);
  const [one, two] = [
    await startTestGateway({ config, environment }),
    await startTestGateway({ config, environment }),
  ];
  try {
    await register(one, echo);
    const sent = await rpc(two, "echo", "message/send", legacyMessage("hello"));
    expect(answerText((await rpc(one, "echo", "tasks/get", { id: sent.result.id })).result)).toBe(
      "echo: hello",
    );
    const slow = legacyMessage("[[sim:tokens 3000]] [[sim:delay 20]]", {}, { blocking: false });
    const { id } = (await rpc(one, "echo", "message/send", slow)).result as unknown as Task;
    const states: unknown[] = [];
    for await (const event of rpcStream(two, "echo", "tasks/resubscribe", { id })) {
      if (states.length === 0) await rpc(two, "echo", "tasks/cancel", { id });
      states.push((event as { status?: { state: string } }).status?.state);
    }
    expect(states.at(-1)).toBe("canceled");
  } finally {
    await Promise.all([one.close(), two.close()]);
    await postgres.stop();
    await simulator.close();
  }
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { Client, type Dispatcher } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CallInit, type ChildGateway, MASTER_KEY, spawnTestGateway } from "./support/gateway.ts";
import { SocketClient } from "./support/socket-client.ts";
import { until } from "./support/until.ts";
import { logLines, workerPids } from "./support/workers.ts";

const WORKERS = 3;
const CHAT = "/v1/chat/completions";
const chat = (model: string, text = "hello", more: object = {}) => ({
  model,
  messages: [{ role: "user", content: text }],
  ...more,
});

/** One connection, and so one worker. */
class Connection {
  readonly client: Client;
  worker = 0;

  constructor(url: string) {
    this.client = new Client(url, { pipelining: 1 });
  }

  request(path: string, { method, body, key = MASTER_KEY, headers }: CallInit = {}) {
    return this.client.request({
      path,
      method: (method ?? (body === undefined ? "GET" : "POST")) as Dispatcher.HttpMethod,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async call(path: string, init?: CallInit) {
    const { statusCode: status, headers, body } = await this.request(path, init);
    const text = await body.text();
    return { status, headers, text, json: () => JSON.parse(text) };
  }
}

let simulator: Simulator;
let folder = "";
const running: ChildGateway[] = [];
const clients: Client[] = [];
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator?.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-workers-"));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()));
  await Promise.all(running.splice(0).map((gateway) => gateway.close()));
  rmSync(folder, { recursive: true, force: true });
});

const config = (more = ""): string => `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1", input_cost_per_token: 0, output_cost_per_token: 0.00001}}
  - {model_name: refused, model_info: {id: refused}, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/nothing-here"}}
gateway_settings: {callbacks: [prometheus]}
router_settings: {num_retries: 0, cooldown_time: 600}
${more}`;

async function start(text = config(), flags: readonly string[] = ["--workers", String(WORKERS)]) {
  const gateway = await spawnTestGateway({ config: text, flags, dataDirectory: join(folder, "data") });
  running.push(gateway);
  return gateway;
}

const pids = (gateway: ChildGateway): Map<number, number> => workerPids(gateway.log());

function newConnection(gateway: ChildGateway): Connection {
  const connection = new Connection(gateway.url);
  clients.push(connection.client);
  return connection;
}

/** Connections of which at least one leads to each worker, with that worker. */
async function connect(gateway: ChildGateway): Promise<Connection[]> {
  const connections: Connection[] = [];
  const isComplete = () => new Set(connections.map(({ worker }) => worker)).size === WORKERS;
  while (!isComplete()) {
    const connection = newConnection(gateway);
    const { headers } = await connection.call("/v1/models");
    const id = headers["x-portico-call-id"];
    const line = await until(() => logLines(gateway.log()).find(({ call_id }) => call_id === id));
    connection.worker = Number(line!.worker);
    connections.push(connection);
  }
  return connections;
}

/** One connection to each worker. */
async function oneOfEach(gateway: ChildGateway): Promise<Connection[]> {
  const all = await connect(gateway);
  return [...new Map(all.map((one) => [one.worker, one])).values()];
}

describe("Workers of one gateway on SQLite", () => {
  it("count limits, health and figures together, and keep one store", async () => {
    const gateway = await start();
    const all = await oneOfEach(gateway);
    const [first, second, third] = all as [Connection, Connection, Connection];

    const limited = await first.call("/key/generate", { body: { rpm_limit: 5 } });
    const { key } = limited.json() as { key: string };
    const asked = Array.from({ length: 12 }, (_, index) =>
      all[index % WORKERS]!.call(CHAT, { key, body: chat("gpt") }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);

    // One failure at one worker is a cooldown at all.
    expect((await first.call(CHAT, { body: chat("refused") })).status).toBe(404);
    for (const connection of all)
      await until(async () => (await connection.call("/health")).json().unhealthy_count === 1);

    // Every worker tells the figures of all.
    for (const connection of all) {
      const { text } = await connection.call("/metrics");
      expect(text).toMatch(/litellm_deployment_success_responses_total\{[^}]*gpt-4o[^}]*} 5\n/);
    }

    // Whoever reads rows waits for those of all.
    const logs = await third.call(`/spend/logs?api_key=${key}`);
    expect(logs.json().data.filter((row: { status: string }) => row.status === "success")).toHaveLength(5);

    // What one worker keeps the others have.
    const body = { model: "gpt", input: "hello", background: true, stream: true };
    const stream = (await second.call("/v1/responses", { body })).text;
    const id = /"response":{"id":"([^"]+)"/.exec(stream)![1]!;
    for (const connection of all) {
      const again = await connection.call(`/v1/responses/${id}?stream=true&starting_after=1`);
      expect(again.text).toContain("event: response.completed");
      expect(again.text).not.toContain("event: response.created");
    }
    const repeated = { body: chat("gpt", "once"), headers: { "idempotency-key": "once" } };
    const answers = await Promise.all(all.map((connection) => connection.call(CHAT, repeated)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it("count the frames of all WebSockets together", async () => {
    const gateway = await start();
    const { key } = (await (await gateway.call("/key/generate", { body: { rpm_limit: 4 } })).json()) as {
      key: string;
    };
    // More connections than workers, so that several of these have some.
    const sockets = await Promise.all(
      Array.from({ length: 2 * WORKERS }, () => SocketClient.open(gateway.url, key)),
    );
    const turns = await Promise.all(sockets.map((socket) => socket.turn({ model: "gpt", input: "hello" })));
    await Promise.all(sockets.map((socket) => socket.close()));
    expect(turns.filter((frames) => frames.at(-1)!.type === "response.completed")).toHaveLength(4);
    expect(turns.filter(([first]) => first!.status === 429)).toHaveLength(2 * WORKERS - 4);
  });

  it("forget cached answers together", async () => {
    const gateway = await start(config("litellm_settings: {cache: true}"));
    const all = await oneOfEach(gateway);
    const isHit = async (connection: Connection): Promise<boolean> => {
      const { headers } = await connection.call(CHAT, { body: chat("gpt", "cached") });
      return headers["x-portico-cache-hit"] === "true";
    };
    for (const connection of all) await until(() => isHit(connection));
    expect((await all[0]!.call("/cache/flushall", { body: {} })).status).toBe(200);
    for (const connection of all) await until(async () => !(await isHit(connection)));
  });

  it("lose only the calls of one that is killed, and replace it", async () => {
    const gateway = await start();
    const all = await oneOfEach(gateway);
    const before = pids(gateway);
    const slow = { body: chat("gpt", "[[sim:tokens 40]] [[sim:delay 100]]", { stream: true }) };
    const streams = await Promise.all(all.map((connection) => connection.request(CHAT, slow)));
    const [victim] = all;
    process.kill(before.get(victim!.worker)!, "SIGKILL");
    const ends = await Promise.all(streams.map(({ body }) => body.text().catch(() => "cut")));
    for (const [index, connection] of all.entries())
      if (connection !== victim) expect(ends[index]!.endsWith("data: [DONE]\n\n")).toBe(true);
    await until(() => pids(gateway).get(victim!.worker) !== before.get(victim!.worker));
    const later = await connect(gateway);
    const calls = await Promise.all(later.map((one) => one.call(CHAT, { body: chat("gpt") })));
    expect(calls.map(({ status }) => status)).toEqual(later.map(() => 200));
  });

  it("take the connections that one had not taken when it was killed", async () => {
    const gateway = await start();
    const victim = (await until(() => pids(gateway).get(2)))!;
    process.kill(victim, "SIGSTOP");
    let ended = 0;
    const statuses = Array.from({ length: 3 * WORKERS }, async () => {
      const { status } = await newConnection(gateway).call("/health/liveliness");
      ended += 1;
      return status;
    });
    // The cluster hands a worker one connection at a time.
    await until(() => ended === statuses.length - 1);
    process.kill(victim, "SIGKILL");
    expect(await Promise.all(statuses)).toEqual(statuses.map(() => 200));
  });

  it("lose one that hangs, which is replaced with the connections that it has not taken", async () => {
    const gateway = await start(config(`general_settings: {master_key: ${MASTER_KEY}, worker_timeout: 3}`));
    const victim = (await until(() => pids(gateway).get(2)))!;
    process.kill(victim, "SIGSTOP");
    const statuses = Array.from(
      { length: 3 * WORKERS },
      async () => (await newConnection(gateway).call("/health/liveliness")).status,
    );
    expect(await Promise.all(statuses)).toEqual(statuses.map(() => 200));
    await until(() => pids(gateway).get(2) !== victim);
    const hung = logLines(gateway.log()).find(({ msg }) => String(msg).includes("hangs"));
    expect(hung).toMatchObject({ worker: 2, pid: victim });
  });

  it("refuse calls under limits while the primary is stopped, and go on with it", async () => {
    const gateway = await start();
    const keyWith = async (limits: object): Promise<string> =>
      ((await (await gateway.call("/key/generate", { body: limits })).json()) as { key: string }).key;
    const [rpm, budget, parallel] = await Promise.all([
      keyWith({ rpm_limit: 100 }),
      keyWith({ max_budget: 1 }),
      keyWith({ max_parallel_requests: 1 }),
    ]);
    const connection = (await connect(gateway))[0]!;
    const ask = async (key: string) => (await connection.call(CHAT, { key, body: chat("gpt") })).status;
    expect([await ask(rpm), await ask(budget), await ask(parallel), await ask(MASTER_KEY)]).toEqual([
      200, 200, 200, 200,
    ]);
    gateway.process.kill("SIGSTOP");
    try {
      const since = performance.now();
      expect(await ask(MASTER_KEY)).toBe(200);
      expect(await ask(budget)).toBe(503);
      expect(await ask(parallel)).toBe(503);
      expect(performance.now() - since).toBeLessThan(40_000);
    } finally {
      gateway.process.kill("SIGCONT");
    }
    // What was asked meanwhile is given back when its answer comes.
    await until(async () => (await ask(parallel)) === 200);
    expect([await ask(rpm), await ask(budget), await ask(parallel)]).toEqual([200, 200, 200]);
  });

  it("hold a budget while workers are killed, and lose no row of an answer", {
    timeout: 300_000,
  }, async () => {
    const gateway = await start();
    const calls = 60;
    const cost = 0.0001;
    const words = chat("gpt", "[[sim:tokens 10]] [[sim:latency 20]]", { max_tokens: 10 });
    const made = await gateway.call("/key/generate", { body: { max_budget: calls * cost } });
    const { key } = (await made.json()) as { key: string };
    const answered: string[] = [];
    let isSpent = false;
    const caller = async (): Promise<void> => {
      while (!isSpent) {
        const answer = await gateway.call(CHAT, { key, body: words }).catch(() => undefined);
        const text = await answer?.text().catch(() => undefined);
        if (answer?.status === 402) isSpent = true;
        else if (answer?.status === 200 && text !== undefined)
          answered.push(answer.headers.get("x-portico-call-id")!);
      }
    };
    const callers = Array.from({ length: 6 }, caller);
    for (const [kill, number] of [1, 2].entries()) {
      await until(() => answered.length > 10 * (kill + 1) || isSpent);
      const victim = pids(gateway).get(number)!;
      process.kill(victim, "SIGKILL");
      await until(() => pids(gateway).get(number) !== victim);
    }
    await Promise.all(callers);
    interface Row {
      readonly request_id: string;
      readonly spend: number;
    }
    const rows = async (): Promise<Row[]> => {
      const logs = await gateway.call(`/spend/logs?api_key=${key}&limit=1000`);
      return ((await logs.json()) as { data: Row[] }).data;
    };
    const all = await until(rows, (found) => {
      const ids = new Set(found.map((row) => row.request_id));
      return answered.every((id) => ids.has(id));
    });
    const ids = all.map((row) => row.request_id);
    expect(new Set(ids).size).toBe(ids.length);
    const spent = all.reduce((sum, { spend }) => sum + spend, 0);
    expect(spent).toBeLessThanOrEqual((calls + 1) * cost + 1e-9);
    const info = (await (await gateway.call(`/key/info?key=${key}`)).json()) as { info: { spend: number } };
    expect(info.info.spend).toBeCloseTo(spent, 9);
  });

  it("take a changed file over together, and end after their last call", async () => {
    const gateway = await start();
    const all = await oneOfEach(gateway);
    gateway.writeConfig(
      "model_list: [{model_name: new, litellm_params: {model: openai/x, mock_response: hi}}]",
    );
    gateway.process.kill("SIGHUP");
    for (const connection of all)
      await until(async () => (await connection.call("/v1/models")).text.includes('"new"'));
    gateway.writeConfig(config());
    for (const connection of all)
      await until(async () => (await connection.call("/v1/models")).text.includes('"gpt"'));
    const slow = { body: chat("gpt", "[[sim:tokens 20]] [[sim:delay 100]]", { stream: true }) };
    const streams = await Promise.all(all.map((connection) => connection.request(CHAT, slow)));
    gateway.process.kill("SIGTERM");
    const ends = await Promise.all(streams.map(({ body }) => body.text()));
    for (const end of ends) expect(end.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(await gateway.exited).toBe(0);
  });
});

describe("Workers that take others' places", () => {
  const mocked = (name: string, general: object = {}): string => `# general_settings:
model_list: [{model_name: ${name}, litellm_params: {model: openai/x, mock_response: hi}}]
general_settings: ${JSON.stringify({ master_key: MASTER_KEY, ...general })}
`;

  /** Kills each worker, one after the other. */
  async function replaceAll(gateway: ChildGateway): Promise<void> {
    for (const [number, pid] of pids(gateway)) {
      process.kill(pid, "SIGKILL");
      await until(() => pids(gateway).get(number) !== pid);
    }
  }

  const ofEach = async (gateway: ChildGateway, path: string): Promise<string[]> => {
    const all = await oneOfEach(gateway);
    return Promise.all(all.map(async (connection) => (await connection.call(path)).text));
  };
  const models = (gateway: ChildGateway): Promise<string[]> => ofEach(gateway, "/v1/models");

  it("have the configuration in force, whatever stands in the file by then", async () => {
    const gateway = await start(mocked("first"));
    gateway.writeConfig(mocked("second"));
    await until(async () => (await models(gateway)).every((text) => text.includes('"second"')));
    gateway.writeConfig("# general_settings:\nmodel_list: [");
    await until(() => gateway.log().includes("configuration rejected"));
    await replaceAll(gateway);
    for (const text of await models(gateway)) expect(text).toContain('"second"');
    const shown = (await ofEach(gateway, "/ui/configuration")).map((text) => JSON.parse(text));
    for (const { rejected } of shown) expect(rejected).toEqual(shown[0].rejected);
    expect(shown[0].rejected.problems[0]).toContain("config.yaml:2");
    // A file that is mended later comes into force at all of them.
    gateway.writeConfig(mocked("third"));
    await until(async () => (await models(gateway)).every((text) => text.includes('"third"')));
  });

  it("are as the others where a setting is read at the start alone", async () => {
    const at = (path: string) => ({ pass_through_endpoints: [{ path, target: "http://127.0.0.1:9/" }] });
    const gateway = await start(mocked("first", at("/early")));
    // A start would refuse this: the path is the gateway's own.
    gateway.writeConfig(mocked("second", at("/v1/chat/completions")));
    await until(async () => (await models(gateway)).every((text) => text.includes('"second"')));
    await replaceAll(gateway);
    for (const text of await models(gateway)) expect(text).toContain('"second"');
  });
});

describe("A gateway of several workers that cannot start", () => {
  it("says once what is wrong", async () => {
    await expect(start(config("general_settings: {store: none, master_key: k}"))).rejects.toThrow(
      /--workers needs a store/,
    );
    const taken = await start(config(), ["--workers", "1"]);
    const { port } = new URL(taken.url);
    const flags = ["--workers", "2", "--port", port, "--data-dir", join(folder, "other")];
    const failure = await start(config(), flags).catch((error: Error) => error);
    expect(String(failure).match(new RegExp(`port ${port}`, "g"))).toHaveLength(1);
  });
});

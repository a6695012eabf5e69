import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerText, legacyMessage, message, register, rpc, rpcStream } from "./support/a2a.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { type RemoteTestAgent, startRemoteAgent } from "./support/remote-agent.ts";
import { until } from "./support/until.ts";

type Task = { id: string; contextId: string; status: { state: string } };

const config = `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "http://127.0.0.1:9/v1"}}
keys:
  - {key: sk-ann-0123456789, user_id: ann, metadata: {agents: [remote]}}
  - {key: sk-bob-0123456789, user_id: bob, metadata: {agents: [remote]}}
`;

it("Messages to a remote agent count for the customer whom a hook names", async () => {
  const remote = await startRemoteAgent("1.0");
  const hooks = join(mkdtempSync(join(tmpdir(), "portico-hooks-")), "hooks.mjs");
  writeFileSync(
    hooks,
    `export const preCall = ({ data }) => ({ ...data, user: data.metadata?.mark ?? "renamed" });\n`,
  );
  const gateway = await startTestGateway({
    config: `${config}gateway_settings: {callbacks: ["${hooks}"]}\n`,
  });
  try {
    const settings = { allow_private_networks: true, cost_per_query: 0.5 };
    const card = { name: "R", description: "d", url: remote.url, protocolVersion: "1.0" };
    await register(gateway, { agent_name: "remote", agent_card_params: card, gateway_params: settings });
    await gateway.call("/customer/new", { body: { user_id: "renamed", max_budget: 0.7 } });
    await gateway.call("/customer/new", { body: { user_id: "blocked", blocked: true } });
    const send = async (mark?: string) => {
      const given = { ...message("hi"), ...(mark === undefined ? {} : { metadata: { mark } }) };
      return rpc(gateway, "remote", "SendMessage", given, {
        key: "sk-ann-0123456789",
        headers: { "x-litellm-customer-id": "" },
      });
    };
    expect((await send()).error).toBeUndefined();
    expect((await send()).error).toBeUndefined();
    expect(JSON.stringify((await send()).error)).toContain("renamed is exhausted");
    expect(remote.seen).toHaveLength(2);
    expect(JSON.stringify((await send("blocked")).error)).toContain("blocked");
    expect((await send("other")).error).toBeUndefined();
    const rows = await until(async () => {
      const { data } = (await (await gateway.call("/spend/logs")).json()) as {
        data: { end_user: string; spend: number }[];
      };
      return data.filter(({ spend }) => spend > 0).length === 3 ? data : undefined;
    });
    expect(
      rows!
        .filter(({ spend }) => spend > 0)
        .map((row) => row.end_user)
        .toSorted(),
    ).toEqual(["other", "renamed", "renamed"]);
  } finally {
    await gateway.close();
    await remote.close();
    rmSync(dirname(hooks), { recursive: true });
  }
});

describe.each(["0.3", "1.0"] as const)("A remote agent that speaks %s", (version) => {
  let gateway: TestGateway;
  let remote: RemoteTestAgent;
  beforeAll(async () => {
    remote = await startRemoteAgent(version);
    gateway = await startTestGateway({ config });
    await register(gateway, {
      agent_name: "remote",
      agent_card_params: { name: "Remote", description: "d", url: remote.url, protocolVersion: version },
      gateway_params: {
        api_key: "remote-secret",
        headers: { "X-Team": "blue" },
        allow_private_networks: true,
      },
    });
    const other = version === "1.0" ? "0.3.0" : "1.0";
    await register(gateway, {
      agent_name: "misdeclared",
      agent_card_params: { url: remote.url, protocolVersion: other },
      gateway_params: { allow_private_networks: true },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await remote.close();
  });

  it("answers callers of both versions, with the credentials that the gateway holds", async () => {
    const legacy = await rpc(gateway, "remote", "message/send", legacyMessage("hello"));
    expect(legacy.result).toMatchObject({ kind: "task", status: { state: "completed" } });
    expect(answerText(legacy.result)).toBe("remote: hello");
    const current = await rpc(gateway, "remote", "SendMessage", message("hello"));
    expect(current.result).toMatchObject({ task: { status: { state: "TASK_STATE_COMPLETED" } } });
    expect(answerText(current.result.task)).toBe("remote: hello");
    const { headers } = remote.seen.at(-1)!;
    expect(headers).toMatchObject({ authorization: "Bearer remote-secret", "x-team": "blue" });
    const shown = await (await gateway.call("/v1/agents")).text();
    expect(shown).not.toContain("remote-secret");
  });

  it("keeps its credentials when a definition comes back with their masks", async () => {
    const agents = (await (await gateway.call("/v1/agents")).json()) as Record<string, unknown>[];
    const { agent_id, ...shown } = agents.find(({ agent_name }) => agent_name === "remote")!;
    const changed = await gateway.call(`/v1/agents/${agent_id}`, { method: "PUT", body: shown });
    expect(changed.status).toBe(200);
    await rpc(gateway, "remote", "message/send", legacyMessage("still there"));
    expect(remote.seen.at(-1)!.headers).toMatchObject({
      authorization: "Bearer remote-secret",
      "x-team": "blue",
    });
  });

  it("is spoken to in its own version, whatever its registration says", async () => {
    const { result } = await rpc(gateway, "misdeclared", "message/send", legacyMessage("hello"));
    expect(answerText(result)).toBe("remote: hello");
    const text = "two";
    expect(answerText((await rpc(gateway, "misdeclared", "message/send", legacyMessage(text))).result)).toBe(
      "remote: two",
    );
  });

  it("streams to callers of both versions", async () => {
    const legacy = [];
    for await (const event of rpcStream(gateway, "remote", "message/stream", legacyMessage("s")))
      legacy.push(event);
    expect(legacy.map(({ kind }) => kind)).toEqual([
      "task",
      "status-update",
      "artifact-update",
      "artifact-update",
      "status-update",
    ]);
    expect(legacy.at(-1)).toMatchObject({ final: true, status: { state: "completed" } });
    const current = [];
    for await (const event of rpcStream(gateway, "remote", "SendStreamingMessage", message("s")))
      current.push(Object.keys(event)[0]);
    expect(current).toEqual(["task", "statusUpdate", "artifactUpdate", "artifactUpdate", "statusUpdate"]);
  });

  it("keeps the ids of its tasks and contexts to itself, and each tenant's to that tenant", async () => {
    const key = "sk-ann-0123456789";
    const bob = { key: "sk-bob-0123456789" };
    const sent = await rpc(gateway, "remote", "message/send", legacyMessage("mine"), { key });
    const { id, contextId } = sent.result as unknown as Task;
    const known = JSON.stringify((await rpc(gateway, "remote", "tasks/get", { id }, { key })).result);
    expect(known).toContain(id);
    expect((await rpc(gateway, "remote", "tasks/get", { id }, bob)).error?.code).toBe(-32001);
    expect(
      (await rpc(gateway, "remote", "message/send", legacyMessage("x", { taskId: id }), bob)).error?.code,
    ).toBe(-32001);
    expect((await rpc(gateway, "remote", "tasks/list", {}, bob)).result).toMatchObject({ tasks: [] });
    await rpc(gateway, "remote", "message/send", legacyMessage("again", { contextId }), { key });
    await rpc(gateway, "remote", "message/send", legacyMessage("stolen", { contextId }), bob);
    const contexts = remote.seen.slice(-2).map(({ body }) => {
      const { message: asked } = body.params as { message: { contextId?: string } };
      return asked.contextId;
    });
    expect(contexts[0]).toBeTypeOf("string");
    expect(contexts[0]).not.toBe(contextId);
    expect(contexts[1]).toBeUndefined();
  });

  it("continues a conversation of messages without tasks under the caller's own context id", async () => {
    const ask = async (): Promise<{ contextId: string; parts: { text: string }[] }> =>
      (await rpc(gateway, "remote", "message/send", legacyMessage("message", { contextId: "mine" })))
        .result as never;
    const [first, second] = [await ask(), await ask()];
    expect(first).toMatchObject({ kind: "message", contextId: "mine" });
    expect(second.contextId).toBe("mine");
    expect(second.parts[0]!.text).toBe(first.parts[0]!.text);
  });

  it("cancels a task and lets callers follow it", async () => {
    const params = legacyMessage("slow", {}, { blocking: false });
    const { id } = (await rpc(gateway, "remote", "message/send", params)).result as unknown as Task;
    const states: string[] = [];
    for await (const event of rpcStream(gateway, "remote", "tasks/resubscribe", { id })) {
      if (states.length === 0) {
        const cancelled = await rpc(gateway, "remote", "tasks/cancel", { id });
        expect(cancelled.result).toMatchObject({ id, status: { state: "canceled" } });
      }
      states.push((event as { status: { state: string } }).status.state);
    }
    expect(states.at(-1)).toBe("canceled");
  });

  it("is told of so many tasks at most, each of which is looked for", async () => {
    for (const method of ["SendMessage", "message/send"]) {
      const given = method === "SendMessage" ? message("hello") : legacyMessage("hello");
      const referenceTaskIds = Array.from({ length: 101 }, (_, at) => `task-${at}`);
      const params = { ...given, message: { ...(given.message as object), referenceTaskIds } };
      expect((await rpc(gateway, "remote", method, params)).error).toMatchObject({ code: -32602 });
    }
  });

  it("is left when the caller leaves", async () => {
    const before = remote.left();
    const leaving = new AbortController();
    const events = rpcStream(gateway, "remote", "message/stream", legacyMessage("slow"), {
      signal: leaving.signal,
    });
    await events.next();
    leaving.abort();
    await until(remote.left, (left) => left === before + 1);
  });
});

it("counts what is asked about tasks among the requests of its caller", async () => {
  const gateway = await startTestGateway({ config });
  const remote = await startRemoteAgent("1.0");
  try {
    await register(gateway, {
      agent_name: "remote",
      agent_card_params: { url: remote.url, protocolVersion: "1.0" },
      gateway_params: { allow_private_networks: true },
    });
    const body = { rpm_limit: 4, metadata: { agents: ["remote"] } };
    const made = await gateway.call("/key/generate", { body });
    const { key } = (await made.json()) as { key: string };
    const ask = async (method: string, params: object) => {
      const answer = await gateway.call("/a2a/remote", {
        key,
        body: { jsonrpc: "2.0", id: 1, method, params },
      });
      const text = await answer.text();
      return { status: answer.status, text };
    };
    const sent = await ask("SendMessage", message("slow", {}, { returnImmediately: true }));
    const { id } = (JSON.parse(sent.text) as { result: { task: { id: string } } }).result.task;
    expect((await ask("GetTask", { id })).status).toBe(200);
    expect((await ask("CancelTask", { id })).text).toContain("CANCELED");
    expect((await ask("GetTask", { id })).status).toBe(200);
    const seen = remote.seen.length;
    const { status, text } = await ask("GetTask", { id });
    expect([status, text]).toEqual([429, expect.stringContaining("4 requests")]);
    expect(remote.seen).toHaveLength(seen);
  } finally {
    await gateway.close();
    await remote.close();
  }
});

it("refuses agents in private networks unless an administrator allows them", async () => {
  const gateway = await startTestGateway({ config });
  const remote = await startRemoteAgent("0.3");
  try {
    await register(
      gateway,
      { agent_name: "remote", agent_card_params: { url: remote.url } },
      "sk-ann-0123456789",
    );
    const { error } = await rpc(gateway, "remote", "message/send", legacyMessage("x"));
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("not public") });
    expect(remote.seen).toEqual([]);
    const body = { agent_name: "mine", gateway_params: { allow_private_networks: true } };
    const refused = await gateway.call("/v1/agents", { body, key: "sk-ann-0123456789" });
    expect(refused.status).toBe(403);
  } finally {
    await gateway.close();
    await remote.close();
  }
});

it("lets nobody but administrators say what an agent's messages cost", async () => {
  const gateway = await startTestGateway({ config });
  try {
    const key = "sk-ann-0123456789";
    const priced = { api_base: "https://agent.invalid/", cost_per_query: 0.5 };
    const own = { agent_name: "own", gateway_params: priced };
    expect((await gateway.call("/v1/agents", { body: own, key })).status).toBe(403);
    const made = await gateway.call("/v1/agents", { body: { ...own, agent_name: "priced" } });
    const { agent_id: id } = (await made.json()) as { agent_id: string };
    const change = async (method: string, params: object, by?: string) => {
      const body = { agent_name: "priced", agent_card_params: { description: method }, ...params };
      const answer = await gateway.call(`/v1/agents/${id}`, { method, body, ...(by && { key: by }) });
      return answer.status;
    };
    const { cost_per_query: _, ...free } = priced;
    for (const method of ["PUT", "PATCH"])
      for (const name of ["gateway_params", "litellm_params"]) {
        for (const params of [free, { ...free, cost_per_query: null }, { ...free, cost_per_query: 0 }])
          expect(await change(method, { [name]: params }, key), `${method} ${name}`).toBe(403);
        // What stays as it is, is nobody's business.
        expect(await change(method, { [name]: priced }, key)).toBe(200);
      }
    expect(await change("PATCH", { gateway_params: free })).toBe(200);
  } finally {
    await gateway.close();
  }
});

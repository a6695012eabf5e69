import { randomUUID } from "node:crypto";
import { Role, type SendMessageRequest, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { register } from "./support/a2a.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { type RemoteTestAgent, startRemoteAgent } from "./support/remote-agent.ts";

function request(text: string, returnImmediately = false): SendMessageRequest {
  const part = {
    content: { $case: "text" as const, value: text },
    metadata: undefined,
    filename: "",
    mediaType: "",
  };
  return {
    tenant: "",
    message: {
      messageId: randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [part],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    metadata: undefined,
  };
}

function textOf(task: Task): string {
  const parts = task.artifacts.flatMap((artifact) => artifact.parts);
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

/** The operations that the official client has in both versions. */
type Talk = Pick<
  Client,
  | "sendMessage"
  | "sendMessageStream"
  | "getTask"
  | "cancelTask"
  | "resubscribeTask"
  | "createTaskPushNotificationConfig"
  | "getTaskPushNotificationConfig"
  | "listTaskPushNotificationConfig"
  | "deleteTaskPushNotificationConfig"
>;

describe("The official A2A client", () => {
  let gateway: TestGateway;
  const remotes: RemoteTestAgent[] = [];
  beforeAll(async () => {
    gateway = await startTestGateway();
    await register(gateway, { agent_name: "local", gateway_params: { model: "gpt-4o" } });
    for (const version of ["0.3", "1.0"] as const) {
      const remote = await startRemoteAgent(version);
      remotes.push(remote);
      await register(gateway, {
        agent_name: `remote-${version}`,
        agent_card_params: { url: remote.url, protocolVersion: version },
        gateway_params: { allow_private_networks: true },
      });
    }
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(remotes.map((remote) => remote.close()));
  });

  const withKey: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${gateway.masterKey}`);
    return fetch(input, { ...init, headers });
  };

  async function current(agent: string): Promise<Client> {
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: withKey })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl: withKey }),
    });
    return new ClientFactory(options).createFromUrl(
      `${gateway.url}/a2a/${agent}/`,
      ".well-known/agent-card.json",
    );
  }

  async function legacy(agent: string): Promise<Talk> {
    return new LegacyJsonRpcTransport({ endpoint: `${gateway.url}/a2a/${agent}`, fetchImpl: withKey });
  }

  const cases = ["local", "remote-0.3", "remote-1.0"].flatMap((agent) =>
    (
      [
        ["1.0", current],
        ["0.3", legacy],
      ] as const
    ).map(([version, open]) => ({ agent, version, open })),
  );

  it.each(cases)(
    "in version $version sends to, streams from and reads tasks of a $agent agent",
    async ({ agent, open }) => {
      const client = await open(agent);
      const sent = (await client.sendMessage(request("hello"))) as Task;
      expect(sent.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(textOf(sent)).toMatch(/^(echo|remote): hello$/);
      const events: StreamResponse[] = [];
      for await (const event of client.sendMessageStream(request("stream"))) events.push(event);
      expect(events[0]?.payload?.$case).toBe("task");
      expect(events.some(({ payload }) => payload?.$case === "artifactUpdate")).toBe(true);
      const last = events.at(-1)?.payload;
      expect(last?.$case === "statusUpdate" && last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      const read = await client.getTask({ tenant: "", id: sent.id });
      expect(textOf(read)).toBe(textOf(sent));
    },
  );

  it.each(cases)(
    "in version $version cancels tasks of a $agent agent and follows them",
    async ({ agent, open }) => {
      const client = await open(agent);
      const slow = agent === "local" ? "[[sim:tokens 3000]] [[sim:delay 20]]" : "slow";
      const task = (await client.sendMessage(request(slow, true))) as Task;
      const states: (TaskState | undefined)[] = [];
      let cancelled: Task | undefined;
      for await (const { payload } of client.resubscribeTask({ tenant: "", id: task.id })) {
        cancelled ??= await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
        if (payload?.$case === "statusUpdate") states.push(payload.value.status?.state);
      }
      expect(cancelled?.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
      await expect(client.cancelTask({ tenant: "", id: "task_none", metadata: undefined })).rejects.toThrow(
        /not found/,
      );
    },
  );

  it.each(cases)(
    "in version $version manages push notifications of a $agent agent",
    async ({ agent, open }) => {
      const client = await open(agent);
      const { id: taskId } = (await client.sendMessage(request("hello"))) as Task;
      const config = {
        tenant: "",
        taskId,
        id: "mine",
        url: "https://hooks.example/a",
        token: "t",
        authentication: undefined,
      };
      expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({
        taskId,
        id: "mine",
        token: "t",
      });
      const one = { tenant: "", taskId, id: "mine" };
      expect(await client.getTaskPushNotificationConfig(one)).toMatchObject({ url: config.url });
      const list = { tenant: "", taskId, pageSize: 10, pageToken: "" };
      expect((await client.listTaskPushNotificationConfig(list)).configs).toHaveLength(1);
      await client.deleteTaskPushNotificationConfig(one);
      expect((await client.listTaskPushNotificationConfig(list)).configs).toEqual([]);
      await expect(
        client.createTaskPushNotificationConfig({ ...config, url: "http://169.254.169.254/" }),
      ).rejects.toThrow(/not public/);
    },
  );

  it("lists tasks and reads the card with the gateway's address and authentication", async () => {
    const client = await current("local");
    await client.sendMessage(request("listed"));
    const { tasks, totalSize } = await client.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_COMPLETED,
      pageSize: 1,
      pageToken: "",
      statusTimestampAfter: undefined,
    });
    expect(tasks).toHaveLength(1);
    expect(totalSize).toBeGreaterThan(1);
    const card = await client.getAgentCard();
    expect(card.supportedInterfaces[0]).toMatchObject({
      url: `${gateway.url}/a2a/local`,
      protocolVersion: "1.0",
    });
    expect(card.securitySchemes.bearer?.scheme?.$case).toBe("httpAuthSecurityScheme");
  });
});

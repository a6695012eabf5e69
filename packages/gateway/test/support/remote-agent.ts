import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentCard, type Part, Role, TaskState } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  AgentEvent,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  type RequestContext,
  ServerCallContext,
} from "@a2a-js/sdk/server";

type Json = Record<string, unknown>;

/** A request as the agent saw it. */
export interface SeenRpc {
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** An agent outside the gateway that speaks one version of the protocol. */
export interface RemoteTestAgent {
  readonly url: string;
  readonly seen: readonly SeenRpc[];
  /** Streams whose reader left before their end. */
  readonly left: () => number;
  close(): Promise<void>;
}

/**
 * Starts an agent built on the official SDK. It answers with a task and "remote: <text>" in two pieces, with a bare
 * message when asked "message", and works until it is cancelled when asked "slow".
 */
export async function startRemoteAgent(version: "0.3" | "1.0"): Promise<RemoteTestAgent> {
  const executor = new Executor();
  const handler = new DefaultRequestHandler(card(version), new InMemoryTaskStore(), executor);
  const transport =
    version === "1.0" ? new JsonRpcTransportHandler(handler) : new LegacyJsonRpcTransportHandler(handler);
  const seen: SeenRpc[] = [];
  let left = 0;
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as Json;
    seen.push({ headers: request.headers, body });
    const context = new ServerCallContext({ requestedVersion: version } as never);
    const answer = await transport.handle(body, context);
    if (!(Symbol.asyncIterator in answer)) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.on("close", () => {
      if (!response.writableFinished) left += 1;
    });
    for await (const event of answer) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end();
  }).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    left: () => left,
    close: async () => {
      executor.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

class Executor {
  readonly #cancelled = new Set<string>();
  #stopped = false;

  stop(): void {
    this.#stopped = true;
  }

  readonly execute = async (request: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId, userMessage } = request;
    const text = userMessage.parts
      .map(({ content }) => (content?.$case === "text" ? content.value : ""))
      .join("");
    const parts = (value: string): Part[] => [
      { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "" },
    ];
    const say = (value: string) => ({
      messageId: "m",
      contextId,
      taskId: "",
      role: Role.ROLE_AGENT,
      parts: parts(value),
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    });
    const status = (state: TaskState) => ({ state, message: undefined, timestamp: new Date().toISOString() });
    if (text === "message") {
      bus.publish(AgentEvent.message(say(`remote: in ${contextId}`)));
      bus.finished();
      return;
    }
    const task = { id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined };
    bus.publish(AgentEvent.task({ ...task, status: status(TaskState.TASK_STATE_SUBMITTED) }));
    const update = (state: TaskState): void =>
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }));
    update(TaskState.TASK_STATE_WORKING);
    if (text === "slow") {
      while (!this.#cancelled.has(taskId) && !this.#stopped) await sleep(20);
      update(TaskState.TASK_STATE_CANCELED);
      bus.finished();
      return;
    }
    if (text === "soon") await sleep(700);
    for (const [index, piece] of ["remote: ", text].entries()) {
      const artifact = {
        artifactId: "a",
        name: "",
        description: "",
        parts: parts(piece),
        metadata: undefined,
        extensions: [],
      };
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact,
          append: index > 0,
          lastChunk: index > 0,
          metadata: undefined,
        }),
      );
    }
    update(TaskState.TASK_STATE_COMPLETED);
    bus.finished();
  };

  readonly cancelTask = async (taskId: string): Promise<void> => {
    this.#cancelled.add(taskId);
  };
}

function card(protocolVersion: string): AgentCard {
  return {
    name: "Remote",
    description: "An agent elsewhere",
    supportedInterfaces: [{ url: "http://remote/", protocolBinding: "JSONRPC", tenant: "", protocolVersion }],
    provider: undefined,
    version: "1",
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    signatures: [],
  };
}

import { GatewayError } from "../../../contract/errors.ts";
import type { StreamedReply } from "../../../contract/exchange.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { dataEvent } from "../../../formats/sse-event.ts";
import { describeError } from "../../../platform/log/describe-error.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import type { A2AService } from "../a2a-service.ts";
import type { AgentCall } from "../agent.ts";
import type { PushConfig, StreamEvent, Task } from "../protocol/a2a-types.ts";
import { toLegacyPushConfig } from "../protocol/legacy/legacy-params.ts";
import { toLegacyEvent, toLegacyTask } from "../protocol/legacy/legacy-task.ts";
import type { Operation } from "../protocol/operations.ts";
import { type Params, readParams } from "../protocol/read-params.ts";
import { type RpcId, rpcError, rpcResult } from "./json-rpc.ts";

/** An operation's answer: one result, or a stream of them. */
export type RpcAnswer = { readonly result: unknown } | { readonly results: AsyncIterable<unknown> };

type OnTasks = Exclude<Operation, "GetExtendedAgentCard">;

type Methods = {
  readonly [Op in OnTasks]: (service: A2AService, call: AgentCall, params: Params<Op>) => Promise<RpcAnswer>;
};

/**
 * Runs an operation on tasks.
 * @param params in the shape of version 1.0
 * @returns its answer in the caller's version
 * @throws A2AError -32602 for parameters that do not fit
 */
export async function runMethod<Op extends OnTasks>(
  operation: Op,
  service: A2AService,
  call: AgentCall,
  params: JsonObject,
): Promise<RpcAnswer> {
  return methods[operation](service, call, readParams(operation, params));
}

const methods: Methods = {
  SendMessage: async (service, call, params) => ({
    result: inVersion(call, await service.send(call, params)),
  }),
  SendStreamingMessage: async (service, call, params) => streamed(call, await service.stream(call, params)),
  SubscribeToTask: async (service, call, params) => streamed(call, await service.subscribe(call, params)),
  GetTask: async (service, call, params) => ({ result: taskIn(call, await service.getTask(call, params)) }),
  CancelTask: async (service, call, params) => ({
    result: taskIn(call, await service.cancelTask(call, params)),
  }),
  ListTasks: async (service, call, params) => {
    const list = await service.listTasks(call, params);
    return { result: { ...list, tasks: list.tasks.map((task) => taskIn(call, task)) } };
  },
  CreateTaskPushNotificationConfig: async (service, call, params) => ({
    result: pushIn(call, await service.setPush(call, params)),
  }),
  GetTaskPushNotificationConfig: async (service, call, params) => ({
    result: pushIn(call, await service.getPush(call, params)),
  }),
  ListTaskPushNotificationConfigs: async (service, call, params) => {
    const configs = (await service.listPush(call, params)).map((config) => pushIn(call, config));
    return { result: call.version === "1.0" ? { configs, nextPageToken: "" } : configs };
  },
  DeleteTaskPushNotificationConfig: async (service, call, params) => {
    await service.deletePush(call, params);
    return { result: call.version === "1.0" ? {} : null };
  },
};

function inVersion({ version }: AgentCall, event: StreamEvent): unknown {
  return version === "1.0" ? event : toLegacyEvent(event);
}

function taskIn({ version }: AgentCall, task: Task): unknown {
  return version === "1.0" ? task : toLegacyTask(task);
}

function pushIn({ version }: AgentCall, config: PushConfig): unknown {
  return version === "1.0" ? config : toLegacyPushConfig(config);
}

function streamed(call: AgentCall, events: AsyncIterable<StreamEvent>): RpcAnswer {
  return { results: mapped(call, events) };
}

async function* mapped(call: AgentCall, events: AsyncIterable<StreamEvent>): AsyncGenerator<unknown> {
  for await (const event of events) yield inVersion(call, event);
}

const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** JSON-RPC responses as server-sent events. */
export function eventReply(responses: readonly object[]): StreamedReply {
  return { status: 200, headers, stream: encoded(responses) };
}

async function* encoded(responses: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const response of responses) yield Buffer.from(dataEvent(response));
}

/** Results as server-sent events, each a JSON-RPC response; one that breaks off ends in an error response. */
export function rpcStream(id: RpcId, results: AsyncIterable<unknown>, logger: Logger): StreamedReply {
  return { status: 200, headers, stream: events(id, results, logger) };
}

async function* events(
  id: RpcId,
  results: AsyncIterable<unknown>,
  logger: Logger,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const result of results) yield Buffer.from(dataEvent(rpcResult(id, result)));
  } catch (error) {
    logger.warn({ error: describeError(error) }, "agent stream broke");
    yield Buffer.from(dataEvent(errorResponse(id, error)));
  }
}

/** After the first event an HTTP status is no longer possible. */
function errorResponse(id: RpcId, error: unknown): object {
  try {
    return rpcError(id, error);
  } catch {
    const message = error instanceof GatewayError ? error.message : "Internal error";
    return { jsonrpc: "2.0", id, error: { code: -32603, message } };
  }
}

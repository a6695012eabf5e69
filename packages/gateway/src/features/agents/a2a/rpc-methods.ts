import type { JsonObject } from "../../../contract/json.ts";
import type { A2AService } from "../a2a-service.ts";
import type { AgentCall } from "../agent-call.ts";
import type { PushConfig, StreamEvent, Task } from "../protocol/a2a-types.ts";
import { toLegacyPushConfig } from "../protocol/legacy/legacy-params.ts";
import { toLegacyEvent, toLegacyTask } from "../protocol/legacy/legacy-task.ts";
import type { Operation } from "../protocol/operations.ts";

/** An operation's answer: one result, or a stream of them. */
export type RpcAnswer = { readonly result: unknown } | { readonly results: AsyncIterable<unknown> };

type Method = (service: A2AService, call: AgentCall, params: JsonObject) => Promise<RpcAnswer>;

/** The operations that work on tasks, with their answers in the caller's version. */
export const rpcMethods: Readonly<Record<Exclude<Operation, "GetExtendedAgentCard">, Method>> = {
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

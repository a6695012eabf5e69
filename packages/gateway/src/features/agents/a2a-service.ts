import { seesEveryTenant } from "../../core/objects/tenant.ts";
import type { AgentBackend, AgentCall } from "./agent.ts";
import { localSettings } from "./local/local-settings.ts";
import { A2AError, invalidParams, taskNotFound } from "./protocol/a2a-error.ts";
import type { PushConfig, SendResult, StreamEvent, Task } from "./protocol/a2a-types.ts";
import { trimHistory } from "./protocol/apply-event.ts";
import { type Params, readPushTarget, readSend } from "./protocol/read-params.ts";
import { isTerminal } from "./protocol/task-state.ts";
import type { PushConfigs } from "./tasks/push-configs.ts";
import type { TaskStore } from "./tasks/store.ts";
import type { TaskLog } from "./tasks/task-log.ts";
import { type TaskRecord, taskRecord } from "./tasks/task-record.ts";

const DEFAULT_PAGE = 50;

/** A page of tasks, as version 1.0 has it. */
export interface TaskList {
  readonly tasks: readonly Task[];
  readonly nextPageToken: string;
  /** Tasks on this page. */
  readonly pageSize: number;
  readonly totalSize: number;
}

/** What the service stands on. */
export interface A2AServiceParts {
  readonly local: AgentBackend;
  readonly remote: AgentBackend;
  readonly log: TaskLog;
  readonly tasks: TaskStore;
  readonly push: PushConfigs;
}

/** The operations of the A2A protocol on any agent, with parameters in the shape of version 1.0. */
export class A2AService {
  readonly #parts: A2AServiceParts;

  constructor(parts: A2AServiceParts) {
    this.#parts = parts;
  }

  async send(call: AgentCall, params: Params<"SendMessage">): Promise<SendResult> {
    return this.#backend(call).send(call, readSend(params));
  }

  async stream(call: AgentCall, params: Params<"SendMessage">): Promise<AsyncIterable<StreamEvent>> {
    return this.#backend(call).stream(call, readSend(params));
  }

  async getTask(call: AgentCall, { id, historyLength }: Params<"GetTask">): Promise<Task> {
    const record = await this.#record(call, id);
    return trimHistory(await this.#backend(call).get(call, record), historyLength);
  }

  async listTasks(call: AgentCall, params: Params<"ListTasks">): Promise<TaskList> {
    const { tasks } = this.#parts;
    const { contextId, status, pageSize = DEFAULT_PAGE, historyLength } = params;
    const after = await this.#pageStart(call, params.pageToken);
    const since = readTime(params.statusTimestampAfter);
    const { rows, total } = await tasks.list({
      agentId: call.agent.agent_id,
      tenant: seesEveryTenant(call.principal) ? undefined : call.tenant,
      limit: pageSize + 1,
      ...(contextId === undefined ? {} : { contextId }),
      ...(status === undefined || status === "TASK_STATE_UNSPECIFIED" ? {} : { state: status }),
      ...(since === undefined ? {} : { since }),
      ...(after === undefined ? {} : { after: after.row }),
    });
    const page = rows.slice(0, pageSize).map((row) => taskRecord(row).task);
    return {
      tasks: page.map((task) => listed(trimHistory(task, historyLength), params.includeArtifacts === true)),
      nextPageToken: rows.length > pageSize ? rows[pageSize - 1]!.id : "",
      pageSize: page.length,
      totalSize: total,
    };
  }

  async cancelTask(call: AgentCall, { id }: Params<"CancelTask">): Promise<Task> {
    const record = await this.#record(call, id);
    if (isTerminal(record.state))
      throw new A2AError("taskNotCancelable", `Task '${record.id}' has ended and cannot be cancelled`);
    return this.#backend(call).cancel(call, record);
  }

  /** 1.0 refuses to follow a task that has ended (section 3.1.6); 0.3 is told how it ended. */
  async subscribe(call: AgentCall, { id }: Params<"SubscribeToTask">): Promise<AsyncIterable<StreamEvent>> {
    const record = await this.#record(call, id);
    if (!isTerminal(record.state)) return this.#backend(call).subscribe(call, record);
    if (call.version === "1.0")
      throw new A2AError("unsupportedOperation", `Task '${record.id}' has ended; there is nothing to follow`);
    return once({ task: record.task });
  }

  async setPush(
    call: AgentCall,
    { taskId, ...target }: Params<"CreateTaskPushNotificationConfig">,
  ): Promise<PushConfig> {
    const record = await this.#record(call, taskId);
    const config = await this.#parts.push.set(record.id, readPushTarget(target), call.version);
    await this.#backend(call).watch(call, record);
    return config;
  }

  async getPush(
    call: AgentCall,
    { taskId, id }: Params<"GetTaskPushNotificationConfig">,
  ): Promise<PushConfig> {
    const record = await this.#record(call, taskId);
    return this.#parts.push.get(record.id, id);
  }

  async listPush(
    call: AgentCall,
    { taskId }: Params<"ListTaskPushNotificationConfigs">,
  ): Promise<PushConfig[]> {
    const record = await this.#record(call, taskId);
    return this.#parts.push.list(record.id);
  }

  async deletePush(
    call: AgentCall,
    { taskId, id }: Params<"DeleteTaskPushNotificationConfig">,
  ): Promise<void> {
    const record = await this.#record(call, taskId);
    await this.#parts.push.delete(record.id, id);
  }

  #backend({ agent }: AgentCall): AgentBackend {
    return localSettings(agent.gateway_params) === undefined ? this.#parts.remote : this.#parts.local;
  }

  /** @throws A2AError -32001 for another agent's or tenant's task exactly as for one that does not exist */
  async #record({ agent, tenant, principal }: AgentCall, id: string): Promise<TaskRecord> {
    const record = await this.#parts.log.find(id);
    if (record === undefined || record.row.agent_id !== agent.agent_id) throw taskNotFound(id);
    if (record.row.tenant !== tenant && !seesEveryTenant(principal)) throw taskNotFound(id);
    return record;
  }

  async #pageStart(call: AgentCall, token: string | undefined): Promise<TaskRecord | undefined> {
    if (token === undefined) return undefined;
    try {
      return await this.#record(call, token);
    } catch (error) {
      throw new A2AError("invalidParams", "pageToken is not one that this list gave out", { cause: error });
    }
  }
}

function readTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw invalidParams("statusTimestampAfter", "a time in ISO 8601");
  return time;
}

/** Lists leave artifacts out unless they are asked for. */
function listed(task: Task, withArtifacts: boolean): Task {
  if (withArtifacts) return task;
  const { artifacts: _, ...rest } = task;
  return rest;
}

async function* once(event: StreamEvent): AsyncGenerator<StreamEvent> {
  yield event;
}

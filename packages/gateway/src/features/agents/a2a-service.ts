import type { JsonObject } from "../../contract/json.ts";
import { seesEveryTenant } from "../../core/objects/tenant.ts";
import type { AgentBackend } from "./agent-backend.ts";
import type { AgentCall } from "./agent-call.ts";
import { localSettings } from "./local/local-settings.ts";
import { A2AError, invalidParams, taskNotFound } from "./protocol/a2a-error.ts";
import type { PushConfig, SendResult, StreamEvent, Task } from "./protocol/a2a-types.ts";
import { trimHistory } from "./protocol/apply-event.ts";
import { readHistoryLength, readPushTarget, readSendParams, requiredText } from "./protocol/read-params.ts";
import { isTaskState, isTerminal } from "./protocol/task-state.ts";
import type { PushConfigs } from "./tasks/push-configs.ts";
import type { TaskStore } from "./tasks/store.ts";
import type { TaskLog } from "./tasks/task-log.ts";
import { type TaskRecord, taskRecord } from "./tasks/task-record.ts";

/** `Date.parse` reads much else, such as bare numbers. */
const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

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

  send(call: AgentCall, params: JsonObject): Promise<SendResult> {
    return this.#backend(call).send(call, readSendParams(params));
  }

  stream(call: AgentCall, params: JsonObject): Promise<AsyncIterable<StreamEvent>> {
    return this.#backend(call).stream(call, readSendParams(params));
  }

  async getTask(call: AgentCall, params: JsonObject): Promise<Task> {
    const { historyLength } = readHistoryLength(params.historyLength, "historyLength");
    const record = await this.#record(call, requiredText(params, "id"));
    return trimHistory(await this.#backend(call).get(call, record), historyLength);
  }

  async listTasks(call: AgentCall, params: JsonObject): Promise<TaskList> {
    const { tasks } = this.#parts;
    const pageSize = readPageSize(params.pageSize);
    const { historyLength } = readHistoryLength(params.historyLength, "historyLength");
    const after = await this.#pageStart(call, params.pageToken);
    const since = readTime(params.statusTimestampAfter);
    const { rows, total } = await tasks.list({
      agentId: call.agent.agent_id,
      tenant: seesEveryTenant(call.principal) ? undefined : call.tenant,
      limit: pageSize + 1,
      ...(typeof params.contextId === "string" && params.contextId !== ""
        ? { contextId: params.contextId }
        : {}),
      ...readStateFilter(params.status),
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

  async cancelTask(call: AgentCall, params: JsonObject): Promise<Task> {
    const record = await this.#record(call, requiredText(params, "id"));
    if (isTerminal(record.state))
      throw new A2AError("taskNotCancelable", `Task '${record.id}' has ended and cannot be cancelled`);
    return this.#backend(call).cancel(call, record);
  }

  /** 1.0 refuses to follow a task that has ended (section 3.1.6); 0.3 is told how it ended. */
  async subscribe(call: AgentCall, params: JsonObject): Promise<AsyncIterable<StreamEvent>> {
    const record = await this.#record(call, requiredText(params, "id"));
    if (!isTerminal(record.state)) return this.#backend(call).subscribe(call, record);
    if (call.version === "1.0")
      throw new A2AError("unsupportedOperation", `Task '${record.id}' has ended; there is nothing to follow`);
    return once({ task: record.task });
  }

  async setPush(call: AgentCall, params: JsonObject): Promise<PushConfig> {
    const record = await this.#record(call, requiredText(params, "taskId"));
    const config = await this.#parts.push.set(
      record.id,
      readPushTarget(params, "pushNotificationConfig"),
      call.version,
    );
    await this.#backend(call).watch(call, record);
    return config;
  }

  async getPush(call: AgentCall, params: JsonObject): Promise<PushConfig> {
    const record = await this.#record(call, requiredText(params, "taskId"));
    const { id } = params;
    return this.#parts.push.get(record.id, typeof id === "string" && id !== "" ? id : undefined);
  }

  async listPush(call: AgentCall, params: JsonObject): Promise<PushConfig[]> {
    const record = await this.#record(call, requiredText(params, "taskId"));
    return this.#parts.push.list(record.id);
  }

  async deletePush(call: AgentCall, params: JsonObject): Promise<void> {
    const record = await this.#record(call, requiredText(params, "taskId"));
    await this.#parts.push.delete(record.id, requiredText(params, "id"));
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

  async #pageStart(call: AgentCall, token: unknown): Promise<TaskRecord | undefined> {
    if (token === undefined || token === null || token === "") return undefined;
    try {
      return await this.#record(call, String(token));
    } catch (error) {
      throw new A2AError("invalidParams", "pageToken is not one that this list gave out", { cause: error });
    }
  }
}

function readPageSize(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_PAGE;
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > MAX_PAGE)
    throw invalidParams("pageSize", `a whole number from 1 to ${MAX_PAGE}`);
  return value as number;
}

function readStateFilter(value: unknown): { state?: string } {
  if (value === undefined || value === null || value === "TASK_STATE_UNSPECIFIED") return {};
  if (!isTaskState(value)) throw invalidParams("status", "a task state");
  return { state: value };
}

function readTime(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const time = typeof value === "string" && isoTime.test(value) ? Date.parse(value) : Number.NaN;
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

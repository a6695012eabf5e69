import type { AgentCall } from "../agent.ts";
import { A2AError, taskNotFound } from "../protocol/a2a-error.ts";
import type { Message, StreamEvent, Task, TaskStatus } from "../protocol/a2a-types.ts";
import { applyEvent } from "../protocol/apply-event.ts";
import type { TaskStore } from "../tasks/store.ts";
import { freshId, type TaskLog } from "../tasks/task-log.ts";
import { type TaskRecord, taskRecord } from "../tasks/task-record.ts";
import type { ContextStore } from "./context-store.ts";

/** What conversations are remembered in. */
export interface ConversationStores {
  readonly log: TaskLog;
  readonly tasks: TaskStore;
  readonly contexts: ContextStore;
}

interface Ids {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
}

/**
 * One call's view of a conversation with a remote agent: ids are ours on the caller's side and the agent's own on the
 * other, so that nobody can name another tenant's task or context; tasks are remembered as the agent reports them.
 */
export class Conversation {
  readonly #stores: ConversationStores;
  readonly #call: AgentCall;
  #record: TaskRecord | undefined;
  #contextId: string | undefined;
  #remoteContextId: string | undefined;

  constructor(stores: ConversationStores, call: AgentCall, record?: TaskRecord) {
    this.#stores = stores;
    this.#call = call;
    this.#record = record;
  }

  get record(): TaskRecord | undefined {
    return this.#record;
  }

  /** The caller's message with the agent's ids. @throws A2AError -32001 for a task that is not the caller's */
  async outgoing(message: Message): Promise<Message> {
    const { contextId, taskId, referenceTaskIds, ...rest } = message;
    const { agent, tenant } = this.#call;
    if (taskId !== undefined) this.#record = await this.#owned(taskId);
    this.#contextId = contextId ?? this.#record?.task.contextId;
    if (this.#contextId !== undefined) {
      const known = await this.#stores.contexts.find(agent.agent_id, tenant, this.#contextId);
      this.#remoteContextId = known?.remote_context_id;
    }
    const references = await Promise.all((referenceTaskIds ?? []).map((id) => this.#owned(id)));
    return {
      ...rest,
      ...(this.#record === undefined ? {} : { taskId: this.#record.row.remote_id! }),
      ...(this.#remoteContextId === undefined ? {} : { contextId: this.#remoteContextId }),
      ...(references.length === 0 ? {} : { referenceTaskIds: references.map(({ row }) => row.remote_id!) }),
    };
  }

  /** An event of the agent with our ids; what it says about the task is kept. */
  async incoming(event: StreamEvent): Promise<StreamEvent> {
    if ("message" in event) {
      const { taskId, contextId } = event.message;
      const ids = { taskId: await this.#knownTask(taskId), contextId: await this.#context(contextId) };
      return { message: withIds(event.message, ids) };
    }
    if ("task" in event) return { task: await this.incomingTask(event.task) };
    const update = "statusUpdate" in event ? event.statusUpdate : event.artifactUpdate;
    const contextId = await this.#context(update.contextId);
    const record = await this.#task(update.taskId, contextId!, () => ({
      id: update.taskId,
      contextId: update.contextId,
      status: { state: "TASK_STATE_WORKING" },
    }));
    const ids = { taskId: record.id, contextId };
    const ours: StreamEvent =
      "statusUpdate" in event
        ? {
            statusUpdate: {
              ...event.statusUpdate,
              ...idsOf(ids),
              status: statusWithIds(event.statusUpdate.status, ids),
            },
          }
        : { artifactUpdate: { ...event.artifactUpdate, ...idsOf(ids) } };
    await this.#keep(record, applyEvent(record.task, ours), "statusUpdate" in event);
    return ours;
  }

  /** A task of the agent with our ids. */
  async incomingTask(task: Task): Promise<Task> {
    const contextId = await this.#context(task.contextId);
    const record = await this.#task(task.id, contextId!, () => task);
    const ours = taskWithIds(task, { taskId: record.id, contextId });
    await this.#keep(record, ours, true);
    return ours;
  }

  /** Pieces of artifacts are written down together with the next status. */
  async #keep(record: TaskRecord, task: Task, write: boolean): Promise<void> {
    this.#record = write ? await this.#stores.log.observe(record, task) : taskRecord(record.row, { task });
  }

  async #owned(taskId: string): Promise<TaskRecord> {
    const record = await this.#stores.log.find(taskId);
    const { agent, tenant } = this.#call;
    if (
      record?.row.remote_id == null ||
      record.row.tenant !== tenant ||
      record.row.agent_id !== agent.agent_id
    )
      throw taskNotFound(taskId);
    return record;
  }

  async #knownTask(remoteId: string | undefined): Promise<string | undefined> {
    if (remoteId === undefined || remoteId === "") return undefined;
    if (this.#record?.row.remote_id === remoteId) return this.#record.id;
    const { agent, tenant } = this.#call;
    return (await this.#stores.tasks.findRemote(agent.agent_id, tenant, remoteId))?.id;
  }

  async #task(remoteId: string, contextId: string, seen: () => Task): Promise<TaskRecord> {
    if (this.#record?.row.remote_id === remoteId) return this.#record;
    const { agent, tenant } = this.#call;
    const known = await this.#stores.tasks.findRemote(agent.agent_id, tenant, remoteId);
    if (known !== undefined) return taskRecord(known);
    const id = freshId("task_");
    const task = taskWithIds(seen(), { taskId: id, contextId });
    return this.#stores.log.create({ agentId: agent.agent_id, tenant, task, remoteId });
  }

  async #context(remoteId: string | undefined): Promise<string | undefined> {
    if (remoteId === undefined || remoteId === "") return this.#contextId;
    if (remoteId === this.#remoteContextId) return this.#contextId;
    const { agent, tenant } = this.#call;
    const { contexts } = this.#stores;
    const known = await contexts.findRemote(agent.agent_id, tenant, remoteId);
    let ours = known?.context_id;
    if (ours === undefined) {
      // The name that the caller gave to a new conversation stays its name.
      ours = this.#remoteContextId === undefined ? this.#contextId : undefined;
      ours ??= freshId("ctx_");
      const row = { agent_id: agent.agent_id, tenant, context_id: ours, remote_context_id: remoteId };
      await contexts.insert(row);
    }
    this.#contextId = ours;
    this.#remoteContextId = remoteId;
    return ours;
  }
}

/** The id of a task at its agent. @throws A2AError -32603 for a task without one */
export function remoteId({ row }: TaskRecord): string {
  if (row.remote_id === null) throw new A2AError("internal", "The agent was local when this task began");
  return row.remote_id;
}

function idsOf({ taskId, contextId }: Ids): { taskId: string; contextId: string } {
  return { taskId: taskId ?? "", contextId: contextId ?? "" };
}

function withIds(message: Message, { taskId, contextId }: Ids): Message {
  const { taskId: _, contextId: __, referenceTaskIds: ___, ...rest } = message;
  return {
    ...rest,
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
  };
}

function statusWithIds(status: TaskStatus, ids: Ids): TaskStatus {
  return status.message == null ? status : { ...status, message: withIds(status.message, ids) };
}

function taskWithIds(task: Task, ids: Ids): Task {
  return {
    ...task,
    id: ids.taskId ?? "",
    contextId: ids.contextId ?? "",
    status: statusWithIds(task.status, ids),
    ...(task.history === undefined ? {} : { history: task.history.map((message) => withIds(message, ids)) }),
  };
}

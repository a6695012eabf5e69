import { setTimeout as sleep } from "node:timers/promises";
import { type ErrorType, GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { JobQueue } from "../../../platform/queue/job-queue.ts";
import type { CallSignal } from "../../../util/light-signal.ts";
import type { AgentBackend, AgentCall } from "../agent.ts";
import { A2AError, taskNotFound } from "../protocol/a2a-error.ts";
import type { Message, SendParams, SendResult, StreamEvent, Task, TaskState } from "../protocol/a2a-types.ts";
import { trimHistory } from "../protocol/apply-event.ts";
import { isCoolingDown } from "../protocol/task-state.ts";
import type { PushConfigs } from "../tasks/push-configs.ts";
import { freshId, type TaskLog } from "../tasks/task-log.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { chatMessages } from "./chat-prompt.ts";
import { statusEvent } from "./task-events.ts";
import { TASK_QUEUE, type TaskJob, type TaskRunner } from "./task-runner.ts";

/** Milliseconds between tries to give a task's next turn to the queue. */
const UNTIL_FREE = 20;

/** What local agents need. */
export interface LocalAgentDeps {
  readonly log: TaskLog;
  readonly queue: JobQueue;
  readonly runner: TaskRunner;
  readonly push: PushConfigs;
  /** Called when there is a turn to run. */
  readonly onWork: () => void;
}

/** Agents built from a model of the router: each message becomes a turn of a task. */
export class LocalAgent implements AgentBackend {
  readonly #deps: LocalAgentDeps;

  constructor(deps: LocalAgentDeps) {
    this.#deps = deps;
  }

  async send(call: AgentCall, params: SendParams): Promise<SendResult> {
    const begun = await this.#begin(call, params);
    const { historyLength, returnImmediately } = params.configuration ?? {};
    const until = returnImmediately === true ? isAdmitted : isCoolingDown;
    const record = await this.#deps.log.waitFor(begun.id, until, call.signal);
    refuse(record, call);
    return { task: trimHistory(record.task, historyLength) };
  }

  async stream(call: AgentCall, params: SendParams): Promise<AsyncIterable<StreamEvent>> {
    const begun = await this.#begin(call, params);
    const record = await this.#deps.log.waitFor(begun.id, isAdmitted, call.signal);
    refuse(record, call);
    return this.#events(
      { task: trimHistory(begun.task, params.configuration?.historyLength) },
      begun.id,
      begun.row.last_event,
      call.signal,
    );
  }

  async get(_call: AgentCall, record: TaskRecord): Promise<Task> {
    return record.task;
  }

  async cancel(_call: AgentCall, record: TaskRecord): Promise<Task> {
    const { log, queue, runner } = this.#deps;
    const cancelled = await log.append(record.id, [statusEvent(record.task, "TASK_STATE_CANCELED")]);
    if (cancelled === undefined)
      throw new A2AError("taskNotCancelable", `Task '${record.id}' has ended and cannot be cancelled`);
    runner.abort(record.id);
    await queue.cancel(TASK_QUEUE, record.id);
    return cancelled.task;
  }

  async subscribe(call: AgentCall, record: TaskRecord): Promise<AsyncIterable<StreamEvent>> {
    return this.#events({ task: record.task }, record.id, record.row.last_event, call.signal);
  }

  /** Every change of a local task is noticed anyway. */
  async watch(): Promise<void> {}

  /** Stores the message and has the turn run. */
  async #begin(call: AgentCall, { message, configuration }: SendParams): Promise<TaskRecord> {
    const { queue, push, onWork } = this.#deps;
    const target = configuration?.taskPushNotificationConfig;
    if (target !== undefined) push.check(target.url);
    const { record, joins } =
      message.taskId === undefined
        ? { record: await this.#newTask(call, message), joins: false }
        : await this.#nextTurn(call, message, message.taskId);
    if (target !== undefined) await push.set(record.id, target, call.version);
    if (joins) return record;
    const { principal, callId, agent } = call;
    const job: TaskJob = { taskId: record.id, agentId: agent.agent_id, callId, principal };
    // A turn that has just made the task rest may still hold its job for a moment.
    while (
      !(await queue.enqueue(TASK_QUEUE, record.id, job as unknown as JsonObject)) &&
      !call.signal.aborted
    )
      await sleep(UNTIL_FREE);
    onWork();
    return record;
  }

  #newTask({ agent, tenant }: AgentCall, message: Message): Promise<TaskRecord> {
    const id = freshId("task_");
    const contextId = message.contextId ?? freshId("ctx_");
    const task: Task = {
      id,
      contextId,
      status: { state: "TASK_STATE_SUBMITTED", timestamp: new Date().toISOString() },
      history: [{ ...message, taskId: id, contextId }],
      artifacts: [],
    };
    const transcript = chatMessages(message, []);
    return this.#deps.log.create({ agentId: agent.agent_id, tenant, task, transcript });
  }

  /**
   * Adds a message to a task that waits for one, or to one that works: its running turn sees it when it has answered
   * what came before. That turn is its caller's, so messages of other keys and in other customers' names wait until it is over.
   */
  async #nextTurn(
    call: AgentCall,
    message: Message,
    taskId: string,
  ): Promise<{ record: TaskRecord; joins: boolean }> {
    const { log } = this.#deps;
    const record = await log.find(taskId);
    if (
      record === undefined ||
      record.row.tenant !== call.tenant ||
      record.row.agent_id !== call.agent.agent_id
    )
      throw taskNotFound(taskId);
    if (message.contextId !== undefined && message.contextId !== record.task.contextId)
      throw new A2AError("invalidParams", "message.contextId is not the context of the task");
    const turn = isCoolingDown(record.state) ? "none" : await this.#turnOf(call, taskId);
    let joins = false;
    const next = await log.update(taskId, (now) => {
      joins = !isCoolingDown(now.state) && turn !== "none";
      if (joins && turn !== "own")
        throw new A2AError(
          "unsupportedOperation",
          `Task '${taskId}' is still working; wait until it asks for input`,
        );
      const said: StreamEvent = { message: { ...message, taskId, contextId: now.task.contextId } };
      const events = joins ? [said] : [statusEvent(now.task, "TASK_STATE_SUBMITTED"), said];
      return { events, transcript: [...now.transcript, ...chatMessages(message, now.transcript)] };
    });
    if (next !== undefined) return { record: next, joins };
    const text = `Task '${taskId}' has ended; send the message without a task id`;
    throw new A2AError("unsupportedOperation", text);
  }

  /** Whose turn the task works at; `none` where a job was given up, and the task only seems to work. */
  async #turnOf({ principal }: AgentCall, taskId: string): Promise<"own" | "foreign" | "none"> {
    const job = await this.#deps.queue.find(TASK_QUEUE, taskId);
    if (job === undefined || (job.state !== "waiting" && job.state !== "running")) return "none";
    const { keyHash, named } = job.payload.principal as Principal;
    const isOwn = keyHash === principal.keyHash && JSON.stringify(named) === JSON.stringify(principal.named);
    return isOwn ? "own" : "foreign";
  }

  async *#events(
    first: StreamEvent,
    id: string,
    after: number,
    signal: CallSignal,
  ): AsyncGenerator<StreamEvent> {
    yield first;
    // A message in a stream is an agent's whole answer; those in the log are the caller's own.
    for await (const event of this.#deps.log.follow(id, after, signal))
      if (!("message" in event)) yield event;
  }
}

/** The limits let the turn through, or the task has ended before. */
function isAdmitted(state: TaskState): boolean {
  return state !== "TASK_STATE_SUBMITTED";
}

/**
 * A turn that the gateway refused to begin is the caller's HTTP error, as for any model call. That call has told the
 * failure hooks.
 */
function refuse({ refusal }: TaskRecord, { call }: AgentCall): void {
  if (refusal === undefined) return;
  call.isFailureTold = true;
  const { status, type, message, retryAfter } = refusal;
  throw new GatewayError(status, type as ErrorType, message, retryAfter === undefined ? {} : { retryAfter });
}

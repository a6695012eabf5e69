import type { AgentCall } from "./agent-call.ts";
import type { SendParams, SendResult, StreamEvent, Task } from "./protocol/a2a-types.ts";
import type { TaskRecord } from "./tasks/task-record.ts";

/** What kinds of agents do differently. */
export interface AgentBackend {
  /** Answers when the task rests, or at once where the caller asked for that. */
  send(call: AgentCall, params: SendParams): Promise<SendResult>;
  /** Resolves when the message is accepted; the events then follow until the task rests. */
  stream(call: AgentCall, params: SendParams): Promise<AsyncIterable<StreamEvent>>;
  get(call: AgentCall, record: TaskRecord): Promise<Task>;
  /** @throws A2AError -32002 for a task that has ended */
  cancel(call: AgentCall, record: TaskRecord): Promise<Task>;
  /** The task as it is, then its events. */
  subscribe(call: AgentCall, record: TaskRecord): Promise<AsyncIterable<StreamEvent>>;
  /** Makes sure that changes of the task are noticed although no caller waits for them. */
  watch(call: AgentCall, record: TaskRecord): Promise<void>;
}

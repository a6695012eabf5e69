import { newCallRecord } from "../../../contract/call-record.ts";
import type { Principal } from "../../../contract/principal.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import type { AgentRegistry } from "../agent-registry.ts";
import { A2AError } from "../protocol/a2a-error.ts";
import { isTerminal } from "../protocol/task-state.ts";
import type { TaskLog } from "../tasks/task-log.ts";
import { Conversation, type ConversationStores, remoteId } from "./conversation.ts";
import { readTask } from "./read-remote.ts";
import type { RemoteClient } from "./remote-client.ts";
import { remoteSettings } from "./remote-settings.ts";

export const WATCH_QUEUE = "a2a-watch";

/** Milliseconds between looks: a quarter of the task's age within these bounds. */
const SOONEST = 500;
const LATEST = 15_000;

/** A job: a remote task whose changes somebody wants to be told of. */
interface WatchJob {
  readonly taskId: string;
  readonly agentId: string;
  readonly principal: Principal;
}

/** Asks remote agents how watched tasks are getting on until they have ended. */
export class TaskWatcher {
  readonly #stores: ConversationStores;
  readonly #log: TaskLog;
  readonly #registry: AgentRegistry;
  readonly #client: RemoteClient;

  constructor(stores: ConversationStores, registry: AgentRegistry, client: RemoteClient) {
    this.#stores = stores;
    this.#log = stores.log;
    this.#registry = registry;
    this.#client = client;
  }

  readonly look = async ({ payload }: Lease, signal: AbortSignal): Promise<JobOutcome> => {
    const { taskId, agentId, principal } = payload as unknown as WatchJob;
    const record = await this.#log.find(taskId);
    const agent = await this.#registry.byId(agentId);
    const settings = agent && remoteSettings(agent);
    if (record === undefined || agent === undefined || settings === undefined || isTerminal(record.state))
      return { done: true };
    const call = {
      agent,
      principal,
      tenant: record.row.tenant,
      callId: taskId,
      version: "1.0" as const,
      signal,
      call: newCallRecord("asend_message"),
    };
    try {
      const params = () => ({ id: remoteId(record) });
      const answer = await this.#client.call(settings, "GetTask", params, signal);
      const task = await new Conversation(this.#stores, call, record).incomingTask(readTask(answer));
      if (isTerminal(task.status.state)) return { done: true };
    } catch (error) {
      if (error instanceof A2AError && error.is("taskNotFound")) return { done: true };
      throw error;
    }
    const age = Date.now() - record.row.created_at;
    return { again: Date.now() + Math.min(LATEST, Math.max(SOONEST, age / 4)) };
  };
}

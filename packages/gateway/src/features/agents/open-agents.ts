import type { CallDeps } from "../../core/call/model-call.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import type { JobQueue } from "../../platform/queue/job-queue.ts";
import { type JobHandler, Worker } from "../../platform/queue/worker.ts";
import type { Store } from "../../platform/store/store.ts";
import { ContextStore } from "../responses/context-store.ts";
import { A2AService } from "./a2a-service.ts";
import { AgentRegistry } from "./agent-registry.ts";
import { AgentService } from "./agent-service.ts";
import { LocalAgent } from "./local/local-agent.ts";
import { TASK_QUEUE, TaskRunner, type TaskRunnerDeps } from "./local/task-runner.ts";
import { TaskTranscripts } from "./local/transcripts.ts";
import { RemoteAgent } from "./remote/remote-agent.ts";
import { RemoteClient } from "./remote/remote-client.ts";
import { TaskWatcher, WATCH_QUEUE } from "./remote/task-watcher.ts";
import { AgentStore } from "./store.ts";
import { PushConfigStore } from "./tasks/push-config-store.ts";
import { PushConfigs } from "./tasks/push-configs.ts";
import { PUSH_QUEUE, PushSender } from "./tasks/push-sender.ts";
import { TaskStore } from "./tasks/store.ts";
import { TaskLog } from "./tasks/task-log.ts";

/** Turns that run at the same moment in one process. */
const TURNS_AT_ONCE = 64;
/** Milliseconds after which a turn whose process died begins again; cancels on other replicas take a third of it. */
const TURN_LEASE = 6000;

/** Registered agents, and talking to them, with the workers that run their tasks. */
export interface OpenAgents {
  readonly agents: AgentService;
  readonly registry: AgentRegistry;
  readonly service: A2AService;
  /** Gives running turns back to the queue. */
  close(): Promise<void>;
}

/** @returns nothing without a persistent store, which agents need */
export function openAgents(
  calls: CallDeps,
  logger: Logger,
  store: Store | undefined,
  queue: JobQueue | undefined,
  recall: TaskRunnerDeps["recall"],
): OpenAgents | undefined {
  if (store === undefined || queue === undefined) return undefined;
  const agentStore = new AgentStore(store);
  const registry = new AgentRegistry(agentStore, logger);
  const tasks = new TaskStore(store);
  const pushStore = new PushConfigStore(store);
  const sender = new PushSender(pushStore, queue, calls.upstream);
  const log = new TaskLog(tasks, (record) => sender.announce(record));
  const { config } = calls;
  const push = new PushConfigs(pushStore, () => config.current().gatewaySettings.allowPrivateNetworks);
  const runner = new TaskRunner({ calls, log, registry, transcripts: new TaskTranscripts(tasks), recall });
  const client = new RemoteClient(calls.upstream);
  const stores = { log, tasks, contexts: new ContextStore(store) };
  const watcher = new TaskWatcher(stores, registry, client);
  const work = (name: string, handler: JobHandler, concurrency: number, leaseMs?: number): Worker =>
    new Worker({
      queue,
      name,
      handler,
      concurrency,
      ...(leaseMs === undefined ? {} : { leaseMs }),
      onError: (error, lease) =>
        logger.warn({ job: name, attempt: lease?.attempt, error: describeError(error) }, "agent job failed"),
    });
  const turns = work(TASK_QUEUE, runner.run, TURNS_AT_ONCE, TURN_LEASE);
  const deliveries = work(PUSH_QUEUE, sender.deliver, 16);
  const watches = work(WATCH_QUEUE, watcher.look, 16);
  sender.onWork = () => deliveries.wake();
  const local = new LocalAgent({ log, queue, runner, push, onWork: () => turns.wake() });
  const remote = new RemoteAgent({ ...stores, client, meter: calls, push, queue });
  return {
    agents: new AgentService(agentStore, registry, () => config.current().generalSettings.agentManagement),
    registry,
    service: new A2AService({ local, remote, log, tasks, push }),
    close: async () => {
      await Promise.all([turns.stop(), deliveries.stop(), watches.stop()]);
    },
  };
}

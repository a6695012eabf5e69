import type { Principal } from "../../contract/principal.ts";
import type { Feature } from "../../core/feature.ts";
import type { Core } from "../../core/open-core.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Platform } from "../../platform/open-platform.ts";
import { type JobHandler, Worker } from "../../platform/queue/worker.ts";
import { a2aRoutes } from "./a2a/routes.ts";
import { a2aDescription } from "./a2a/schema.ts";
import { A2AService } from "./a2a-service.ts";
import { AgentRegistry } from "./agent-registry.ts";
import { AgentService } from "./agent-service.ts";
import { LocalAgent } from "./local/local-agent.ts";
import { TASK_QUEUE, TaskRunner } from "./local/task-runner.ts";
import { TaskTranscripts } from "./local/transcripts.ts";
import { ContextStore } from "./remote/context-store.ts";
import { RemoteAgent } from "./remote/remote-agent.ts";
import { RemoteClient } from "./remote/remote-client.ts";
import { TaskWatcher, WATCH_QUEUE } from "./remote/task-watcher.ts";
import { agentRoutes } from "./routes.ts";
import { agentDescription } from "./schema.ts";
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

/** Agents that are registered, and talking to them by A2A, with the workers that run their tasks. */
export function openAgents(core: Core, platform: Platform): Feature {
  const { store, queue, config, logger } = platform;
  const descriptions = [agentDescription, a2aDescription];
  // Without a persistent store every route answers that there is none.
  if (store === undefined || queue === undefined)
    return { routes: [...agentRoutes(undefined), ...a2aRoutes(undefined)], descriptions };
  const { calls, recallPrincipal: recall } = core;
  const agentStore = new AgentStore(store, platform.seal);
  const registry = new AgentRegistry(agentStore, logger);
  const tasks = new TaskStore(store);
  const pushStore = new PushConfigStore(store, platform.seal);
  const sender = new PushSender(pushStore, queue, calls.upstream);
  const log = new TaskLog(tasks, (record) => sender.announce(record));
  const push = new PushConfigs(pushStore, () => config.current.gatewaySettings.allowPrivateNetworks);
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
  const agents = new AgentService(agentStore, registry, () => config.current.generalSettings.agentManagement);
  const service = new A2AService({ local, remote, log, tasks, push });
  const tenantOf = (principal: Principal): string => core.resources.ownership.tenantOf(principal);
  return {
    routes: [
      ...agentRoutes(agents),
      ...a2aRoutes({ registry, service, config, logger, tenantOf, scopes: calls.scopes }),
    ],
    descriptions,
    chores: { "task-events": () => log.forgetEvents() },
    stop: async () => {
      await Promise.all([turns.stop(), deliveries.stop(), watches.stop()]);
    },
  };
}

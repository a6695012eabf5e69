import type { JsonObject } from "../../../contract/json.ts";
import { underRequestsAlone } from "../../../contract/principal.ts";
import type { JobQueue } from "../../../platform/queue/job-queue.ts";
import type { AgentBackend, AgentCall } from "../agent.ts";
import { A2AError } from "../protocol/a2a-error.ts";
import type { SendParams, SendResult, StreamEvent, Task } from "../protocol/a2a-types.ts";
import { trimHistory } from "../protocol/apply-event.ts";
import { toLegacySend } from "../protocol/legacy/legacy-params.ts";
import { isCoolingDown, isTerminal } from "../protocol/task-state.ts";
import type { PushConfigs } from "../tasks/push-configs.ts";
import type { TaskRecord } from "../tasks/task-record.ts";
import { Conversation, type ConversationStores, remoteId } from "./conversation.ts";
import { type MeterDeps, MeteredCall } from "./metered-call.ts";
import { readEvent, readTask } from "./read-remote.ts";
import type { ParamsOf, RemoteClient } from "./remote-client.ts";
import { type RemoteSettings, remoteSettings } from "./remote-settings.ts";
import { WATCH_QUEUE } from "./task-watcher.ts";

/** What remote agents need. */
export interface RemoteAgentDeps extends ConversationStores {
  readonly client: RemoteClient;
  readonly meter: MeterDeps;
  readonly push: PushConfigs;
  readonly queue: JobQueue;
}

/** Agents behind an A2A address of their own. */
export class RemoteAgent implements AgentBackend {
  readonly #deps: RemoteAgentDeps;

  constructor(deps: RemoteAgentDeps) {
    this.#deps = deps;
  }

  async send(call: AgentCall, params: SendParams): Promise<SendResult> {
    const { settings, metered, conversation, sent } = await this.#begin(call, params);
    try {
      const answer = await this.#deps.client.call(settings, "SendMessage", sent, call.signal, call.call);
      const event = await conversation.incoming(readEvent(answer));
      if (!("task" in event) && !("message" in event))
        throw new A2AError("invalidAgentResponse", "The agent answered a message with an update");
      await this.#notify(call, params, conversation.record);
      return await metered.succeeded(event);
    } catch (error) {
      metered.failed(error);
      throw error;
    }
  }

  async stream(call: AgentCall, params: SendParams): Promise<AsyncIterable<StreamEvent>> {
    const { settings, metered, conversation, sent } = await this.#begin(call, params);
    try {
      const answers = await this.#deps.client.stream(
        settings,
        "SendStreamingMessage",
        sent,
        call.signal,
        call.call,
      );
      return this.#metered(this.#translated(call, answers, conversation, params), metered);
    } catch (error) {
      metered.failed(error);
      throw error;
    }
  }

  async get(call: AgentCall, record: TaskRecord): Promise<Task> {
    return this.#ofTask(call, record, "GetTask");
  }

  async cancel(call: AgentCall, record: TaskRecord): Promise<Task> {
    return this.#ofTask(call, record, "CancelTask");
  }

  async subscribe(call: AgentCall, record: TaskRecord): Promise<AsyncIterable<StreamEvent>> {
    const settings = settingsOf(call);
    await this.#count(call);
    const params = (): JsonObject => ({ id: remoteId(record) });
    const answers = await this.#deps.client.stream(settings, "SubscribeToTask", params, call.signal);
    return this.#translated(call, answers, new Conversation(this.#deps, call, record), undefined);
  }

  /** Whether the agent can notify or not: the gateway asks it now and then, and notifies the caller itself. */
  async watch({ agent, principal }: AgentCall, record: TaskRecord): Promise<void> {
    if (isTerminal(record.state)) return;
    const job = { taskId: record.id, agentId: agent.agent_id, principal };
    await this.#deps.queue.enqueue(WATCH_QUEUE, record.id, job as unknown as JsonObject, {
      runAt: Date.now() + 500,
    });
  }

  async #begin(call: AgentCall, params: SendParams) {
    const settings = settingsOf(call);
    const target = params.configuration?.taskPushNotificationConfig;
    if (target !== undefined) this.#deps.push.check(target.url);
    const conversation = new Conversation(this.#deps, call);
    const message = await conversation.outgoing(params.message);
    call.call.apiBase = new URL(settings.url).origin;
    const asked = { ...params, message };
    const metered = await MeteredCall.begin(this.#deps.meter, call, asked, settings.costPerMessage);
    return { settings, metered, conversation, sent: sendParams(metered.params as unknown as SendParams) };
  }

  /**
   * What a caller asks an agent about a task is a request of its own, with the operator's credentials.
   * @throws GatewayError 429
   */
  async #count({ principal, signal }: AgentCall): Promise<void> {
    const counted = await this.#deps.meter.limiter.reserve({
      principal: underRequestsAlone(principal),
      model: "",
      estimatedTokens: 0,
      estimatedCost: 0,
      signal,
    });
    counted.settle(undefined, undefined);
  }

  async #ofTask(call: AgentCall, record: TaskRecord, operation: "GetTask" | "CancelTask"): Promise<Task> {
    await this.#count(call);
    const params = (): JsonObject => ({ id: remoteId(record) });
    const answer = await this.#deps.client.call(settingsOf(call), operation, params, call.signal);
    return new Conversation(this.#deps, call, record).incomingTask(readTask(answer));
  }

  async *#translated(
    call: AgentCall,
    answers: AsyncIterable<Parameters<typeof readEvent>[0]>,
    conversation: Conversation,
    params: SendParams | undefined,
  ): AsyncGenerator<StreamEvent> {
    let wanted = params?.configuration?.taskPushNotificationConfig !== undefined;
    for await (const answer of answers) {
      const event = await conversation.incoming(readEvent(answer));
      if (wanted && conversation.record !== undefined) {
        wanted = false;
        await this.#notify(call, params!, conversation.record);
      }
      yield "task" in event ? { task: trimHistory(event.task, params?.configuration?.historyLength) } : event;
    }
  }

  /** Settles before the event that ends the answer goes out, or when the stream ends, breaks or is left. */
  async *#metered(events: AsyncIterable<StreamEvent>, metered: MeteredCall): AsyncGenerator<StreamEvent> {
    let complete = false;
    try {
      for await (const event of events) {
        if (endsAnswer(event)) metered.ended(true);
        yield event;
      }
      complete = true;
    } catch (error) {
      metered.failed(error);
      throw error;
    } finally {
      metered.ended(complete);
    }
  }

  async #notify(
    call: AgentCall,
    { configuration }: SendParams,
    record: TaskRecord | undefined,
  ): Promise<void> {
    const target = configuration?.taskPushNotificationConfig;
    if (target === undefined || record === undefined) return;
    await this.#deps.push.set(record.id, target, call.version);
    await this.watch(call, record);
  }
}

/** A message is the whole answer; a task has answered when it waits for the caller. */
function endsAnswer(event: StreamEvent): boolean {
  if ("message" in event) return true;
  const status =
    "task" in event ? event.task.status : "statusUpdate" in event ? event.statusUpdate.status : undefined;
  return status !== undefined && isCoolingDown(status.state);
}

function settingsOf({ agent }: AgentCall): RemoteSettings {
  const settings = remoteSettings(agent);
  if (settings === undefined)
    throw new A2AError("internal", "The agent has neither a model nor an address; its owner must add one");
  return settings;
}

/** The parameters for the agent in each version; notifications stay the gateway's own business. */
function sendParams(params: SendParams): ParamsOf {
  const { taskPushNotificationConfig: _, ...configuration } = params.configuration ?? {};
  const sent: SendParams = params.configuration === undefined ? params : { ...params, configuration };
  return (version) => (version === "1.0" ? (sent as unknown as JsonObject) : toLegacySend(sent));
}

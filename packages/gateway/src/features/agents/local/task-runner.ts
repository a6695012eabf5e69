import { newCallRecord } from "../../../contract/call-record.ts";
import { GatewayError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Principal } from "../../../contract/principal.ts";
import { withParamsGiven } from "../../../core/auth/restrictions.ts";
import { executeCall } from "../../../core/call/execute-call.ts";
import type { CallDeps, ModelCall } from "../../../core/call/model-call.ts";
import type { Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import type { AgentRegistry } from "../agent-registry.ts";
import { isTerminal } from "../protocol/task-state.ts";
import type { TaskLog } from "../tasks/task-log.ts";
import type { Refusal, TaskRecord } from "../tasks/task-record.ts";
import { ChatAnswer } from "./chat-answer.ts";
import { type LocalSettings, localSettings } from "./local-settings.ts";
import { answerEvent, statusEvent, toolCallParts } from "./task-events.ts";
import { batchText } from "./text-batcher.ts";
import type { TaskTranscripts } from "./transcripts.ts";

export const TASK_QUEUE = "a2a-tasks";

/** Milliseconds between stored pieces of an answer. */
const PIECE_EVERY = 40;

/** A job: one turn of a task. */
export interface TaskJob {
  readonly taskId: string;
  readonly agentId: string;
  readonly callId: string;
  readonly principal: Principal;
}

/** What a run needs of the gateway. */
export interface TaskRunnerDeps {
  readonly calls: CallDeps;
  readonly log: TaskLog;
  readonly registry: AgentRegistry;
  readonly transcripts: TaskTranscripts;
  /** The caller as its key is now. @throws GatewayError 401 for a key that was withdrawn */
  readonly recall: (remembered: Principal) => Promise<Principal>;
}

/** Runs the turns of local agents' tasks, as jobs of the queue: a turn whose process died begins again elsewhere. */
export class TaskRunner {
  readonly #deps: TaskRunnerDeps;
  readonly #running = new Map<string, AbortController>();

  constructor(deps: TaskRunnerDeps) {
    this.#deps = deps;
  }

  /** Ends the model call of a task that runs in this process. */
  abort(taskId: string): void {
    this.#running.get(taskId)?.abort();
  }

  readonly run = async (lease: Lease, signal: AbortSignal): Promise<JobOutcome> => {
    const job = lease.payload as unknown as TaskJob;
    const record = await this.#deps.log.find(job.taskId);
    if (record === undefined || isTerminal(record.state)) return { done: true };
    const agent = await this.#deps.registry.byId(job.agentId);
    const settings = agent && localSettings(agent.gateway_params);
    if (settings === undefined) return this.#fail(record, new Error("The agent is gone"));
    const cancelled = new AbortController();
    this.#running.set(job.taskId, cancelled);
    try {
      const ended = AbortSignal.any([signal, cancelled.signal]);
      let turn: TaskRecord | undefined = record;
      for (let round = 1; turn !== undefined; round += 1)
        turn = await this.#turn(job, callIdOf(job, lease.attempt, round), turn, settings, ended);
      return { done: true };
    } catch (error) {
      if (cancelled.signal.aborted) return { done: true };
      // The process ends, or another one has taken over: the queue knows what to do.
      if (signal.aborted) throw error;
      return this.#fail(record, error);
    } finally {
      this.#running.delete(job.taskId);
    }
  };

  /** @returns the task for another turn, where messages came while this one ran */
  async #turn(
    job: TaskJob,
    callId: string,
    record: TaskRecord,
    settings: LocalSettings,
    signal: AbortSignal,
  ): Promise<TaskRecord | undefined> {
    const { log, transcripts, calls, recall } = this.#deps;
    // The fields that calls must have stood in the caller's message.
    const principal = withParamsGiven(await recall(job.principal));
    const { task } = record;
    const begin = async (): Promise<void> => {
      if (record.state === "TASK_STATE_WORKING") return;
      await log.append(record.id, [statusEvent(task, "TASK_STATE_WORKING")]);
    };
    const messages = await transcripts.promptOf(record, settings.instructions);
    const call = modelCall(callId, principal, settings, messages, signal);
    const reply = await executeCall(calls, { ...call, streams: true, onAdmitted: begin });
    if (!("stream" in reply)) throw new GatewayError(502, "api_error", "The model did not stream its answer");
    const answer = new ChatAnswer();
    const artifactId = `answer-${record.transcript.length}`;
    let append = false;
    for await (const text of batchText(answer.read(reply.stream), PIECE_EVERY)) {
      const piece = answerEvent(task, artifactId, text, { append, lastChunk: false });
      // A task that has ended (by a cancel on another replica) wants no more; leaving ends the model call.
      if ((await log.append(record.id, [piece])) === undefined) return undefined;
      append = true;
    }
    return this.#conclude(record, artifactId, answer, append);
  }

  async #conclude(
    record: TaskRecord,
    artifactId: string,
    answer: ChatAnswer,
    begun: boolean,
  ): Promise<TaskRecord | undefined> {
    const { task, transcript } = record;
    const { text, toolCalls } = answer;
    const said: JsonObject = {
      role: "assistant",
      content: text === "" ? null : text,
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    };
    const last = answerEvent(task, artifactId, "", { append: begun, lastChunk: true });
    let goesOn = false;
    const next = await this.#deps.log.update(record.id, ({ transcript: all }) => {
      const later = all.slice(transcript.length);
      goesOn = later.length > 0 && toolCalls.length === 0;
      if (goesOn) return { events: [last], transcript: [...transcript, said, ...later] };
      // Results must follow their calls, so what was said meanwhile stands before these.
      const status =
        toolCalls.length === 0
          ? statusEvent(task, "TASK_STATE_COMPLETED")
          : statusEvent(task, "TASK_STATE_INPUT_REQUIRED", toolCallParts(toolCalls));
      return { events: toolCalls.length === 0 ? [last, status] : [status], transcript: [...all, said] };
    });
    return goesOn ? next : undefined;
  }

  async #fail(record: TaskRecord, error: unknown): Promise<JobOutcome> {
    const known = error instanceof GatewayError;
    const text = known ? error.message : "The agent failed";
    const refusal: Refusal | undefined = known
      ? {
          status: error.status,
          type: error.type,
          message: text,
          ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
        }
      : undefined;
    const now = await this.#deps.log.find(record.id);
    await this.#deps.log.append(
      record.id,
      [statusEvent(record.task, "TASK_STATE_FAILED", [{ text }])],
      now?.state === "TASK_STATE_SUBMITTED" && refusal !== undefined ? { refusal } : {},
    );
    if (!known) throw error;
    return { done: true };
  }
}

/** A call id has one row in the log; another attempt or another turn is another model call. */
function callIdOf({ callId }: TaskJob, attempt: number, round: number): string {
  const again = attempt === 1 ? "" : `-${attempt}`;
  return callId + again + (round === 1 ? "" : `.${round}`);
}

function modelCall(
  callId: string,
  principal: Principal,
  { model, options }: LocalSettings,
  messages: readonly JsonObject[],
  signal: AbortSignal,
): ModelCall {
  return {
    callId,
    format: "chat",
    family: "openai",
    body: { ...options, model, messages, stream: true },
    raw: undefined,
    headers: {},
    principal,
    signal,
    record: newCallRecord("asend_message"),
  };
}

import { newCallRecord } from "../../contract/call-record.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply, StreamedReply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { CallDeps } from "../../core/call/model-call.ts";
import { resolveModel } from "../../core/routing/resolve-model.ts";
import { responseObject } from "../../formats/responses/response-object.ts";
import { namedEvent } from "../../formats/sse-event.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Lease } from "../../platform/queue/job-queue.ts";
import { type JobOutcome, Worker } from "../../platform/queue/worker.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { allowedModel, askedModel } from "./input/asked-model.ts";
import type { Refresh } from "./input/conversation-context.ts";
import { type CreateRequest, readResponseRequest } from "./input/create-request.ts";
import { openAdapter, type ResponseAdapter } from "./input/response-adapter.ts";
import { AnswerNames } from "./record/answer-names.ts";
import { newResponseId, type ShownIds, storesResponses, withShownIds } from "./record/issued-ids.ts";
import { ALIVE_MS, answerText, endStates, hasEnded, retentionMs, storedRow } from "./record/stored-row.ts";
import { type StreamReader, StreamRecorder } from "./record/stream-recorder.ts";
import type { ResponseRow } from "./record/table.ts";
import type { ResponseDeps, ResponseState } from "./response-deps.ts";

const QUEUE_NAME = "responses";
/** Responses that one process works on at the same time. */
const CONCURRENCY = 32;
/** Tries of a call that the gateway's own limits hold back. */
const MAX_TRIES = 25;
/** `response.created` and `response.queued` are in the journal before the work begins. */
const announced = { skip: "response.created", shift: 1 };
const ANNOUNCED_EVENTS = 2;

/** What the queue needs to run a response later, on any replica. */
interface Job {
  readonly body: JsonObject;
  readonly principal: Principal;
}

/** Responses that run apart from their callers, on models whose providers have no such thing. */
export class BackgroundResponses {
  readonly #deps: ResponseDeps;
  readonly #state: ResponseState;
  readonly #reader: StreamReader;
  readonly #refresh: Refresh;
  readonly #running = new Map<string, AbortController>();
  readonly #worker: Worker;

  constructor(deps: ResponseDeps, state: ResponseState, reader: StreamReader, refresh: Refresh) {
    this.#deps = deps;
    this.#state = state;
    this.#reader = reader;
    this.#refresh = refresh;
    this.#worker = new Worker({
      queue: state.queue,
      name: QUEUE_NAME,
      handler: (lease, signal) => this.#work(lease, signal),
      concurrency: CONCURRENCY,
      leaseMs: ALIVE_MS,
      onError: (error, lease) =>
        deps.logger.warn(
          { error: describeError(error), response: lease?.key },
          "a background response failed",
        ),
    });
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Accepts a response: when this answers, it will run whatever becomes of this process. */
  async start(exchange: Exchange, request: CreateRequest, adapter: ResponseAdapter): Promise<Reply> {
    const { principal, callId, signal, call } = exchange;
    const { body } = request;
    const config = this.#deps.calls.config.current;
    const model = allowedModel(body, exchange, config);
    const { targets } = resolveModel(model, config);
    const input = adapter.inputItems(body);
    if (input.length === 0) throw invalidRequest("input: at least one item is required", "input");
    const changes = await adapter.changes(body, targets[0]!, false);
    this.#deps.calls.dialectOf("responses").toCallOptions({ ...body, ...Object.fromEntries(changes) });
    const id = newResponseId();
    const { context, previousId } = adapter;
    const shown = { id, previousId, conversationId: context.conversationId };
    const created = Math.floor(Date.now() / 1000);
    const object = responseObject(
      { model, request: body, callId, created },
      { status: "in_progress", output: [] },
    );
    const response = withShownIds({ ...object, status: "queued" }, shown);
    const members = {
      tenant: context.tenant,
      issued: { id, providerId: undefined, deploymentId: undefined },
      previousId,
      conversationId: context.conversationId,
      retention: retentionMs(this.#deps.calls.config.current),
    };
    const job: Job = { body, principal };
    await this.#state.responses.insert({ ...storedRow(members, response), job: JSON.stringify(job) }, input);
    await this.#announce(id, response);
    await this.#state.queue.enqueue(QUEUE_NAME, id, {});
    this.#worker.wake();
    call.status = "success";
    if (!request.stream) return { status: 200, body: response };
    const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    return { status: 200, headers, stream: this.#reader.follow(id, -1, signal) };
  }

  /** Ends a response that has not ended. */
  async cancel(row: ResponseRow): Promise<void> {
    const answer = { ...(JSON.parse(row.answer) as JsonObject), status: "cancelled" };
    const change = { status: "cancelled", answer: answerText(answer), alive_until: null, job: null };
    await this.#state.responses.update(row.id, change, endStates);
    this.#running.get(row.id)?.abort();
    await this.#state.queue.cancel(QUEUE_NAME, row.id);
  }

  #announce(id: string, response: JsonObject): Promise<void> {
    const entries = ["response.created", "response.queued"].map((type, sequence) => ({
      sequence,
      data: namedEvent(type, { type, sequence_number: sequence, response }),
      last: false,
    }));
    return this.#state.journal.append(id, entries);
  }

  async #work(lease: Lease, signal: AbortSignal): Promise<JobOutcome> {
    const id = lease.key;
    const row = await this.#state.responses.find(id);
    if (row === undefined || row.job === null || hasEnded(row.status)) return { done: true };
    // What a process that died had written comes again.
    await this.#state.journal.delete(id, ANNOUNCED_EVENTS - 1);
    const stop = new AbortController();
    this.#running.set(id, stop);
    try {
      await this.#run(row, JSON.parse(row.job) as Job, stop, signal);
      if (signal.aborted) throw signal.reason;
      return { done: true };
    } catch (error) {
      if (signal.aborted) throw error;
      if (stop.signal.aborted) return { done: true };
      const failure = error instanceof GatewayError ? error : undefined;
      if (failure?.status === 429 && lease.attempt < MAX_TRIES)
        return { again: Date.now() + (failure.retryAfter ?? 1) * 1000 };
      await this.#fail(row, failure);
      return { done: true };
    } finally {
      this.#running.delete(id);
    }
  }

  async #run(row: ResponseRow, job: Job, stop: AbortController, signal: AbortSignal): Promise<void> {
    const { body } = job;
    const principal = await this.#deps.recallPrincipal(job.principal);
    const request = readResponseRequest({ ...body, stream: true });
    const adapter = await openAdapter(this.#deps, request, principal, this.#refresh);
    const call = newCallRecord("aresponses");
    const shownIds = (): ShownIds => {
      const { context, previousId } = adapter;
      return { id: row.id, previousId, conversationId: context.conversationId };
    };
    const issued = { id: row.id, providerId: undefined, deploymentId: undefined };
    const input = await this.#state.responses.items(row.id, "input");
    // Nothing may fail between this and the reading of its stream, which nobody would close then: it would hold its share of
    // the budget for as long as this process lives.
    const reply = (await executeCall(this.#deps.calls, {
      callId: orderedUuid(),
      format: "responses",
      family: "openai",
      body: { ...body, stream: true },
      raw: undefined,
      headers: {},
      principal,
      signal: AbortSignal.any([signal, stop.signal]),
      record: call,
      adapter,
      view: new AnswerNames(() => ({ issued, shown: shownIds() })),
    })) as StreamedReply;
    signal.addEventListener("abort", () => stop.abort(), { once: true });
    const recorder = new StreamRecorder({
      state: this.#state,
      call,
      stop,
      announced,
      begin: async (response) => {
        const shown = shownIds();
        const named = { ...withShownIds(response, shown), created_at: createdAt(row) };
        const started = {
          ...row,
          status: "in_progress",
          deployment_id: call.deployment?.id ?? null,
          answer: answerText(named),
          previous_id: shown.previousId ?? null,
          conversation_id: shown.conversationId ?? null,
        };
        const { status, answer, deployment_id, previous_id, conversation_id } = started;
        const place = { deployment_id, previous_id, conversation_id };
        const change = { status, answer, ...place, alive_until: Date.now() + ALIVE_MS };
        if (!(await this.#state.responses.update(row.id, change, endStates))) stop.abort();
        return { row: started, shown, input: () => input };
      },
      onKept: () => Promise.resolve(),
    });
    await recorder.run(reply.stream);
  }

  async #fail(row: ResponseRow, failure: GatewayError | undefined): Promise<void> {
    const message = failure?.message ?? "Internal server error";
    const code = failure?.status === 429 ? "rate_limit_exceeded" : "server_error";
    const answer = { ...(JSON.parse(row.answer) as JsonObject), status: "failed", error: { code, message } };
    const failed = { ...row, status: "failed", answer: answerText(answer) };
    await this.#state.responses.finish(failed, { input: [], output: [] }, endStates);
  }
}

/** Whether a request is to run in the background here: none of its model's providers runs it itself. */
export function runsHere(
  calls: CallDeps,
  { background, body }: CreateRequest,
  principal: Principal,
): boolean {
  const { config } = calls;
  if (!background) return false;
  const { targets } = resolveModel(askedModel(body, principal, config.current), config.current);
  return targets.every(({ deployment }) => !storesResponses(calls, deployment));
}

function createdAt(row: ResponseRow): unknown {
  return (JSON.parse(row.answer) as JsonObject).created_at;
}

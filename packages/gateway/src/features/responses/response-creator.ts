import { newCallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError, noStore } from "../../contract/errors.ts";
import type { BufferedReply, Exchange, Reply, StreamedReply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import {
  type PassingBytes,
  type ReadBody,
  readJsonObject,
  readPassingBody,
} from "../../contract/json-body.ts";
import type { Principal } from "../../contract/principal.ts";
import type { Usage } from "../../contract/usage.ts";
import { countUnderNamed } from "../../core/auth/request-scopes.ts";
import { executeCall } from "../../core/call/execute-call.ts";
import type { ModelCall } from "../../core/call/model-call.ts";
import type { Reservation } from "../../core/limits/limiter.ts";
import { failureKind } from "../../core/routing/plan.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import { editMembers } from "../../util/json-span.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import { type BackgroundResponses, runsHere } from "./background-responses.ts";
import type { BackgroundUsage } from "./background-usage.ts";
import { previousNotFound, type Refresh } from "./input/conversation-context.ts";
import { type CreateRequest, readResponseRequest } from "./input/create-request.ts";
import { openAdapter, type ResponseAdapter } from "./input/response-adapter.ts";
import { isGone, ProviderResponses } from "./provider-responses.ts";
import { AnswerNames } from "./record/answer-names.ts";
import { issueId, type ShownIds, shownMembers, withShownIds } from "./record/issued-ids.ts";
import { ALIVE_MS, hasEnded, outputOf, retentionMs, storedRow } from "./record/stored-row.ts";
import { CALLER_LEFT, type StreamReader, StreamRecorder } from "./record/stream-recorder.ts";
import type { ResponseDeps, ResponseState } from "./response-deps.ts";

/** A create on its way. */
interface Creation {
  readonly exchange: Exchange;
  readonly request: CreateRequest;
  readonly adapter: ResponseAdapter;
  readonly names: AnswerNames;
  /** Until the call is made, which lets go of them once its stream has begun. */
  raw: PassingBytes | undefined;
  /** Shares of the budget that are kept until what the response used is known. */
  readonly held: Reservation[];
  /** Whose budgets these are, with what the hooks let the request name. */
  spender?: Principal;
}

/** What creating shares with the other operations; all but `refresh` is absent without a persistent store. */
interface CreatorParts {
  readonly background: BackgroundResponses | undefined;
  readonly usage: BackgroundUsage | undefined;
  readonly reader: StreamReader | undefined;
  readonly refresh: Refresh;
}

/** Milliseconds for taking back at a provider what a hook refused. */
const UNDO_MS = 10_000;
/** In the last event of a stream, of which texts have their quotes escaped; and characters that it has at most. */
const END_EVENT = /"type":\s*"(response\.(completed|failed|incomplete)|error)"/;
const END_EVENT_LENGTH = 40;
/** Rounds in which `truncation: "auto"` halves the history. */
const MAX_TRUNCATIONS = 8;

/** Creates responses: whole, streamed or in the background, by providers that keep them or that do not. */
export class ResponseCreator {
  readonly #deps: ResponseDeps;
  readonly #background: BackgroundResponses | undefined;
  readonly #reader: StreamReader | undefined;
  readonly #refresh: Refresh;
  readonly #usage: BackgroundUsage | undefined;
  readonly #providers: ProviderResponses;
  readonly #running = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();

  constructor(deps: ResponseDeps, { background, usage, reader, refresh }: CreatorParts) {
    this.#deps = deps;
    this.#background = background;
    this.#usage = usage;
    this.#reader = reader;
    this.#refresh = refresh;
    this.#providers = new ProviderResponses(deps);
  }

  async create(exchange: Exchange): Promise<Reply> {
    const { body, raw } = readPassingBody(await exchange.readBody());
    const request = readResponseRequest(body);
    await countUnderNamed(this.#deps.calls.scopes, exchange, body);
    const { principal } = exchange;
    const adapter = await openAdapter(this.#deps, request, principal, this.#refresh);
    const names = this.#names(exchange, adapter);
    const creation: Creation = { exchange, request, adapter, names, raw, held: [] };
    if (runsHere(this.#deps.calls, request, principal)) {
      if (this.#background === undefined) throw noStore();
      return this.#background.start(exchange, request, adapter);
    }
    try {
      return await (request.stream ? this.#streamed(creation) : this.#whole(creation));
    } finally {
      for (const held of creation.held) held.release();
    }
  }

  /** Waits for the streams that go on after their callers left; after a while they are left as they are. */
  async close(patienceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), patienceMs);
    await Promise.allSettled(this.#running);
    clearTimeout(timer);
  }

  async #whole(creation: Creation): Promise<Reply> {
    const { exchange, request, adapter, names } = creation;
    const reply = (await this.#execute(creation, exchange.caller)) as BufferedReply;
    const { body, read, ...head } = reply;
    const answer = read?.body ?? (Buffer.isBuffer(body) ? readJsonObject(body) : (body as JsonObject));
    const state = request.store && adapter.store ? this.#deps.state : undefined;
    const { issued, shown } = names.idsOf(answer);
    if (state !== undefined) {
      const response = withShownIds(answer, shown);
      const row = storedRow({ ...this.#members(creation), issued }, response);
      const input = adapter.storedInput;
      if (hasEnded(row.status))
        await state.responses.insertFinished(row, { input, output: outputOf(response) });
      else {
        await state.responses.insert(row, input, async (db) => {
          await this.#usage?.follow(row, creation.spender ?? exchange.principal, creation.held.splice(0), db);
        });
      }
      await this.#prolong(state, creation);
    }
    return { ...head, body: renamed(body, shown, read) };
  }

  async #streamed(creation: Creation): Promise<Reply> {
    const { exchange, request, names, adapter } = creation;
    const state = request.store ? this.#deps.state : undefined;
    if (state !== undefined) return this.#recorded(creation, state);
    const reply = (await this.#execute(creation, exchange.caller)) as StreamedReply;
    const isHooked = this.#deps.calls.hooks.ofCall.postCallStream !== undefined;
    // A hook may write ids of its own.
    const stream = isHooked || !names.areWritten ? names.stream(reply.stream) : reply.stream;
    return { ...reply, stream: isHooked && adapter.store ? this.#takenBack(creation, stream) : stream };
  }

  /** What hooks refuse, or do not let pass to its end, is not at its provider either. */
  async *#takenBack(creation: Creation, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isWhole = false;
    let isOver = false;
    let tail = "";
    try {
      for await (const chunk of stream) {
        // A hook may cut events anywhere.
        const text = tail + Buffer.from(chunk).toString("latin1");
        isWhole ||= END_EVENT.test(text);
        tail = text.slice(-END_EVENT_LENGTH);
        yield chunk;
      }
      isOver = true;
    } finally {
      if (creation.exchange.call.refusal !== undefined || (isOver && !isWhole))
        await this.#takeBack(creation);
    }
  }

  /**
   * From its first event on the caller knows the response's id, so it goes on for a moment when the caller leaves; in
   * the background and under an Idempotency-Key, where the exchange outlives its caller, to its end.
   */
  async #recorded(creation: Creation, state: ResponseState): Promise<Reply> {
    const { exchange, adapter, names } = creation;
    const stop = new AbortController();
    const leave = (): void => stop.abort(exchange.signal.reason);
    exchange.signal.addEventListener("abort", leave, { once: true });
    if (exchange.signal.aborted) leave();
    const signal = AbortSignal.any([stop.signal, this.#stop.signal]);
    const reply = (await this.#execute(creation, signal)) as StreamedReply;
    if (!adapter.store) return { ...reply, stream: names.stream(reply.stream) };
    const recorder = new StreamRecorder({
      state,
      call: exchange.call,
      stop,
      signal,
      begin: async (response) => {
        const { issued, shown } = names.idsOf(response);
        const row = {
          ...storedRow({ ...this.#members(creation), issued }, withShownIds(response, shown)),
          alive_until: Date.now() + ALIVE_MS,
        };
        await state.responses.insertRunning(row, adapter.storedInput);
        return { row, shown, input: () => adapter.storedInput };
      },
      onKept: () => this.#prolong(state, creation),
      onRefused: () => this.#takeBack(creation),
    });
    this.#keep(recorder.run(reply.stream));
    const id = await recorder.begun.catch(async (error: unknown) => {
      await this.#takeBack(creation);
      throw error;
    });
    exchange.signal.removeEventListener("abort", leave);
    if (!creation.request.background) stopAfterCaller(exchange.signal, stop);
    return { ...reply, stream: this.#reader!.follow(id, -1, exchange.signal) };
  }

  #keep(run: Promise<unknown>): void {
    const kept = run
      .catch((error: unknown) =>
        this.#deps.logger.warn({ error: describeError(error) }, "a response could not be recorded"),
      )
      .finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  async #execute(creation: Creation, signal: CallSignal): Promise<Reply> {
    const { exchange, request, adapter, names, raw } = creation;
    creation.raw = undefined;
    const { callId, family, headers, principal, call } = exchange;
    const { body } = request;
    const model: ModelCall = {
      callId,
      format: "responses",
      family,
      body,
      raw,
      headers,
      principal,
      signal,
      record: call,
      adapter,
      view: names,
      ...(request.store && !request.stream ? { undo: this.#undo.bind(this) } : {}),
      ...(this.#usage !== undefined && request.background && !request.stream
        ? {
            accountLater: (held: Reservation, spender: Principal) => {
              creation.held.push(held);
              creation.spender = spender;
            },
          }
        : {}),
    };
    for (let round = 0; ; round += 1) {
      let isShorter = false;
      const goesOn = async (error: GatewayError): Promise<boolean> => {
        const shortens = body.truncation === "auto" && failureKind(error) === "context window";
        isShorter = shortens && round < MAX_TRUNCATIONS && (await adapter.dropOldest());
        return isShorter;
      };
      try {
        return await executeCall(this.#deps.calls, { ...model, goesOn });
      } catch (error) {
        if (request.stream) await this.#takeBack(creation);
        if (!(error instanceof GatewayError)) throw error;
        if (!isShorter) throw asNotFound(error);
      }
    }
  }

  /**
   * Takes a stream back that its caller did not get, or not whole, from the provider that keeps it. Until that has
   * deleted it nobody gets it by any id.
   */
  async #takeBack({ exchange: { call, principal }, names, adapter }: Creation): Promise<void> {
    const { deployment } = call;
    const { atProvider } = names;
    if (deployment === undefined || atProvider === undefined || !adapter.store) return;
    const { id, last } = atProvider;
    const { ownership } = this.#deps;
    const origin = { deployment, provider: deployment.provider };
    const withheld = await ownership.withhold("response", principal, origin, id);
    if ((await this.#removed({ ...last, id }, deployment)).isGone) await ownership.forget(withheld);
  }

  /** Removes a whole response that its caller did not get. @returns what it used, where that became known */
  async #undo(answer: JsonObject, deployment: Deployment): Promise<Usage | undefined> {
    const { ended } = await this.#removed(answer, deployment);
    return ended && this.#deps.calls.dialectOf("responses").usageOf(ended);
  }

  /** Deletes a response that its provider keeps; one that it works on is cancelled first, which tells what it used. */
  async #removed(
    { id, status }: JsonObject,
    deployment: Deployment,
  ): Promise<{ readonly ended: JsonObject | undefined; readonly isGone: boolean }> {
    if (typeof id !== "string") return { ended: undefined, isGone: true };
    const kept = {
      id,
      providerId: id,
      origin: { deployment, provider: deployment.provider },
      row: undefined,
    };
    const context = { signal: AbortSignal.timeout(UNDO_MS), call: newCallRecord("adelete_responses") };
    const ended = hasEnded(status)
      ? undefined
      : await this.#providers.cancel(kept, context).catch(() => undefined);
    const isDeleted = await this.#providers.delete(kept, context).then(() => true, isGone);
    if (!isDeleted)
      this.#deps.logger.warn({ deployment: deployment.id }, "a refused response could not be deleted");
    return { ended, isGone: isDeleted };
  }

  #names({ principal, call }: Exchange, adapter: ResponseAdapter): AnswerNames {
    return new AnswerNames((answerId) => {
      const issued = issueId(this.#deps, principal, call, answerId);
      const { previousId, context } = adapter;
      return { issued, shown: { id: issued.id, previousId, conversationId: context.conversationId } };
    });
  }

  #members({ adapter: { context, previousId } }: Creation) {
    return {
      tenant: context.tenant,
      previousId,
      conversationId: context.conversationId,
      retention: retentionMs(this.#deps.calls.config.current),
    };
  }

  /** A chain lives as long as its newest response. */
  async #prolong(state: ResponseState, { adapter: { context } }: Creation): Promise<void> {
    const retention = retentionMs(this.#deps.calls.config.current);
    if (retention === undefined || context.previous?.kind !== "kept") return;
    const ids = await context.chainIds().catch(() => []);
    if (ids.length > 0) await state.responses.prolong(ids, Date.now() + retention);
  }
}

/** Milliseconds for which a response goes on without its caller, who may come back for its stream. */
const CALLER_GRACE_MS = 5000;

function stopAfterCaller(caller: AbortSignal, stop: AbortController): void {
  const leave = (): void => {
    setTimeout(() => stop.abort(CALLER_LEFT), CALLER_GRACE_MS).unref();
  };
  if (caller.aborted) leave();
  else caller.addEventListener("abort", leave, { once: true });
}

/** The answer with our ids, every other byte as the provider sent it. */
function renamed(body: BufferedReply["body"], shown: ShownIds, read?: ReadBody): Buffer | JsonObject {
  if (!Buffer.isBuffer(body)) return withShownIds(body as JsonObject, shown);
  const texts = Object.entries(shownMembers(shown)).map(
    ([key, value]) => [key, JSON.stringify(value)] as const,
  );
  return editMembers(body, new Map(texts), read?.raw && read.body);
}

/** The spec of this gateway: a history that is not there is 404, whatever the provider calls it. */
function asNotFound(error: GatewayError): GatewayError {
  const missing = error.providerCode === "previous_response_not_found" && error.status !== 404;
  return missing ? previousNotFound(error.message) : error;
}

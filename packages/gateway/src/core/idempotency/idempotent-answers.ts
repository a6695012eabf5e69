import { setTimeout as sleep } from "node:timers/promises";
import type { CallRecord } from "../../contract/call-record.ts";
import { forbidden, GatewayError } from "../../contract/errors.ts";
import type { BufferedReply, Exchange, Handler, Reply, StreamedReply } from "../../contract/exchange.ts";
import { readJsonObject } from "../../contract/json-body.ts";
import { type Principal, requireModel } from "../../contract/principal.ts";
import type { Journal } from "../../platform/journal/journal.ts";
import type { IdempotencyRow } from "../../platform/journal/journals-tables.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { sha256 } from "../../util/sha256.ts";
import type { CountReplay } from "./count-replay.ts";
import { detachedExchange } from "./detached-exchange.ts";
import type { IdempotencyStore } from "./idempotency-store.ts";
import { readIdempotencyKey } from "./read-key.ts";
import { requestHash } from "./request-hash.ts";

export interface IdempotencyDeps {
  readonly store: IdempotencyStore;
  readonly journal: Journal;
  readonly tenantOf: (principal: Principal) => string;
  readonly count: CountReplay;
  readonly logger: Logger;
}

/** Milliseconds for which an answer is kept. */
const KEPT_MS = 86_400_000;
/** Milliseconds for which a process counts as alive after its last sign. */
const ALIVE_MS = 15_000;
const POLL_MS = 100;
const SWEPT_AT_ONCE = 500;
const replayed = { "x-portico-idempotent-replay": "true" };

/**
 * Answers each request that carries an `Idempotency-Key` once: whoever repeats it gets the first one's answer, or
 * attaches to it while it runs, on any replica. The work goes on when its caller leaves. Errors are not kept, so that
 * a request that failed may be tried again under the same key.
 */
export class IdempotentAnswers {
  readonly #deps: IdempotencyDeps;
  readonly #heads = new Map<string, Promise<unknown>>();
  readonly #running = new Set<Promise<unknown>>();
  /** Owners of the work that goes on in this process. */
  readonly #own = new Set<string>();
  readonly #stop = new AbortController();

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
  }

  /** The handler, asked once for each key. */
  wrap(handler: Handler): Handler {
    return (exchange) => {
      const key = readIdempotencyKey(exchange);
      return key === undefined ? handler(exchange) : this.#answer(exchange, key, handler);
    };
  }

  /** Waits for work whose callers left; after a while it is left as it is. */
  async close(patienceMs = 4000): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), patienceMs);
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    clearTimeout(timer);
  }

  /** Forgets some of the answers whose time is over. @returns whether there are more */
  async sweep(): Promise<boolean> {
    const ids = await this.#deps.store.removeExpired(Date.now(), SWEPT_AT_ONCE);
    for (const id of ids) await this.#deps.journal.delete(id);
    return ids.length === SWEPT_AT_ONCE;
  }

  async #answer(exchange: Exchange, key: string, handler: Handler): Promise<Reply> {
    const body = await exchange.readBody();
    const { store, tenantOf } = this.#deps;
    const id = sha256(JSON.stringify([tenantOf(exchange.principal), key]));
    const hash = requestHash(exchange, body);
    while (!exchange.signal.aborted) {
      const row = newRow(id, hash);
      if (await store.claim(row)) return this.#first(exchange, body, row, handler);
      const found = await store.find(id);
      if (found === undefined) continue;
      const isOld = found.expires_at <= Date.now();
      if (found.request_hash !== hash && !isOld) throw otherRequest();
      if (!isOld && (await this.#isAlive(found))) {
        requireUse(found, exchange, body);
        const reply = await this.#repeat(found, exchange, body);
        if (reply !== undefined) return reply;
      } else if (await store.takeOver(row, found)) {
        await this.#deps.journal.delete(id);
        return this.#first(exchange, body, row, handler);
      }
    }
    throw exchange.signal.reason;
  }

  /**
   * Whether there is an answer, or somebody who works on it. What this process works on itself needs no sign of life,
   * which it cannot give while the database is away or the machine sleeps.
   */
  async #isAlive({ id, state, owner, alive_until }: IdempotencyRow): Promise<boolean> {
    if (state === "answered" || alive_until > Date.now() || this.#own.has(owner)) return true;
    return state === "streaming" && (await this.#deps.journal.lastEntry(id))?.last === true;
  }

  /** The answer that there is; undefined after a while of waiting for it. */
  async #repeat(row: IdempotencyRow, exchange: Exchange, body: Buffer): Promise<Reply | undefined> {
    if (row.state === "running") {
      // The first one's error is the answer of everybody who waits here.
      await Promise.race([this.#heads.get(row.id), sleep(POLL_MS)]);
      return undefined;
    }
    const limits = await this.#deps.count(exchange, body);
    exchange.call.status = "success";
    const status = row.status ?? 200;
    const { [USED]: _, ...kept } = JSON.parse(row.headers ?? "{}") as Record<string, string>;
    const headers = { ...kept, ...limits, ...replayed };
    return row.state === "answered"
      ? { status, headers, body: Buffer.from(row.body ?? "", "base64") }
      : { status, headers, stream: this.#follow(row, exchange.signal) };
  }

  async #first(exchange: Exchange, body: Buffer, row: IdempotencyRow, handler: Handler): Promise<Reply> {
    const head = this.#run(exchange, body, row, handler);
    this.#heads.set(row.id, head);
    this.#keep(head);
    try {
      return await head;
    } finally {
      this.#heads.delete(row.id);
    }
  }

  async #run(exchange: Exchange, body: Buffer, row: IdempotencyRow, handler: Handler): Promise<Reply> {
    const { store } = this.#deps;
    this.#own.add(row.owner);
    const endSigns = store.keepAlive(row, ALIVE_MS);
    const letGo = (): void => {
      endSigns();
      this.#own.delete(row.owner);
    };
    let streams = false;
    try {
      const reply = await handler(detachedExchange(exchange, body, this.#stop.signal));
      const { status, headers = {} } = reply;
      if (!("stream" in reply)) {
        const used = { ...reply, headers: withUse(headers, exchange.call) };
        await store.update(row, { state: "answered", status, ...keptBody(used) });
        return reply;
      }
      const begun = { status, headers: JSON.stringify(withUse(headers, exchange.call)) };
      await store.update(row, { state: "streaming", ...begun }).catch(async (error: unknown) => {
        await closeUnread(reply);
        throw error;
      });
      streams = true;
      this.#keep(this.#record(reply, row).finally(letGo));
      return { ...reply, stream: this.#follow(row, exchange.signal) };
    } catch (error) {
      await store.delete(row);
      throw error;
    } finally {
      if (!streams) letGo();
    }
  }

  /** Writes the stream down, chunk by chunk; one that breaks off is forgotten, so that it may be asked for again. */
  async #record({ stream }: StreamedReply, row: IdempotencyRow): Promise<void> {
    const { journal, store } = this.#deps;
    const { id } = row;
    const writer = journal.open(id);
    let sequence = 0;
    try {
      for await (const chunk of stream) {
        await writer.write({ sequence, data: Buffer.from(chunk).toString("base64"), last: false });
        sequence += 1;
      }
      if (this.#stop.signal.aborted) throw new Error("the gateway stopped before the answer was complete");
      await writer.write({ sequence, data: "", last: true });
      await writer.close();
    } catch (error) {
      await store.delete(row);
      await writer.close(error);
      await journal.delete(id);
      throw error;
    }
  }

  async *#follow({ id, owner }: IdempotencyRow, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { journal, store } = this.#deps;
    const isOver = async (): Promise<boolean> => {
      const row = await store.find(id);
      if (row?.owner === owner && (await this.#isAlive(row))) return false;
      throw new Error("the answer that this request attached to broke off");
    };
    for await (const data of journal.follow(id, { after: -1, signal, isOver }))
      if (data !== "") yield Buffer.from(data, "base64");
  }

  #keep(work: Promise<unknown>): void {
    const kept = work
      .catch((error: unknown) => {
        if (!(error instanceof GatewayError))
          this.#deps.logger.warn(
            { error: describeError(error) },
            "an answer under an Idempotency-Key was not kept",
          );
      })
      .finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }
}

/** Kept among the headers of an answer: the model and the deployment that it came from. */
const USED = ":used";

function withUse(headers: Readonly<Record<string, string>>, { model, deployment }: CallRecord) {
  const names = [model, deployment?.modelName, deployment?.id].filter((name) => name !== undefined);
  return { ...headers, [USED]: JSON.stringify({ names, region: deployment?.region }) };
}

/**
 * Keys of one tenant share their answers as far as each could have asked for them itself.
 * @throws GatewayError 403
 */
function requireUse(row: IdempotencyRow, { principal }: Exchange, body: Buffer): void {
  const used = (JSON.parse(row.headers ?? "{}") as Record<string, string>)[USED];
  if (used === undefined) return;
  const { names, region } = JSON.parse(used) as { names: string[]; region?: string };
  const asked = /^\s*\{/.test(body.toString("latin1", 0, 64)) ? readJsonObject(body).model : undefined;
  const [first, ...further] = typeof asked === "string" ? [asked, ...names] : names;
  if (first !== undefined) requireModel(principal, first, ...further);
  const { allowedModelRegion } = principal;
  if (region === undefined || allowedModelRegion === undefined || region === allowedModelRegion) return;
  throw forbidden(`This api key may not use models in the region ${region}`);
}

function newRow(id: string, hash: string): IdempotencyRow {
  const now = Date.now();
  return {
    id,
    request_hash: hash,
    state: "running",
    owner: orderedUuid(),
    alive_until: now + ALIVE_MS,
    expires_at: now + KEPT_MS,
    status: null,
    headers: null,
    body: null,
  };
}

function keptBody({ headers, body }: BufferedReply): { headers: string; body: string } {
  const isBytes = typeof body === "string" || body instanceof Uint8Array;
  const bytes = Buffer.from(isBytes ? body : JSON.stringify(body));
  const all = isBytes ? headers : { "content-type": "application/json", ...headers };
  return { headers: JSON.stringify(all ?? {}), body: bytes.toString("base64") };
}

function otherRequest(): GatewayError {
  const message =
    "This Idempotency-Key was used for another request within the last 24 hours. Send the same request again, or choose a new key.";
  return new GatewayError(422, "invalid_request_error", message, { param: "Idempotency-Key" });
}

/** Ends a stream that nobody will read. One step first: a generator that never began does not close what it reads from. */
async function closeUnread({ stream }: StreamedReply): Promise<void> {
  for await (const _chunk of stream) break;
}

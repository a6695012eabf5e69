import { setTimeout as pause } from "node:timers/promises";
import { GatewayError } from "../../../contract/errors.ts";
import type { RecordTarget } from "../../../platform/config/read/read-callbacks.ts";
import type { Logger } from "../../../platform/log/logger.ts";
import { refusalTeller } from "../../../platform/otlp/otlp-exporter.ts";
import type { Upstream } from "../../../platform/transport/upstream.ts";

/** Records that wait; while there are so many, further ones are lost. */
const MAX_WAITING = 10_000;
/** Milliseconds between two tries of the same records: they double up to the second. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
/** Answers that refuse the same records before they are given up; a target that does not answer is waited for. */
const MAX_REFUSALS = 10;
/** Milliseconds that the end of a process has for what waits. */
const LAST_WORDS = 5000;

/** What sending depends on; the figures are other ones in tests alone. */
export interface SenderParts {
  readonly upstream: Pick<Upstream, "request">;
  readonly logger: Logger;
  readonly maxWaiting?: number;
  readonly firstPause?: number;
  readonly lastWords?: number;
}

/** How the target took a request. */
type Outcome = "taken" | "refused" | "again" | "away";

/**
 * Posts records to one place in their order, beside the calls: one request after the other, and each until it is taken,
 * given up, or the process ends. A target that is away costs records only once as many wait as there is room for.
 */
export class RecordSender {
  readonly #target: RecordTarget;
  readonly #parts: SenderParts;
  readonly #tell: (error: Error) => void;
  /** The process ends: pauses do, and then requests. */
  readonly #closing = new AbortController();
  readonly #ending = new AbortController();
  /** In JSON. */
  #waiting: string[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;

  constructor(target: RecordTarget, parts: SenderParts) {
    this.#target = target;
    this.#parts = parts;
    const fields = { destination: target.name, host: new URL(target.url).host };
    this.#tell = refusalTeller(parts.logger, fields, "call records");
  }

  /** Takes a record on its way; never waits. */
  add(record: string): void {
    if (this.#waiting.length >= (this.#parts.maxWaiting ?? MAX_WAITING)) {
      this.#lost += 1;
      this.#tell(new Error("too many records wait; further ones are lost"));
      return;
    }
    this.#waiting.push(record);
    if (this.#waiting.length >= this.#batchSize) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.#target.flushInterval * 1000).unref();
  }

  /** Sends what waits, for a few seconds at most; the log says how many records were lost. */
  async close(): Promise<void> {
    this.#closing.abort();
    const end = setTimeout(() => this.#ending.abort(), this.#parts.lastWords ?? LAST_WORDS);
    await this.#sending;
    this.#send();
    await this.#sending;
    clearTimeout(end);
    clearTimeout(this.#timer);
    const records = this.#lost + this.#waiting.length;
    const { name: destination } = this.#target;
    if (records > 0) this.#parts.logger.error({ destination, records }, "call records are lost");
  }

  get #batchSize(): number {
    return this.#target.format === "single" ? 1 : this.#target.batchSize;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#ending.signal.aborted) {
      const size = Math.min(this.#batchSize, this.#waiting.length);
      const outcome = await this.#sendUntilTaken(this.#waiting.slice(0, size));
      if (outcome === undefined) return;
      this.#waiting = this.#waiting.slice(size);
      if (outcome === "refused") this.#lost += size;
    }
  }

  /** @returns nothing when the process ends before the records are taken or given up */
  async #sendUntilTaken(records: readonly string[]): Promise<"taken" | "refused" | undefined> {
    const body = Buffer.from(this.#bodyOf(records));
    let refusals = 0;
    for (let wait = this.#parts.firstPause ?? FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
      const outcome = await this.#post(body);
      if (outcome === "taken" || outcome === "refused") return outcome;
      if (outcome === "again") refusals += 1;
      if (refusals === MAX_REFUSALS) return "refused";
      // What does not answer at the end is not waited for any longer.
      const isClosing = this.#closing.signal.aborted;
      if (isClosing && outcome === "away") return undefined;
      const { signal } = isClosing ? this.#ending : this.#closing;
      await pause(wait, undefined, { signal, ref: isClosing }).catch(() => undefined);
      if (this.#ending.signal.aborted) return undefined;
    }
  }

  async #post(body: Buffer): Promise<Outcome> {
    const { url, headers, timeout, format } = this.#target;
    const type = format === "ndjson" ? "application/x-ndjson" : "application/json";
    try {
      const { status, body: answer } = await this.#parts.upstream.request({
        url,
        method: "POST",
        headers: { "content-type": type, ...headers },
        body,
        timeouts: { connect: timeout, firstByte: timeout, whole: timeout },
        signal: this.#ending.signal,
      });
      answer.cancel();
      if (status >= 200 && status < 300) return "taken";
      this.#tell(new Error(`status ${status}`));
      return status >= 500 || status === 408 || status === 429 ? "again" : "refused";
    } catch (error) {
      // An error's own text may have the address in it.
      this.#tell(new Error(error instanceof GatewayError ? `no answer (${error.type})` : "no answer"));
      return "away";
    }
  }

  #bodyOf(records: readonly string[]): string {
    const { format } = this.#target;
    if (format === "single") return records[0]!;
    return format === "ndjson" ? `${records.join("\n")}\n` : `[${records.join(",")}]`;
  }
}

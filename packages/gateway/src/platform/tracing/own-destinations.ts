import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { OwnCallback } from "../../contract/own-callback.ts";
import { isSameService, type OtlpTarget, ownTarget } from "../config/options/otlp-targets.ts";
import { describeError } from "../log/describe-error.ts";
import type { Logger } from "../log/logger.ts";
import type { SealedText } from "../store/sealed-text.ts";
import { checkCallerUrl } from "../transport/address-guard.ts";

/** Destinations with connections and a queue at the same time; the one that got no span for longest makes room. */
const MAX_OPEN = 100;
/** Those that made room and still send; while there are so many, what would open another one is not sent. */
const MAX_ENDING = 100;
/** Milliseconds between two log lines about that. */
const TELL_EVERY = 60_000;

interface Opened {
  readonly callback: OwnCallback;
  /** Absent for one that cannot be reached. */
  readonly target: OtlpTarget | undefined;
}

/** Sends the spans of teams with destinations of their own there, beside the calls. */
export class OwnDestinations {
  readonly #open: (target: OtlpTarget) => Promise<SpanProcessor>;
  readonly #seal: SealedText;
  readonly #logger: Logger;
  readonly #allowPrivateNetworks: () => boolean;
  /** The callbacks of a principal are the same object in all its requests. */
  #read = new WeakMap<readonly OwnCallback[], readonly Opened[]>();
  #mayBePrivate: boolean;
  #toldOfMany = 0;
  readonly #processors = new Map<string, Promise<SpanProcessor>>();
  /** Those that made room and send what they still have. */
  readonly #ending = new Set<Promise<void>>();

  constructor(
    open: (target: OtlpTarget) => Promise<SpanProcessor>,
    seal: SealedText,
    logger: Logger,
    allowPrivateNetworks: () => boolean,
  ) {
    this.#open = open;
    this.#seal = seal;
    this.#logger = logger;
    this.#allowPrivateNetworks = allowPrivateNetworks;
    this.#mayBePrivate = allowPrivateNetworks();
  }

  /** Whether a destination of the configuration gets no spans of a team: its own stands in its place, or none gets any. */
  replaces(callbacks: readonly OwnCallback[], name: string): boolean {
    return callbacks.length === 0 || callbacks.some(({ callback_name: own }) => isSameService(own, name));
  }

  send(callbacks: readonly OwnCallback[], isFailure: boolean, span: ReadableSpan): void {
    this.#followRules();
    const unwanted = isFailure ? "success" : "failure";
    const targets = new Map<string, OtlpTarget>();
    for (const { callback, target } of this.#opened(callbacks))
      if (target !== undefined && callback.callback_type !== unwanted)
        targets.set(JSON.stringify([target.url, target.headers]), target);
    for (const [key, target] of targets) {
      if (!this.#processors.has(key) && this.#ending.size >= MAX_ENDING) {
        this.#tellOfMany(target.name);
        continue;
      }
      this.#processor(key, target).then(
        (processor) => processor.onEnd(span),
        (error: unknown) => this.#tell(target.name, error),
      );
    }
  }

  /** Sends what is there. */
  async close(): Promise<void> {
    this.#endAll();
    await Promise.all(this.#ending);
  }

  /** What was allowed when a destination was given, or opened, may be forbidden by now. */
  #followRules(): void {
    const mayBePrivate = this.#allowPrivateNetworks();
    if (mayBePrivate === this.#mayBePrivate) return;
    this.#mayBePrivate = mayBePrivate;
    this.#read = new WeakMap();
    this.#endAll();
  }

  #endAll(): void {
    for (const key of [...this.#processors.keys()]) this.#end(key);
  }

  #opened(callbacks: readonly OwnCallback[]): readonly Opened[] {
    const known = this.#read.get(callbacks);
    if (known !== undefined) return known;
    const opened = callbacks.map((callback) => ({ callback, target: this.#targetOf(callback) }));
    this.#read.set(callbacks, opened);
    return opened;
  }

  #targetOf({ callback_name: name, callback_vars: vars }: OwnCallback): OtlpTarget | undefined {
    try {
      const open = Object.entries(vars).map(([each, value]) => [each, this.#seal.open(value)]);
      if (open.some(([, value]) => value === undefined)) throw new Error("another key sealed its secrets");
      const target = ownTarget(name, Object.fromEntries(open) as Record<string, string>);
      if (!this.#mayBePrivate) checkCallerUrl(target.url);
      return target;
    } catch (error) {
      this.#tell(name, error);
      return undefined;
    }
  }

  #processor(key: string, target: OtlpTarget): Promise<SpanProcessor> {
    const processor = this.#processors.get(key) ?? this.#open(target);
    this.#processors.delete(key);
    this.#processors.set(key, processor);
    if (this.#processors.size > MAX_OPEN) this.#end(this.#processors.keys().next().value!);
    return processor;
  }

  #end(key: string): void {
    const ended = this.#processors
      .get(key)!
      .then((processor) => processor.shutdown())
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ended));
    this.#processors.delete(key);
    this.#ending.add(ended);
  }

  #tellOfMany(destination: string): void {
    if (Date.now() - this.#toldOfMany < TELL_EVERY) return;
    this.#toldOfMany = Date.now();
    this.#tell(destination, new Error("too many destinations of teams at the same time"));
  }

  #tell(destination: string, error: unknown): void {
    this.#logger.warn(
      { destination, error: describeError(error) },
      "a team's destination of spans is not used",
    );
  }
}

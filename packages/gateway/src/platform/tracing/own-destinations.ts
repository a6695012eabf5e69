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
/** How many of either one team may have, so that nobody with many destinations takes the places of all others. */
const MAX_OF_ONE = 25;
/** Milliseconds between two log lines about that. */
const TELL_EVERY = 60_000;

interface Opened {
  readonly callback: OwnCallback;
  /** Absent for one that cannot be reached. */
  readonly target: OtlpTarget | undefined;
}

/** A destination with connections and a queue. */
interface Sending {
  readonly owner: string;
  readonly processor: Promise<SpanProcessor>;
}

/** Sends the spans of teams with destinations of their own there, beside the calls. */
export class OwnDestinations {
  readonly #open: (target: OtlpTarget, isOperators: boolean) => Promise<SpanProcessor>;
  readonly #seal: SealedText;
  readonly #logger: Logger;
  readonly #allowPrivateNetworks: () => boolean;
  /** The callbacks of a principal are the same object in all its requests. */
  #read = new WeakMap<readonly OwnCallback[], readonly Opened[]>();
  #mayBePrivate: boolean;
  #toldOfMany = 0;
  readonly #sending = new Map<string, Sending>();
  /** Those that made room and send what they still have, with whose they are. */
  readonly #ending = new Map<Promise<void>, string>();

  constructor(
    open: (target: OtlpTarget, isOperators: boolean) => Promise<SpanProcessor>,
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

  /** @param owner the team, or whoever else the callbacks were given to */
  send(owner: string, callbacks: readonly OwnCallback[], isFailure: boolean, span: ReadableSpan): void {
    this.#followRules();
    const unwanted = isFailure ? "success" : "failure";
    const targets = new Map<string, { readonly target: OtlpTarget; readonly isOperators: boolean }>();
    for (const { callback, target } of this.#opened(callbacks)) {
      if (target === undefined || callback.callback_type === unwanted) continue;
      const isOperators = callback.isOperators === true;
      targets.set(JSON.stringify([target.url, target.headers, isOperators]), { target, isOperators });
    }
    for (const [key, { target, isOperators }] of targets) {
      if (!this.#sending.has(key) && !this.#mayOpen(owner)) {
        this.#tellOfMany(target.name);
        continue;
      }
      this.#processor(key, owner, target, isOperators).then(
        (processor) => processor.onEnd(span),
        (error: unknown) => this.#tell(target.name, error),
      );
    }
  }

  /** Sends what is there. */
  async close(): Promise<void> {
    this.#endAll();
    await Promise.all(this.#ending.keys());
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
    for (const key of [...this.#sending.keys()]) this.#end(key);
  }

  #opened(callbacks: readonly OwnCallback[]): readonly Opened[] {
    const known = this.#read.get(callbacks);
    if (known !== undefined) return known;
    const opened = callbacks.map((callback) => ({ callback, target: this.#targetOf(callback) }));
    this.#read.set(callbacks, opened);
    return opened;
  }

  #targetOf({ callback_name: name, callback_vars: vars, isOperators }: OwnCallback): OtlpTarget | undefined {
    try {
      const open = Object.entries(vars).map(([each, value]) => [each, this.#seal.open(value)]);
      if (open.some(([, value]) => value === undefined)) throw new Error("another key sealed its secrets");
      const target = ownTarget(name, Object.fromEntries(open) as Record<string, string>);
      if (!this.#mayBePrivate && isOperators !== true) checkCallerUrl(target.url);
      return target;
    } catch (error) {
      this.#tell(name, error);
      return undefined;
    }
  }

  #mayOpen(owner: string): boolean {
    return this.#ending.size < MAX_ENDING && countOf(this.#ending.values(), owner) < MAX_OF_ONE;
  }

  #processor(key: string, owner: string, target: OtlpTarget, isOperators: boolean): Promise<SpanProcessor> {
    const known = this.#sending.get(key);
    const sending = known ?? { owner, processor: this.#open(target, isOperators) };
    this.#sending.delete(key);
    this.#sending.set(key, sending);
    if (known === undefined) this.#makeRoom(owner);
    return sending.processor;
  }

  #makeRoom(owner: string): void {
    const ofOwner = [...this.#sending].filter(([, each]) => each.owner === owner);
    if (ofOwner.length > MAX_OF_ONE) this.#end(ofOwner[0]![0]);
    if (this.#sending.size > MAX_OPEN) this.#end(this.#sending.keys().next().value!);
  }

  #end(key: string): void {
    const { owner, processor } = this.#sending.get(key)!;
    const ended = processor
      .then((each) => each.shutdown())
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ended));
    this.#sending.delete(key);
    this.#ending.set(ended, owner);
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

function countOf(owners: Iterable<string>, owner: string): number {
  return [...owners].filter((each) => each === owner).length;
}

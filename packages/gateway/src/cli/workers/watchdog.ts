import type { Logger } from "../../platform/log/logger.ts";
import { topics } from "../../platform/siblings/siblings.ts";
import type { Member } from "./crew.ts";

/** Questions in a row that a worker may leave unanswered, within its time-out. */
const QUESTIONS = 4;

interface WatchdogOptions {
  /** The workers that listen. */
  readonly members: () => readonly Member[];
  /** Milliseconds without an answer after which a worker hangs. */
  readonly timeout: () => number;
  readonly logger: Logger;
}

/**
 * Ends workers that do nothing any more, such as one whose hook never returns: they would keep the connections that they
 * have, and be handed further ones. Questions are counted, not time, so that a machine that slept ends nobody.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #unanswered = new WeakMap<Member, number>();
  #next: NodeJS.Timeout | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** Asks from now on. */
  start(): void {
    this.#next = setTimeout(() => {
      for (const member of this.#options.members()) this.#ask(member);
      this.start();
    }, this.#options.timeout() / QUESTIONS);
  }

  stop(): void {
    clearTimeout(this.#next);
  }

  #ask(member: Member): void {
    const unanswered = this.#unanswered.get(member) ?? 0;
    if (unanswered === QUESTIONS) {
      const { number: worker, process } = member;
      this.#options.logger.error({ worker, pid: process.process.pid }, "a worker hangs and is ended");
      process.process.kill("SIGKILL");
      return;
    }
    this.#unanswered.set(member, unanswered + 1);
    // Whoever fails to answer has ended, which is seen elsewhere.
    void member.channel.ask(topics.running).then(
      () => this.#unanswered.set(member, 0),
      () => undefined,
    );
  }
}

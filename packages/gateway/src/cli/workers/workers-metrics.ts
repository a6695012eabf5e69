import { topics } from "../../platform/siblings/siblings.ts";
import type { Member } from "./crew.ts";

/** Milliseconds that a worker has to tell its figures; those that it told before count otherwise. */
const PATIENCE = 2000;

/** Figures of one process, as prom-client gives them. */
type Figures = readonly { readonly type: string }[];

/** The figures of all workers for `/metrics`. Counters never run backwards: those of workers that ended count on. */
export class WorkersMetrics {
  readonly #last = new Map<number, Figures>();
  /** What workers had counted that have ended. */
  #past: Figures[] = [];

  /** @returns each worker's figures, and those of workers that have ended */
  async gather(members: readonly Member[]): Promise<readonly Figures[]> {
    await Promise.all(members.map((member) => this.#ask(member)));
    return [...this.#last.values(), ...(await this.#joinedPast())];
  }

  /** A worker has ended; what it had told last counts on. */
  left(number: number): void {
    const last = this.#last.get(number);
    this.#last.delete(number);
    if (last !== undefined) this.#past.push(last.filter(({ type }) => type !== "gauge"));
  }

  async #ask({ number, channel }: Member): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE);
    });
    const figures = await Promise.race([channel.ask<Figures>(topics.metrics).catch(() => undefined), late]);
    clearTimeout(timer);
    if (figures !== undefined) this.#last.set(number, figures);
  }

  /** However many workers have ended, what they counted is one set of figures. */
  async #joinedPast(): Promise<readonly Figures[]> {
    if (this.#past.length > 1) {
      const past = this.#past;
      const { AggregatorRegistry } = await import("prom-client");
      const joined = await AggregatorRegistry.aggregate(past as object[]).getMetricsAsJSON();
      this.#past = [joined as unknown as Figures, ...this.#past.slice(past.length)];
    }
    return this.#past;
  }
}

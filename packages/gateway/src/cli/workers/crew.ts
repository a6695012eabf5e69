import cluster, { type Worker as Process } from "node:cluster";
import type { Logger } from "../../platform/log/logger.ts";
import { Channel, type Packet } from "../../platform/siblings/channel.ts";
import { topics, WORKER_VARIABLE, type WorkerStart } from "../../platform/siblings/siblings.ts";
import { WorkerNotStarted } from "./not-started.ts";
import { UntakenConnections } from "./untaken-connections.ts";
import { Watchdog } from "./watchdog.ts";
import type { ReadyWorker } from "./worker.ts";

/** Milliseconds that a worker must have lived to be replaced at once; before the next one otherwise, at first and at most. */
const LONG_LIFE = 30_000;
const PAUSE = 200;
const MAX_PAUSE = 15_000;

/** A worker of the crew. */
export interface Member {
  readonly number: number;
  readonly channel: Channel;
  readonly process: Process;
}

interface CrewOptions {
  readonly workers: number;
  readonly simulatorUrl: string | undefined;
  readonly logger: Logger;
  /** Milliseconds after which a worker hangs that answers nothing. */
  readonly timeout: () => number;
  /** Serves what a new worker will ask. @returns called when it has ended and all that it had told was heard */
  readonly serve: (member: Member) => () => void;
}

/** The processes that serve one address: each is replaced when it dies, later and later when it does so again and again. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #members = new Map<number, Member>();
  readonly #exits = new Set<Promise<void>>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  readonly #listening = new WeakSet<Member>();
  readonly #watchdog: Watchdog;
  #isClosing = false;

  constructor(options: CrewOptions) {
    this.#options = options;
    const members = (): Member[] => this.members.filter((member) => this.#listening.has(member));
    this.#watchdog = new Watchdog({ ...options, members });
    // The primary accepts connections and hands them out in turn, so that one that waits is not lost with a worker.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    // Workers are started as this process was.
    cluster.setupPrimary({ exec: process.argv[1]!, args: process.argv.slice(2), serialization: "advanced" });
  }

  /** Those that are there. */
  get members(): readonly Member[] {
    return [...this.#members.values()];
  }

  /**
   * Starts all workers; the first one alone, so that what keeps it from starting is told once.
   * @throws WorkerNotStarted
   */
  async start(): Promise<ReadyWorker> {
    const first = await this.#start(1);
    const others = Array.from({ length: this.#options.workers - 1 }, (_, index) => this.#start(index + 2));
    await Promise.all(others);
    for (const { number, process: worker } of this.members) this.#watch(number, worker, 0);
    this.#watchdog.start();
    return first;
  }

  /** Has all workers end, each after its last call. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#watchdog.stop();
    for (const pause of this.#pauses) clearTimeout(pause);
    for (const { channel } of this.members) channel.tell(topics.close);
    while (this.#exits.size > 0) await Promise.all(this.#exits);
  }

  /** Ends all workers at once. */
  kill(): void {
    this.#isClosing = true;
    this.#watchdog.stop();
    for (const { process: worker } of this.members) worker.process.kill("SIGKILL");
  }

  #start(number: number): Promise<ReadyWorker> {
    const { simulatorUrl, serve, logger } = this.#options;
    const start: WorkerStart = { number, simulatorUrl };
    const worker = cluster.fork({ [WORKER_VARIABLE]: JSON.stringify(start) });
    const channel = new Channel((packets) => {
      if (worker.isConnected()) worker.send(packets as Packet[], undefined, () => undefined);
    });
    worker.on("message", (packets: Packet[]) => channel.receive(packets));
    const untaken = new UntakenConnections(worker);
    // One that cannot be told anything is about to end.
    worker.on("error", () => undefined);
    const member = { number, channel, process: worker };
    const { pid } = worker.process;
    this.#members.set(number, member);
    const left = serve(member);
    return new Promise((resolve, reject) => {
      channel.on(topics.ready, (ready: ReadyWorker) => {
        logger.info({ worker: number, pid }, "a worker serves");
        this.#listening.add(member);
        resolve(ready);
      });
      worker.once("exit", (code: number | null) => reject(new WorkerNotStarted(code || 1)));
      // What it told before its end may still be on its way when the process is gone; all of it was heard when it is closed.
      const closed = new Promise((resolve) => worker.process.once("close", resolve));
      const gone = closed.then(() => {
        this.#exits.delete(gone);
        if (this.#members.get(number) === member) this.#members.delete(number);
        channel.close();
        untaken.giveBack(this.members.some((other) => other.process.isConnected()));
        left();
      });
      this.#exits.add(gone);
    });
  }

  /** Replaces a worker when it ends. @param failures how often it ended soon, one after the other */
  #watch(number: number, worker: Process, failures: number): void {
    const startedAt = performance.now();
    worker.once("exit", (code: number | null, signal: string | null) => {
      if (this.#isClosing) return;
      const livedLong = performance.now() - startedAt >= LONG_LIFE;
      this.#options.logger.error(
        { worker: number, code: signal ?? code },
        "a worker ended, another one takes its place",
      );
      this.#replace(number, livedLong ? 0 : failures + 1);
    });
    // It ended while the others were starting.
    if (worker.isDead()) this.#replace(number, failures + 1);
  }

  #replace(number: number, failures: number): void {
    const delay = failures <= 1 ? 0 : Math.min(MAX_PAUSE, PAUSE * 2 ** (failures - 2));
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      if (this.#isClosing) return;
      const started = this.#start(number);
      this.#watch(number, this.#members.get(number)!.process, failures);
      // That it ended before it listened is seen as its end.
      started.catch(() => undefined);
    }, delay);
    this.#pauses.add(pause);
  }
}

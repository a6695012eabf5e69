import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:cluster";

/** How node:cluster hands a connection to a worker: a message of its own with the connection beside it. */
interface Handing {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
  /** In the worker's answer: the `seq` of what it answers. */
  readonly ack?: unknown;
}

interface Connection {
  close(): void;
}

/**
 * The connections that a worker was handed and has not said to have taken. When the worker dies, node:cluster keeps them
 * open and forgets them (its RoundRobinHandle waits for the answer), so that their callers would wait for ever.
 */
export class UntakenConnections {
  readonly #process: ChildProcess;
  readonly #untaken = new Map<unknown, Connection>();

  constructor(worker: Worker) {
    this.#process = worker.process;
    const send = this.#process.send.bind(this.#process) as (...args: unknown[]) => boolean;
    this.#process.send = (message: Handing, handle?: unknown, ...rest: unknown[]): boolean => {
      if (message.cmd === "NODE_CLUSTER" && message.act === "newconn")
        this.#untaken.set(message.seq, handle as Connection);
      return send(message, handle, ...rest);
    };
    this.#process.prependListener("internalMessage", (message: Handing) => {
      if (message.cmd === "NODE_CLUSTER") this.#untaken.delete(message.ack);
    });
  }

  /**
   * Hands them to the other workers, after the process has ended and its channel was read to the end.
   * @param othersServe whether there are any; the connections are closed otherwise
   */
  giveBack(othersServe: boolean): void {
    // A channel that ends while a connection is on its way never says so, and the cluster would go on to hand connections
    // to the worker.
    if (!this.#process.connected) this.#process.emit("disconnect");
    for (const [ack, connection] of this.#untaken) {
      // As if the worker had refused it because it is shutting down.
      if (othersServe) this.#process.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted: false });
      else connection.close();
    }
    this.#untaken.clear();
  }
}

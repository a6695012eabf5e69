import { Channel, type Packet } from "../../platform/siblings/channel.ts";
import {
  type Relayed,
  type Siblings,
  topics,
  WORKER_VARIABLE,
  type WorkerStart,
} from "../../platform/siblings/siblings.ts";
import type { RunningGateway } from "../start-gateway.ts";

/** What the primary needs to know of a worker that listens. */
export type ReadyWorker = Pick<RunningGateway, "url" | "host">;

/** This process as one of several workers. */
export interface Worker {
  readonly number: number;
  readonly siblings: Siblings;
  readonly simulatorUrl: string | undefined;
  /** Tells the primary that the gateway listens. @returns resolves when the primary wants the worker to end */
  serve(gateway: RunningGateway): Promise<void>;
}

/** This process as a worker; nothing in a process that is none. */
export function openWorker(environment: Readonly<Record<string, string | undefined>>): Worker | undefined {
  const text = environment[WORKER_VARIABLE];
  if (text === undefined || process.send === undefined) return undefined;
  const { number, simulatorUrl } = JSON.parse(text) as WorkerStart;
  const primary = new Channel((packets) => {
    // A primary that is gone ends this process as well.
    if (process.connected) process.send!(packets, undefined, {}, () => undefined);
  });
  process.on("message", (packets) => primary.receive(packets as Packet[]));
  // It may be told to end while it still starts.
  const closing = new Promise<void>((resolve) => primary.on(topics.close, () => resolve()));
  const siblings: Siblings = {
    number,
    primary,
    tellOthers: (topic, content) => primary.tell(topics.relay, { topic, content } satisfies Relayed),
  };
  return {
    number,
    siblings,
    simulatorUrl,
    serve: (gateway) => {
      primary.on(topics.running, () => gateway.runningCalls());
      primary.tell(topics.ready, { url: gateway.url, host: gateway.host } satisfies ReadyWorker);
      return closing;
    },
  };
}

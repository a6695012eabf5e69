import { parentPort, workerData } from "node:worker_threads";
import { describeError } from "../../../platform/log/describe-error.ts";
import type { StoreLocation } from "../../../platform/store/schema.ts";
import { yieldToCallers } from "./considerate.ts";
import { Ingest } from "./ingest.ts";
import { openSpendSink } from "./spend-sink.ts";

/** What the thread is started with. */
export interface WriterStart {
  readonly location: StoreLocation;
  readonly root: string;
}

/** Asks for everything that is there to be written. */
export interface WriteRequest {
  readonly id: number;
  /** This process's folder, once it has one. */
  readonly folder: string | undefined;
  /** The process writes nothing more. */
  readonly isLast: boolean;
  /** The journals of processes that have ended are looked through, however lately they were. */
  readonly looks: boolean;
  /** Rows that the journal did not take. */
  readonly texts: readonly string[];
}

/** What came of a request. */
export interface WriteResult {
  readonly id: number;
  /** Why not everything was written. */
  readonly failure: string | undefined;
  /** Bytes of all journals afterwards. */
  readonly bytes: number;
  /** Rows that the database refused. */
  readonly refused: number;
}

/** Something for the log. */
export interface WriterReport {
  readonly level: "info" | "warn" | "error";
  readonly fields: object;
  readonly message: string;
}

/** Milliseconds between two looks for the journals of processes that have ended. */
const LOOK_EVERY = 5000;

/** The thread that brings spend rows into the database, so that no caller waits for a commit. */
async function serve({ location, root }: WriterStart): Promise<void> {
  yieldToCallers();
  const port = parentPort!;
  const report = (level: WriterReport["level"], fields: object, message: string): void =>
    port.postMessage({ level, fields, message } satisfies WriterReport);
  const sink = await openSpendSink(location);
  const ingest = new Ingest(root, sink, report);
  let lookedAt = Number.NEGATIVE_INFINITY;
  const handle = async ({ id, folder, isLast, looks, texts }: WriteRequest): Promise<void> => {
    let failure: string | undefined;
    try {
      // First what is older: a budget may begin with what it says.
      if (looks || performance.now() - lookedAt > LOOK_EVERY) {
        await ingest.abandoned(folder);
        lookedAt = performance.now();
      }
      await ingest.write(texts);
      if (folder !== undefined) await ingest.own(folder, isLast);
      if (isLast) await sink.close();
    } catch (error) {
      failure = describeError(error);
    }
    const refused = ingest.takeRefused();
    port.postMessage({ id, failure, bytes: ingest.bytes, refused } satisfies WriteResult);
  };
  let running = Promise.resolve();
  port.on("message", (request: WriteRequest) => {
    running = running.then(() => handle(request));
  });
}

// Not awaited: the bundle may put what it loads meanwhile into a file that waits for this one.
if (parentPort !== null) void serve(workerData as WriterStart);

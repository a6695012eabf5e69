import { type FormatOptions, OptionError } from "../format/options.ts";
import { ParseError } from "../parse/errors.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-messages.ts";

/** Formats without holding up the page. */
export interface WorkerFormatter {
  /**
   * `format` in the worker.
   * @throws {ParseError} and the others of `format`
   */
  format(source: string, options?: FormatOptions): Promise<string>;
  /** Ends the worker; what it has not answered fails. */
  close(): void;
}

interface Waiting {
  readonly resolve: (output: string) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts a worker for large sources, of which 10,000 lines take a page some tenths of a second.
 *
 * @param address of `worker.js`, which has to have the page's origin; bundlers find it by themselves
 */
export function formatInWorker(
  address: string | URL = new URL("./worker.js", import.meta.url),
): WorkerFormatter {
  const worker = new Worker(address, { type: "module" });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  const failAll = (reason: string): void => {
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  worker.addEventListener("message", ({ data }: { data: WorkerAnswer }) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ("output" in data) asked?.resolve(data.output);
    else asked?.reject(errorOf(data));
  });
  worker.addEventListener("error", ({ message }) => {
    failAll(`Jetblack's worker failed: ${message || "its file cannot be loaded"}`);
  });
  return {
    format: (source, options = {}) =>
      new Promise((resolve, reject) => {
        const request: WorkerRequest = { id: ++last, source, options };
        waiting.set(request.id, { resolve, reject });
        worker.postMessage(request);
      }),
    close() {
      worker.terminate();
      failAll("Jetblack's worker was closed");
    },
  };
}

function errorOf(answer: Exclude<WorkerAnswer, { output: string }>): Error {
  if ("parseError" in answer) return new ParseError(answer.parseError);
  const { name, message } = answer.error;
  return name === "OptionError" ? new OptionError(message) : Object.assign(new Error(message), { name });
}

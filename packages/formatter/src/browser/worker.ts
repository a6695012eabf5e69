import { format } from "../index.ts";
import { ParseError } from "../parse/errors.ts";
import type { WorkerAnswer, WorkerRequest } from "./worker-messages.ts";

/** The worker that `formatInWorker` starts: formats what it is sent, one source after the other. */
addEventListener("message", ({ data }: { data: WorkerRequest }) => {
  postMessage(answer(data));
});

function answer({ id, source, options }: WorkerRequest): WorkerAnswer {
  try {
    return { id, output: format(source, options) };
  } catch (error) {
    if (error instanceof ParseError) {
      const { line, column, sourceLine, kind, reason, context } = error;
      return { id, parseError: { line, column, sourceLine, kind, reason, context } };
    }
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { id, error: { name, message } };
  }
}

import type { Inspection } from "./inspect.ts";
import type { PageState } from "./page-state.ts";
import type { Answer, Question } from "./worker-messages.ts";

/** Has a worker look at a state. What cannot be formatted rejects with an `Error` whose message is for people. */
export type Ask = (state: PageState) => Promise<Inspection>;

interface Waiting {
  readonly resolve: (inspection: Inspection) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the worker; when it fails, such as where its file cannot be loaded, so does everything that it is asked. */
export function startWorker(address: string): Ask {
  const worker = new Worker(address, { type: "module" });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  worker.addEventListener("message", ({ data }: { data: Answer }) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ("inspection" in data) asked?.resolve(data.inspection);
    else asked?.reject(new Error(data.failure));
  });
  worker.addEventListener("error", ({ message }) => {
    for (const { reject } of waiting.values())
      reject(new Error(message || "The formatter cannot be loaded; reload the page."));
    waiting.clear();
  });
  return (state) =>
    new Promise((resolve, reject) => {
      const question: Question = { id: ++last, state };
      waiting.set(question.id, { resolve, reject });
      worker.postMessage(question);
    });
}

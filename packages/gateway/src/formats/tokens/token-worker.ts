import { parentPort } from "node:worker_threads";
import type { JsonObject } from "../../contract/json.ts";
import { countTokens } from "./count.ts";

/** A request body to count, as JSON. */
export interface CountJob {
  readonly id: number;
  readonly json: string;
}

/** The tokens of a job; without them it failed. */
export interface CountResult {
  readonly id: number;
  readonly tokens?: number;
}

/** The thread that counts. Its jobs take turns, so that a short one does not wait for a long one. */
parentPort?.on("message", ({ id, json }: CountJob) => {
  const answer = (result: CountResult): void => parentPort?.postMessage(result);
  void Promise.resolve(JSON.parse(json) as JsonObject)
    .then(countTokens)
    .then(
      (tokens) => answer({ id, tokens }),
      () => answer({ id }),
    );
});

import { isMainThread } from "node:worker_threads";

/**
 * Loaded by gateways that tests run in processes of their own: one whose test was killed ends as well. Its standard
 * input is a pipe from the test, which closes with the test's process. Threads load this too, whose input is at its end.
 */
if (isMainThread) {
  process.stdin.once("end", () => process.exit(1)).once("error", () => process.exit(1));
  process.stdin.resume();
  if ("unref" in process.stdin) process.stdin.unref();
}

import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";

// A thread does not inherit the cache of compiled code from the main one, and what it loads next is the formatter.
enableCompileCache();
void import("./format-task.ts").then(({ formatTask }) => parentPort?.on("message", formatTask));

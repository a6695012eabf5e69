import { parentPort } from "node:worker_threads";

void import("./formatting.ts").then(({ formatTask }) =>
  parentPort?.on("message", (task) => formatTask(task, (message) => parentPort?.postMessage(message))),
);

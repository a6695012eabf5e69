/** The library for pages: what the package itself exports, small, and a worker for large sources. */
export * from "../index.ts";
export { formatInWorker, type WorkerFormatter } from "./format-in-worker.ts";

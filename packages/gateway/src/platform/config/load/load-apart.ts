import { Worker } from "node:worker_threads";
import type { Deployment } from "../../../contract/deployment.ts";
import { ConfiguredKeys } from "../configured-keys.ts";
import { ConfigError } from "../problem.ts";
import type { PackedConfig, ReadAnswer, ReadRequest } from "./config-thread.ts";
import type { LoadedConfig } from "./load-config.ts";

/**
 * Reads a configuration as `loadConfig` does, in a thread of its own and handed over in parts: thousands of deployments
 * and keys take seconds, in which this thread answers callers, and leave hundreds of megabytes that it would have to clear.
 * @param isAwaited keeps the process alive meanwhile
 * @throws ConfigError as `loadConfig`, Error where the thread cannot do it
 */
export async function loadConfigApart(request: ReadRequest, isAwaited = false): Promise<LoadedConfig> {
  // The bundle has the thread's module beside its own; sources are read as they are.
  const own = import.meta.url.endsWith(".ts") ? "./config-thread.ts" : "./config-thread.js";
  const worker = new Worker(new URL(own, import.meta.url), {
    workerData: { ...request, environment: { ...request.environment } },
  });
  if (!isAwaited) worker.unref();
  try {
    return await readParts(worker);
  } finally {
    void worker.terminate();
  }
}

async function readParts(worker: Worker): Promise<LoadedConfig> {
  const deployments: Deployment[] = [];
  let packed: PackedConfig | undefined;
  for (;;) {
    const answer = await nextAnswer(worker);
    if (answer.kind === "refused")
      throw Object.assign(new ConfigError(answer.problems), { message: answer.message });
    if (answer.kind === "read") packed = answer.loaded;
    else if (answer.kind === "part") deployments.push(...answer.deployments);
    else {
      const { keys, config, ...loaded } = packed!;
      return { ...loaded, config: { ...config, deployments, keys: new ConfiguredKeys(keys) } };
    }
  }
}

/** One answer a turn of the event loop, because the thread waits to be asked. */
function nextAnswer(worker: Worker): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error("The thread that reads the configuration ended"));
    const settle = (tell: () => void): void => {
      worker.off("message", told).off("error", failed).off("exit", ended);
      tell();
    };
    const told = (answer: ReadAnswer): void => settle(() => resolve(answer));
    const failed = (error: Error): void => settle(() => reject(error));
    worker.on("message", told).on("error", failed).on("exit", ended);
    worker.postMessage("next");
  });
}

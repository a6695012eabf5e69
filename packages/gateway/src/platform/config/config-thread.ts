import { parentPort, workerData } from "node:worker_threads";
import type { CommandLineOverrides, GatewayConfig } from "./gateway-config.ts";
import { loadConfig } from "./load-config.ts";
import { ConfigError, type Problem } from "./problem.ts";
import type { ReadConfig } from "./read-config.ts";

/** What the thread reads. */
export interface ReadRequest {
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly commandLine: CommandLineOverrides;
  readonly providers: readonly string[] | undefined;
}

/** What a file comes to. */
export type LoadedConfig = ReadConfig & { readonly text: string };

/** An answer of the thread; it sends the next one when it is asked to. */
export type ReadAnswer =
  /** All but deployments and keys. */
  | { readonly kind: "read"; readonly loaded: LoadedConfig }
  | { readonly kind: "part"; readonly part: Partial<Pick<GatewayConfig, "deployments" | "keys">> }
  | { readonly kind: "end" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[]; readonly message: string };

/** Deployments or keys that are handed over at a time: understanding a message of theirs takes about a millisecond. */
const PART = 100;

function* answers({ file, environment, commandLine, providers }: ReadRequest): Generator<ReadAnswer> {
  try {
    const loaded = loadConfig(file, environment, commandLine, providers && { providers });
    const { deployments, keys } = loaded.config;
    yield { kind: "read", loaded: { ...loaded, config: { ...loaded.config, deployments: [], keys: [] } } };
    for (let from = 0; from < deployments.length; from += PART)
      yield { kind: "part", part: { deployments: deployments.slice(from, from + PART) } };
    for (let from = 0; from < keys.length; from += PART)
      yield { kind: "part", part: { keys: keys.slice(from, from + PART) } };
    yield { kind: "end" };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    yield { kind: "refused", problems: error.problems, message: error.message };
  }
}

/** The thread in which a configuration is read that was changed. */
function serve(request: ReadRequest): void {
  const port = parentPort!;
  const all = answers(request);
  port.on("message", () => {
    const { value, done } = all.next();
    if (done === true) port.close();
    else port.postMessage(value);
  });
}

if (parentPort !== null) serve(workerData as ReadRequest);

import { parentPort, workerData } from "node:worker_threads";
import type { Deployment } from "../../../contract/deployment.ts";
import type { PackedKeys } from "../configured-keys.ts";
import type { CommandLineOverrides, GatewayConfig } from "../gateway-config.ts";
import { ConfigError, type Problem } from "../problem.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

/** What the thread reads. */
export interface ReadRequest {
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly commandLine: CommandLineOverrides;
  readonly providers: readonly string[] | undefined;
  /** What stood in the files, in place of what stands there now. */
  readonly texts?: ConfigTexts;
}

/** What stood in a configuration's file and in those that it includes, by their paths. */
export type ConfigTexts = ReadonlyMap<string, Uint8Array>;

/** An answer of the thread; it sends the next one when it is asked to. */
export type ReadAnswer =
  /** All but the deployments. */
  | { readonly kind: "read"; readonly loaded: PackedConfig }
  | { readonly kind: "part"; readonly deployments: readonly Deployment[] }
  | { readonly kind: "end" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[]; readonly message: string };

/** What a file comes to, with its keys as buffers. */
export type PackedConfig = Omit<LoadedConfig, "config"> & {
  readonly config: Omit<GatewayConfig, "keys" | "deployments">;
  readonly keys: PackedKeys;
};

/** Deployments that are handed over at a time: understanding a message of theirs takes about a millisecond. */
const PART = 100;

function* answers(request: ReadRequest): Generator<ReadAnswer> {
  const { file, environment, commandLine, providers, texts } = request;
  try {
    const loaded = loadConfig(file, environment, commandLine, providers && { providers }, texts);
    const { deployments, keys, ...config } = loaded.config;
    yield { kind: "read", loaded: { ...loaded, config, keys: keys.packed } };
    for (let from = 0; from < deployments.length; from += PART)
      yield { kind: "part", deployments: deployments.slice(from, from + PART) };
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
    else port.postMessage(value, buffersIn(value));
  });
}

/** What is given away rather than copied; each buffer is an array's own. */
function buffersIn(answer: ReadAnswer): ArrayBuffer[] {
  if (answer.kind !== "read") return [];
  const { bytes, keys } = answer.loaded;
  return [bytes, ...Object.values(keys)].map(({ buffer }) => buffer as ArrayBuffer);
}

if (parentPort !== null) serve(workerData as ReadRequest);

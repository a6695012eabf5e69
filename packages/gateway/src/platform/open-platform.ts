import { VERSION } from "../util/version.ts";
import type { ConfigSource } from "./config/gateway-config.ts";
import { RuntimeConfig } from "./config/runtime/runtime-config.ts";
import type { Logger } from "./log/logger.ts";
import { openLogExport } from "./log/otlp/open-log-export.ts";
import type { JobQueue } from "./queue/job-queue.ts";
import { openQueue } from "./queue/open-queue.ts";
import type { Siblings } from "./siblings/siblings.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/schema.ts";
import { SealedText } from "./store/sealed-text.ts";
import { removeLeftTemporary } from "./store/temporary.ts";
import { openTraces, type Traces } from "./tracing/open-tracing.ts";
import { Upstream } from "./transport/upstream.ts";

/** What the process brings along; everything else the gateway makes itself. */
export interface GatewayParts {
  readonly config: ConfigSource;
  readonly dataDirectory: string;
  /** Relative paths of hook modules count from here. */
  readonly baseFolder: string;
  /** In force while the configuration names no master key. */
  readonly generatedMasterKey: string | undefined;
  readonly logger: Logger;
  /** The other workers; absent in a gateway of one process. */
  readonly siblings?: Siblings;
}

/** What keeps state or connections, whatever they are used for: opened before everything else, closed after it. */
export interface Platform extends GatewayParts {
  /** Absent where the configuration wants none. */
  readonly store: Store | undefined;
  /** Durable work; there is one wherever there is a store. */
  readonly queue: JobQueue | undefined;
  readonly upstream: Upstream;
  readonly traces: Traces;
  /** What is configured at run time, part of `config`; there is one wherever there is a store. */
  readonly runtime: RuntimeConfig | undefined;
  /** Encrypts what must not stand in the store in clear text. */
  readonly seal: SealedText;
  close(): Promise<void>;
}

/** Opens what the configuration names. */
export async function openPlatform(parts: GatewayParts): Promise<Platform> {
  const { dataDirectory, logger, generatedMasterKey } = parts;
  const logExport = await openLogExport(parts.config.current, VERSION, logger);
  // The primary has the data directory for all of its workers.
  const isAlone = parts.siblings === undefined;
  const store = await openStore(parts.config.current, dataDirectory, logger, isAlone);
  removeLeftTemporary();
  const { saltKey, masterKey } = parts.config.current.generalSettings;
  const seal = new SealedText(saltKey ?? masterKey ?? generatedMasterKey ?? "");
  const runtime = store && (await RuntimeConfig.open(parts.config, store, seal, logger));
  const config = runtime ?? parts.config;
  const queue = store && (await openQueue(store, logger));
  const upstream = new Upstream(config);
  const traces = await openTraces(config, VERSION, seal, logger);
  return {
    ...parts,
    config,
    runtime,
    seal,
    store,
    queue,
    upstream,
    traces,
    close: async () => {
      await upstream.destroy();
      await traces.close();
      await runtime?.close();
      await queue?.close();
      await store?.close();
      await logExport?.close();
    },
  };
}

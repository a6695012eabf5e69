import { dirname } from "node:path";
import { masterKeyAtStart, requireOtherKeys } from "../core/auth/master-key.ts";
import type { GatewayServer } from "../core/http/server.ts";
import type { GatewayConfig } from "../platform/config/gateway-config.ts";
import type { Logger } from "../platform/log/logger.ts";
import type { GatewayParts } from "../platform/open-platform.ts";
import type { Siblings } from "../platform/siblings/siblings.ts";
import { type OpenedConfig, openConfig, type WorkerPlace } from "./open-config.ts";
import type { ServeOptions } from "./serve-options.ts";

/** A gateway that does not listen yet. */
export interface Gateway {
  readonly server: GatewayServer;
  /** Ends after the last running call, with everything written down. */
  close(): Promise<void>;
}

/** Puts a gateway together. */
export type CreateGateway = (parts: GatewayParts) => Promise<Gateway>;

/** A gateway that listens. */
export interface RunningGateway {
  /** `http://host:port`, reachable from this machine. */
  readonly url: string;
  /** The address that it listens on, as the system has it. */
  readonly host: string;
  readonly masterKey: string;
  /** From the configuration, made at this start (nobody has seen it yet), or at an earlier one. */
  readonly keySource: "configured" | "generated" | "kept";
  /** A model that callers may name; absent while there is none. */
  readonly firstModel: string | undefined;
  readonly simulatorUrl: string | undefined;
  /** Calls that are not answered yet. */
  runningCalls(): number | Promise<number>;
  reload(): void;
  /** Refuses new calls, lets running ones finish and writes everything down. */
  close(): Promise<void>;
  /** Ends other processes of the gateway at once, where there are any. */
  kill?(): void;
}

/** Starts a gateway in this process. */
export async function startGateway(
  createGateway: CreateGateway,
  options: Pick<ServeOptions, "configFile" | "port" | "host" | "dataDirectory" | "overrides">,
  environment: Readonly<Record<string, string | undefined>>,
  logger: Logger,
  worker?: WorkerPlace,
): Promise<RunningGateway> {
  const { configFile, overrides } = options;
  const config = await openConfig(configFile, environment, overrides, logger, worker);
  exportVariables(config.source.current, environment);
  config.source.subscribe((changed) => exportVariables(changed, environment));
  try {
    return await startWith(createGateway, config, options, logger, worker?.siblings);
  } catch (error) {
    await config.close();
    throw error;
  }
}

/** Providers read their usual variables from the process; those that the file sets join them, as with LiteLLM. */
function exportVariables(
  { environment }: GatewayConfig,
  given: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(environment)) {
    if (value !== given[name] && value !== undefined) process.env[name] = value;
  }
}

async function startWith(
  createGateway: CreateGateway,
  config: OpenedConfig,
  options: Pick<ServeOptions, "configFile" | "port" | "host" | "dataDirectory">,
  logger: Logger,
  siblings: Siblings | undefined,
): Promise<RunningGateway> {
  const masterKey = masterKeyAtStart(config.source.current, options.dataDirectory);
  config.require((next) => requireOtherKeys(next, masterKey.key));
  const gateway = await createGateway({
    config: config.source,
    dataDirectory: options.dataDirectory,
    baseFolder: options.configFile === undefined ? process.cwd() : dirname(options.configFile),
    generatedMasterKey: masterKey.source === "configured" ? undefined : masterKey.key,
    logger,
    ...(siblings && { siblings }),
  });
  const listening = config.catchUp().then(() => gateway.server.listen(options.port, options.host));
  const { host, port } = await listening.catch(async (error) => {
    await gateway.close();
    throw error;
  });
  return {
    url: `http://${reachableHost(host)}:${port}`,
    host,
    masterKey: masterKey.key,
    keySource: masterKey.source,
    firstModel: firstModel(config.source.current),
    simulatorUrl: config.simulatorUrl,
    runningCalls: () => gateway.server.runningCalls,
    reload: () => config.reload(),
    close: async () => {
      await gateway.close();
      await config.close();
    },
  };
}

/** A name without a star where there is one: callers cannot use a pattern as it stands. */
export function firstModel({ deployments }: GatewayConfig): string | undefined {
  const names = deployments.map(({ modelName }) => modelName);
  return names.find((name) => !name.includes("*")) ?? names[0];
}

function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

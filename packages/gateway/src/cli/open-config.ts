import {
  type CommandLineOverrides,
  type ConfigSource,
  fixedConfig,
  type GatewayConfig,
} from "../platform/config/gateway-config.ts";
import type { ConfigTexts } from "../platform/config/load/config-thread.ts";
import {
  type ReadElsewhere,
  type ReloadReport,
  WatchedConfig,
} from "../platform/config/load/watched-config.ts";
import { formatProblem } from "../platform/config/problem.ts";
import { readConfig } from "../platform/config/read/read-config.ts";
import type { Logger } from "../platform/log/logger.ts";
import { type Siblings, topics, type WorkersConfiguration } from "../platform/siblings/siblings.ts";
import { providerNames } from "../providers/registry.ts";

/** What makes a gateway one of several workers. */
export interface WorkerPlace {
  readonly siblings: Siblings;
  readonly simulatorUrl: string | undefined;
}

/** Where the configuration comes from, and what has to be done with it later. */
export interface OpenedConfig {
  readonly source: ConfigSource;
  /** Address of the simulated providers, when no configuration was given. */
  readonly simulatorUrl: string | undefined;
  /** @see WatchedConfig.require */
  require(check: (config: GatewayConfig) => void): void;
  reload(): void;
  /** What the configuration in force was read from; absent where no file was given. */
  texts(): ConfigTexts | undefined;
  /** @see WatchedConfig.onRead */
  onRead(listener: () => void): void;
  /** Takes over what is in force by now, before the gateway listens. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the configuration file and watches it, or starts the simulated providers when there is none.
 * @param worker of several, whose primary has started the simulated providers and tells what is wrong with the file
 * @throws ConfigError when the file cannot be used
 */
export async function openConfig(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  overrides: CommandLineOverrides,
  logger: Logger,
  worker?: WorkerPlace,
): Promise<OpenedConfig> {
  if (file === undefined) return openSimulated(environment, overrides, worker?.simulatorUrl);
  const report: ReloadReport = worker === undefined ? reportTo(logger, file) : silent;
  const request = { file, environment, commandLine: overrides, providers: providerNames };
  const asked = () => worker!.siblings.primary.ask<WorkersConfiguration>(topics.configuration);
  const texts = worker === undefined ? undefined : (await asked()).atStart;
  const source = await WatchedConfig.open(texts === undefined ? request : { ...request, texts }, report);
  worker?.siblings.primary.on(topics.configuration, (read: ReadElsewhere) => source.follow(read));
  return {
    source,
    texts: () => source.texts,
    catchUp: async () => {
      if (worker !== undefined) await source.follow(await asked());
    },
    onRead: (listener) => source.onRead(listener),
    simulatorUrl: undefined,
    require: (check) => source.require(check),
    reload: () => void source.reload(),
    close: async () => source.close(),
  };
}

const silent: ReloadReport = { loaded: () => {}, rejected: () => {}, readHere: () => {} };

function reportTo(logger: Logger, file: string): ReloadReport {
  return {
    loaded: (warnings) => {
      for (const warning of warnings) logger.warn({ problem: formatProblem(warning) }, "configuration");
      logger.info({ file, warnings: warnings.length }, "configuration loaded");
    },
    rejected: (error) => {
      for (const problem of error.message.split("\n"))
        logger.error({ problem }, "configuration rejected, the one before stays in force");
    },
    readHere: (error) =>
      logger.warn(
        { file, error: error.message },
        "the thread that reads the configuration failed; callers wait while it is read without one",
      ),
  };
}

async function openSimulated(
  environment: Readonly<Record<string, string | undefined>>,
  overrides: CommandLineOverrides,
  running: string | undefined,
): Promise<OpenedConfig> {
  const simulator =
    running === undefined
      ? await (await import("portico-simulator")).startSimulator()
      : { url: running, close: async () => {} };
  const { config } = readConfig("simulated", simulatedConfig(simulator.url), environment, overrides);
  return {
    source: fixedConfig(config),
    simulatorUrl: simulator.url,
    require: () => {},
    reload: () => {},
    texts: () => undefined,
    onRead: () => {},
    catchUp: async () => {},
    close: () => simulator.close(),
  };
}

/** Names without a provider in front that the simulated models answer to: pattern, model, path at the simulator. */
const simulatedNames = [
  ...["gpt-*", "chatgpt-*", "codex-*", "o1*", "o3*", "o4*", "text-embedding-*", "sora-*"].map(
    (name) => [name, `openai/${name}`, "/openai/v1"] as const,
  ),
  ["claude-*", "anthropic/claude-*", "/anthropic"],
  ...["gemini-*", "veo-*"].map((name) => [name, `gemini/${name}`, "/google"] as const),
] as const;

function deployment(name: string, model: string, address: string): string {
  return `  - model_name: ${name}
    litellm_params: {model: ${model}, api_base: "${address}", api_key: simulated}
    model_info: {id: simulated-${name.replace(/-?\*$/, "")}}
`;
}

/**
 * The configuration used when none is given: every model of four providers, played by the simulator at `url`.
 * Text, so that it takes the same way as a file and can be printed for copying.
 */
function simulatedConfig(url: string): string {
  return `model_list:
  - model_name: openai/*
    litellm_params: {model: openai/*, api_base: "${url}/openai/v1", api_key: simulated}
    model_info: {id: simulated-openai}
  - model_name: azure/*
    litellm_params: {model: azure/*, api_base: "${url}/azure", api_key: simulated, api_version: "2025-04-01-preview"}
    model_info: {id: simulated-azure}
  - model_name: anthropic/*
    litellm_params: {model: anthropic/*, api_base: "${url}/anthropic", api_key: simulated}
    model_info: {id: simulated-anthropic}
  - model_name: google/*
    litellm_params: {model: gemini/*, api_base: "${url}/google", api_key: simulated}
    model_info: {id: simulated-google}
${simulatedNames.map(([name, model, path]) => deployment(name, model, `${url}${path}`)).join("")}`;
}

import { FixedConfig } from "../platform/config/fixed-config.ts";
import type { CommandLineOverrides, ConfigSource } from "../platform/config/gateway-config.ts";
import { formatProblem } from "../platform/config/problem.ts";
import { readConfig } from "../platform/config/read-config.ts";
import { simulatedConfig } from "../platform/config/simulated-config.ts";
import { type ReloadReport, WatchedConfig } from "../platform/config/watched-config.ts";
import type { Logger } from "../platform/log/logger.ts";
import { providerNames } from "../providers/registry.ts";

/** Where the configuration comes from, and what has to be done with it later. */
export interface OpenedConfig {
  readonly source: ConfigSource;
  /** Address of the simulated providers, when no configuration was given. */
  readonly simulatorUrl: string | undefined;
  reload(): void;
  close(): Promise<void>;
}

/**
 * Opens the configuration file and watches it, or starts the simulated providers when there is none.
 * @throws ConfigError when the file cannot be used
 */
export async function openConfig(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  overrides: CommandLineOverrides,
  logger: Logger,
): Promise<OpenedConfig> {
  if (file === undefined) return openSimulated(environment, overrides);
  const report: ReloadReport = {
    loaded: (warnings) => {
      for (const warning of warnings) logger.warn({ problem: formatProblem(warning) }, "configuration");
      logger.info({ file, warnings: warnings.length }, "configuration loaded");
    },
    rejected: (error) => {
      for (const problem of error.message.split("\n"))
        logger.error({ problem }, "configuration rejected, the one before stays in force");
    },
  };
  const source = new WatchedConfig(file, environment, overrides, report, providerNames);
  return {
    source,
    simulatorUrl: undefined,
    reload: () => source.reload(),
    close: async () => source.close(),
  };
}

async function openSimulated(
  environment: Readonly<Record<string, string | undefined>>,
  overrides: CommandLineOverrides,
): Promise<OpenedConfig> {
  const { startSimulator } = await import("portico-simulator");
  const simulator = await startSimulator();
  const { config } = readConfig("simulated", simulatedConfig(simulator.url), environment, overrides);
  return {
    source: new FixedConfig(config),
    simulatorUrl: simulator.url,
    reload: () => {},
    close: () => simulator.close(),
  };
}

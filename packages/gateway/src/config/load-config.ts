import { readFileSync } from "node:fs";
import type { CommandLineOverrides } from "./gateway-config.ts";
import { ConfigError } from "./problem.ts";
import { type ReadConfig, readConfig } from "./read-config.ts";

/**
 * Reads the configuration file.
 * @throws ConfigError also when there is no such file
 */
export function loadConfig(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLineOverrides = {},
): ReadConfig {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : "cannot be read";
    const message = `${reason}; give the path of a YAML configuration with --config`;
    throw new ConfigError([{ file, line: undefined, column: undefined, path: "", message }]);
  }
  return readConfig(file, text, environment, commandLine);
}

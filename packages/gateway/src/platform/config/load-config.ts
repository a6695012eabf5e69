import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CommandLineOverrides } from "./gateway-config.ts";
import { ConfigError } from "./problem.ts";
import { type ReadConfig, type ReadContext, readConfig } from "./read-config.ts";

/**
 * Reads the configuration file and the files that it includes; their paths count from its folder.
 * @throws ConfigError also when there is no such file
 */
export function loadConfig(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLineOverrides = {},
  context: Pick<ReadContext, "providers"> = {},
): ReadConfig & { readonly text: string } {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    const message = `${(error as Error).message}; give the path of a YAML configuration`;
    throw new ConfigError([{ file, line: undefined, column: undefined, path: "", message }]);
  }
  const open = (path: string) => {
    const included = resolve(dirname(file), path);
    return { file: included, text: readText(included) };
  };
  return { ...readConfig(file, text, environment, commandLine, { ...context, open }), text };
}

/** @throws Error with the reason in plain words */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "no such file",
      EACCES: "permission denied",
      EISDIR: "this is a folder",
    };
    throw new Error(reasons[code ?? ""] ?? `cannot be read (${code})`, { cause: error });
  }
}

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { identityOfFile } from "../../util/remembered-files.ts";
import type { CommandLineOverrides } from "./gateway-config.ts";
import { ConfigError } from "./problem.ts";
import { type ReadConfig, type ReadContext, readConfig } from "./read-config.ts";

/** What a file comes to. */
export interface LoadedConfig extends ReadConfig {
  /** The file itself, without those that it includes. */
  readonly bytes: Uint8Array;
  /** The file and those that it includes, each with its identity before it was read. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads the configuration file and the files that it includes; their paths count from its folder.
 * @throws ConfigError also when there is no such file
 */
export function loadConfig(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLineOverrides = {},
  context: Pick<ReadContext, "providers"> = {},
): LoadedConfig {
  const files = new Map<string, string>();
  const open = (path: string): Buffer => {
    files.set(path, identityOfFile(path));
    return readBytes(path);
  };
  let bytes: Buffer;
  try {
    bytes = open(file);
  } catch (error) {
    const message = `${(error as Error).message}; give the path of a YAML configuration`;
    throw new ConfigError([{ file, line: undefined, column: undefined, path: "", message }]);
  }
  const openIncluded = (path: string) => {
    const included = resolve(dirname(file), path);
    return { file: included, text: open(included).toString() };
  };
  const read = readConfig(file, bytes.toString(), environment, commandLine, {
    ...context,
    open: openIncluded,
  });
  // An array of its own, which a thread can give away.
  return { ...read, bytes: new Uint8Array(bytes), files };
}

/** @throws Error with the reason in plain words */
function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
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

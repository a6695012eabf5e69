import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { identityOfFile } from "../../../util/remembered-files.ts";
import type { CommandLineOverrides } from "../gateway-config.ts";
import { ConfigError } from "../problem.ts";
import { type ReadConfig, type ReadContext, readConfig } from "../read/read-config.ts";

/** What a file comes to. */
export interface LoadedConfig extends ReadConfig {
  /** The file itself, without those that it includes. */
  readonly bytes: Uint8Array;
  /** The file and those that it includes, each with its identity before it was read. */
  readonly files: ReadonlyMap<string, string>;
  /** What stood in those that it includes. */
  readonly included: ReadonlyMap<string, Uint8Array>;
}

/**
 * Reads the configuration file and the files that it includes; their paths count from its folder.
 * @param texts what stood in files that are not read for it
 * @throws ConfigError also when there is no such file
 */
export function loadConfig(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
  commandLine: CommandLineOverrides = {},
  context: Pick<ReadContext, "providers"> = {},
  texts?: ReadonlyMap<string, Uint8Array>,
): LoadedConfig {
  const files = new Map<string, string>();
  const included = new Map<string, Uint8Array>();
  const open = (path: string): Buffer => {
    const known = texts?.get(path);
    // What stands there now may be something else.
    files.set(path, known === undefined ? identityOfFile(path) : "");
    return known === undefined ? readBytes(path) : Buffer.from(known);
  };
  let bytes: Buffer;
  try {
    bytes = open(file);
  } catch (error) {
    const message = `${(error as Error).message}; give the path of a YAML configuration`;
    throw new ConfigError([{ file, line: undefined, column: undefined, path: "", message }]);
  }
  const openIncluded = (path: string) => {
    const other = resolve(dirname(file), path);
    const text = open(other);
    included.set(other, new Uint8Array(text));
    return { file: other, text: text.toString() };
  };
  const read = readConfig(file, bytes.toString(), environment, commandLine, {
    ...context,
    open: openIncluded,
  });
  // An array of its own, which a thread can give away.
  return { ...read, bytes: new Uint8Array(bytes), files, included };
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

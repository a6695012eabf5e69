import { resolve } from "node:path";
import { SetupError } from "../../contract/setup-error.ts";
import { hostsAlone } from "../../platform/log/redact.ts";

const address = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A file that a setting names.
 * @param setting as messages name it
 * @param baseFolder relative paths count from here
 * @throws SetupError for an address, of which the message has the host alone: what is in it may be a secret
 */
export function localFile(setting: string, path: string, baseFolder: string): string {
  if (!address.test(path)) return resolve(baseFolder, path);
  throw new SetupError(
    `${setting} names ${hostsAlone(path)}, but takes a file on this machine; store it there and name its path.`,
  );
}

import type { ConfigPath } from "../document/config-document.ts";
import type { ProblemReport } from "../document/problem-report.ts";

/** Headers about the connection and the body, which are the transport's (RFC 9110, 7.6.1). */
const OF_TRANSPORT =
  /^(?:host|content-length|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|cookie)$/;
const VARIABLE = /os\.environ\/(\w+)/g;

/**
 * Headers of requests to an address of the configuration; `os.environ/NAME` within a text is that environment variable.
 * @returns names in small letters; what cannot be sent is left out and reported
 */
export function readHeaders(
  document: ProblemReport,
  headers: Readonly<Record<string, string>>,
  at: ConfigPath,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, given] of Object.entries(headers)) {
    const value = given.replace(VARIABLE, (_all, variable: string) => {
      const found = environment[variable];
      if (found === undefined)
        document.error([...at, name], `the environment variable ${variable} is not set`);
      return found ?? "";
    });
    const header = name.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || OF_TRANSPORT.test(header))
      document.error([...at, name], "is no header that a request to the target may have");
    else if (/[^\t\x20-\x7e]/.test(value)) document.error([...at, name], "expected visible ASCII characters");
    else read[header] = value;
  }
  return read;
}

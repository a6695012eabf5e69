import { parseArgs } from "node:util";
import { warmUp } from "./files/warm-up.ts";
import { productVersion, styleVersion } from "./mode/versions.ts";
import { createFormatServer } from "./server/server.ts";

const help = `Usage: jetblackd [OPTIONS]

Formats Python sources that editors post to it, by the protocol of blackd.

Options:
  --bind-host TEXT          Address to bind the server to.  [default: localhost]
  --bind-port INTEGER       Port to listen on.  [default: 45484]
  --cors-allow-origin TEXT  Origin allowed to call the server from a page. Can be given several times.
  --max-body-size INTEGER   Largest request body in bytes.  [default: 5242880]
  --version                 Show the version and exit.
  -h, --help                Show this message and exit.
`;

/** The command line of `jetblackd`; an unusable one ends with exit code 2. */
function main(): void {
  const { values } = readArguments();
  if (values.help) process.stdout.write(help);
  else if (values.version)
    process.stdout.write(`jetblackd, version ${productVersion} (Black ${styleVersion} style)\n`);
  else {
    const host = values["bind-host"];
    const port = integer("--bind-port", values["bind-port"], 0, 65535);
    const maxBodySize = integer("--max-body-size", values["max-body-size"], 1, 2 ** 31);
    const server = createFormatServer({ corsAllowOrigins: values["cors-allow-origin"], maxBodySize });
    server.on("error", (error) => fail(`cannot listen on ${host} port ${port}: ${error.message}`));
    server.listen(port, host, () => {
      const address = server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      process.stderr.write(`jetblackd version ${productVersion} listening on ${host} port ${actual}\n`);
      void warmUp();
    });
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.close());
  }
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        "bind-host": { type: "string", default: "localhost" },
        "bind-port": { type: "string", default: "45484" },
        "cors-allow-origin": { type: "string", multiple: true, default: [] },
        "max-body-size": { type: "string", default: String(5 * 1024 * 1024) },
        version: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function integer(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most)
    fail(`${flag}: '${text}' is not a whole number from ${least} to ${most}.`);
  return value;
}

function fail(message: string): never {
  process.stderr.write(`jetblackd: ${message}\nTry 'jetblackd --help' for help.\n`);
  process.exit(2);
}

main();

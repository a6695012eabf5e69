import { parseArgs } from "node:util";
import { providerPrefixes, startSimulator } from "./server.ts";

const USAGE = `portico-simulator [--port N] [--host H] [--json]

Plays AI model providers on their real wire formats. It answers until it is stopped.

  --port N   TCP port (default 4010; 0 takes a free one)
  --host H   address to listen on (default 127.0.0.1)
  --json     say where it is as JSON
  --help     this text
`;

/**
 * Runs the command line: starts a simulator, prints where it is and one request to try.
 * @param argv arguments after the command's name
 * @returns the exit code for a wrong or informational call, or undefined while the simulator runs
 */
export async function runSimulatorCommand(argv: readonly string[]): Promise<number | undefined> {
  let options: ReturnType<typeof parse>;
  try {
    options = parse(argv);
  } catch (error) {
    process.stderr.write(`${explained(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const port = Number(options.port ?? 4010);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    process.stderr.write(`--port must be a number from 0 to 65535, not ${options.port}\n`);
    return 2;
  }
  try {
    const simulator = await startSimulator({ port, host: options.host ?? "127.0.0.1" });
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      // Ends by closing, so that the temporary folder does not stay behind.
      process.once(signal, () => void simulator.close().then(() => process.exit(0)));
    }
    process.stdout.write(options.json ? place(simulator.url) : greeting(simulator.url));
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === "EADDRINUSE"
        ? `port ${port} is taken; choose another with --port, or --port 0 for a free one`
        : `cannot listen on port ${port}: ${message}`;
    process.stderr.write(`${reason}\n`);
    return 1;
  }
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      port: { type: "string" },
      host: { type: "string" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  }).values;
}

/** Where each provider is, for programs. */
function place(url: string): string {
  return `${JSON.stringify({ url, providers: providerPrefixes().map((prefix) => url + prefix) })}\n`;
}

/** Node's sentence about wrong arguments, with the first flag that begins with the unknown one's letter. */
function explained(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const unknown = /Unknown option '--(\w+)/.exec(text)?.[1];
  if (unknown === undefined) return text;
  const meant = ["port", "host", "json", "help"].find((name) => name[0] === unknown[0]);
  return `there is no flag --${unknown}${meant === undefined ? "" : ` (did you mean --${meant})`}`;
}

function greeting(url: string): string {
  const prefixes = providerPrefixes().map((prefix) => `  ${url}${prefix}\n`);
  return `Simulator listens on ${url}, any key is accepted.

${prefixes.join("")}
Try:
  curl ${url}/openai/v1/chat/completions -H 'authorization: Bearer any' -H 'content-type: application/json' \\
    -d '{"model":"gpt-4o","messages":[{"role":"user","content":"hello"}]}'
`;
}

import { warmUp } from "./files/warm-up.ts";
import { FramingError } from "./language-server/frame-reader.ts";
import { serve } from "./language-server/serve.ts";
import { productVersion, styleVersion } from "./mode/versions.ts";

const help = `Usage: jetblack-lsp [--stdio]

Formats Python documents for editors by the Language Server Protocol, over standard input and output.
Options come from the pyproject.toml of each document's project, as for jetblack.

Options:
  --stdio     The only way to be spoken to; the flag is accepted because editors pass it.
  --version   Show the version and exit.
  -h, --help  Show this message and exit.
`;

/** Flags that editors' client libraries add by themselves. */
const passedByClients = /^--(?:stdio|clientProcessId=\d+)$/;

/** The command line of `jetblack-lsp`; returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const unknown = args.find(
    (arg) => !passedByClients.test(arg) && !["--help", "-h", "--version"].includes(arg),
  );
  if (unknown !== undefined)
    return fail(`No such option '${unknown}'.\nTry 'jetblack-lsp --help' for help.`, 2);
  if (args.includes("--help") || args.includes("-h")) process.stdout.write(help);
  else if (args.includes("--version"))
    process.stdout.write(`jetblack-lsp, version ${productVersion} (Black ${styleVersion} style)\n`);
  else return await serveProcess();
  return 0;
}

async function serveProcess(): Promise<number> {
  // The editor has gone: there is nobody left to tell.
  process.stdout.on("error", () => process.exit(1));
  void warmUp();
  try {
    return await serve(process.stdin, process.stdout);
  } catch (error) {
    if (error instanceof FramingError) return fail(`the input cannot be read: ${error.message}`, 1);
    throw error;
  }
}

function fail(message: string, exitCode: 1 | 2): number {
  process.stderr.write(`jetblack-lsp: ${message}\n`);
  return exitCode;
}

process.exitCode = await main(process.argv.slice(2));
process.stdin.destroy();

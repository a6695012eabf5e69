import { ConfigError } from "../platform/config/problem.ts";
import { describeError } from "../platform/log/describe-error.ts";
import type { CreateGateway } from "./start-gateway.ts";
import { UsageError } from "./usage-error.ts";

type Command = (args: readonly string[]) => Promise<number | undefined>;

/** The commands by their first word, loaded when they are called; no word means to serve. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  batch: async () => (await import("./batch-command.ts")).batchCommand,
  keys: async () => (await import("./keys-command.ts")).keysCommand,
  verify: async () => (await import("./verify-command.ts")).verifyCommand,
  simulate: async () => (await import("./simulate-command.ts")).simulateCommand,
};

/**
 * Runs the command that the arguments name.
 * @param loadGateway loads the gateway itself; only commands that serve call it
 * @returns the exit code (0 done, 1 failed, 2 not understood), or nothing while the command goes on in the background
 */
export async function runCommand(
  args: readonly string[],
  loadGateway: () => Promise<CreateGateway>,
): Promise<number | undefined> {
  try {
    const [word = "", ...rest] = args;
    const named = Object.hasOwn(commands, word) ? commands[word] : undefined;
    if (named !== undefined) return await (await named())(rest);
    if (word !== "" && !word.startsWith("-"))
      throw new UsageError(`there is no command ${word}; there are ${Object.keys(commands).join(", ")}`);
    const { serveCommand } = await import("./serve-command.ts");
    return await serveCommand(args, loadGateway);
  } catch (error) {
    process.stderr.write(`portico: ${explain(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}. See portico --help.`;
  if (error instanceof ConfigError) return `the configuration cannot be used:\n${error.message}`;
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === "EADDRINUSE") return `port ${port} of ${address} is taken; choose another with --port`;
  if (code === "EACCES" && port !== undefined) return `port ${port} may not be used by this user; use --port`;
  return describeError(error);
}

import { nearestName } from "../util/nearest-name.ts";
import { explainError, UsageError } from "./explain-error.ts";
import type { CreateGateway } from "./start-gateway.ts";

type Command = (
  args: readonly string[],
  loadGateway: () => Promise<CreateGateway>,
) => Promise<number | undefined>;

/** The commands by their first word, loaded when they are called; no word means `serve`. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  batch: async () => (await import("./batch-command.ts")).batchCommand,
  import: async () => (await import("./import/import-command.ts")).importCommand,
  keys: async () => (await import("./keys-command.ts")).keysCommand,
  login: async () => (await import("./login-command.ts")).loginCommand,
  logout: async () => (await import("./login-command.ts")).logoutCommand,
  serve: async () => (await import("./serve-command.ts")).serveCommand,
  top: async () => (await import("./top-command.ts")).topCommand,
  verify: async () => (await import("./verify-command.ts")).verifyCommand,
  simulate: async () => (await import("portico-simulator")).runSimulatorCommand,
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
    if (named !== undefined) return await (await named())(rest, loadGateway);
    if (word !== "" && !word.startsWith("-")) throw unknownCommand(word);
    return await (await commands.serve!())(args, loadGateway);
  } catch (error) {
    process.stderr.write(
      `portico: ${explainError(error, debugs(args), Object.hasOwn(commands, args[0] ?? "") ? args[0] : "")}\n`,
    );
    return error instanceof UsageError ? 2 : 1;
  }
}

function unknownCommand(word: string): UsageError {
  const names = Object.keys(commands);
  if (/\.ya?ml$/.test(word))
    return new UsageError(`${word} is not a command; portico --config ${word} serves it`);
  const nearest = nearestName(word, names);
  const hint = nearest === undefined ? "" : ` (did you mean ${nearest})`;
  return new UsageError(`there is no command ${word}${hint}; there are ${names.join(", ")}`);
}

/** Whether somebody debugs: `--log-level debug` or `trace`. */
function debugs(args: readonly string[]): boolean {
  return /--log[-_]level[= ](?:debug|trace)/.test(args.join(" "));
}

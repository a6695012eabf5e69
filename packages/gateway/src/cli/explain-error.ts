import { SetupError } from "../contract/setup-error.ts";
import { ConfigError } from "../platform/config/problem.ts";
import { describeError } from "../platform/log/describe-error.ts";
import { redact } from "../platform/log/redact.ts";
import { databaseProblem } from "../platform/store/database-problem.ts";

/**
 * An error as the terminal shows it: one sentence that says what to do next.
 * @param withPlace adds the places in the program, for those who debug it
 * @param command the command that was called; none serves
 */
export function explainError(error: unknown, withPlace: boolean, command = ""): string {
  if (error instanceof UsageError)
    return `${sentence(error.message)} See portico ${command === "" ? "" : `${command} `}--help.`;
  if (error instanceof ConfigError) return `the configuration cannot be used:\n${error.message}`;
  if (error instanceof SetupError && !withPlace) return sentence(redact(error.message));
  const known = systemError(error as NodeJS.ErrnoException) ?? databaseProblem(error);
  if (known !== undefined && !withPlace) return sentence(known);
  if (withPlace) return describeError(error);
  // No other command has that flag.
  if (command !== "" && command !== "serve") return describeError(error);
  const { message } = error instanceof Error ? error : new Error(String(error));
  return `${sentence(redact(message))} --log-level debug shows where.`;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** What the system refused, in plain words (errno(3)). */
function systemError(error: NodeJS.ErrnoException & { port?: number; address?: string }): string | undefined {
  const { code, port, address, path } = error;
  if (code === "EADDRINUSE") return `port ${port} of ${address} is taken; choose another with --port`;
  if (code === "EADDRNOTAVAIL")
    return `this machine has no address ${address}; choose another with --host, or 0.0.0.0 for all`;
  if (code === "ENOTFOUND" && error.syscall === "getaddrinfo")
    return `the host ${(error as { hostname?: string }).hostname} is unknown; choose an address with --host`;
  if (code === "EACCES" && port !== undefined)
    return `port ${port} may not be used by this user; choose one above 1023 with --port`;
  if (path === undefined) return undefined;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return `${path} may not be written or read by this user; change its permissions, or name another folder with --data-dir`;
  if (code === "ENOTDIR" || code === "EEXIST")
    return `${path} leads through a file where a folder is needed; name another folder with --data-dir`;
  if (code === "ENOENT") return `there is no ${path}; make it, or name another folder with --data-dir`;
  if (code === "ENOSPC")
    return `the disk of ${path} is full; make room, or name another folder with --data-dir`;
  return undefined;
}

/** The command line cannot be understood; its message says what to write instead. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

import { openLog } from "../platform/log/logger.ts";
import { VERSION } from "../util/version.ts";
import { banner } from "./banner.ts";
import { parseServeOptions } from "./serve-options.ts";
import { type CreateGateway, startGateway } from "./start-gateway.ts";

/** `portico [flags]`: serves until SIGTERM or SIGINT, reloads on SIGHUP. Resolves with the exit code. */
export async function serveCommand(
  args: readonly string[],
  loadGateway: () => Promise<CreateGateway>,
): Promise<number> {
  const options = parseServeOptions(args, process.env);
  if (options === undefined) return 0;
  if (options.version) {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  const log = openLog(options.logLevel);
  try {
    const gateway = await startGateway(await loadGateway(), options, process.env, log.logger);
    // Whoever waits for the banner may send signals at once.
    process.on("SIGHUP", () => gateway.reload());
    const ended = endSignal();
    // The terminal, not the log: what is written here may show the generated key.
    process.stderr.write(banner(gateway, options.dataDirectory, process.stderr.isTTY === true));
    await ended;
    const running = gateway.runningCalls();
    log.logger.info({ running_calls: running }, "shutting down");
    if (running > 0 && process.stderr.isTTY === true)
      process.stderr.write(
        `${running === 1 ? "1 call is" : `${running} calls are`} running; Ctrl-C again ends at once\n`,
      );
    await gateway.close();
    return 0;
  } finally {
    log.flush();
  }
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (): void => {
      process.removeListener("SIGTERM", onSignal).removeListener("SIGINT", onSignal);
      resolve();
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });
}

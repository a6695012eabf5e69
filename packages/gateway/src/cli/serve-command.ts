import { join } from "node:path";
import { openLog } from "../platform/log/logger.ts";
import { VERSION } from "../util/version.ts";
import { parseServeOptions } from "./serve-options.ts";
import { type CreateGateway, type RunningGateway, startGateway } from "./start-gateway.ts";

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

/**
 * What the terminal shows when the gateway is ready.
 * @param onTerminal whether a person reads it: a key that was just generated is shown once, and to nobody else, since
 *   what goes to a file or a pipe ends in logs
 */
function banner(gateway: RunningGateway, dataDirectory: string, onTerminal: boolean): string {
  const file = join(dataDirectory, "master-key");
  const lines = [`Portico ${VERSION} is ready on ${gateway.url} (${listening(gateway.host)})`];
  if (gateway.simulatorUrl !== undefined)
    lines.push(
      "No configuration was given (--config FILE): the models of openai, azure, anthropic and google are simulated.",
    );
  if (gateway.keySource !== "configured") lines.push(keyLine(gateway, file, onTerminal));
  const key = gateway.keySource === "configured" ? "<YOUR MASTER KEY>" : `$(cat ${shellWord(file)})`;
  const model = gateway.simulatorUrl === undefined ? gateway.firstModel : "claude-sonnet-4-5";
  if (model === undefined) lines.push("The configuration has no models: add entries to model_list.");
  else
    lines.push(
      "Try it:",
      `  curl ${gateway.url}/v1/messages -H "authorization: Bearer ${key}" -H 'content-type: application/json' \\`,
      `    -d '${JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content: "Hello" }] }).replaceAll("'", "'\\''")}'`,
    );
  return `${lines.join("\n")}\n`;
}

function keyLine({ keySource, masterKey }: RunningGateway, file: string, onTerminal: boolean): string {
  if (keySource === "kept") return `The master key is kept in ${file}.`;
  const shown = onTerminal ? `: ${masterKey}` : ".";
  return `A master key was generated and is kept in ${file}${shown}`;
}

/** Who can reach the address. */
function listening(host: string): string {
  if (host === "0.0.0.0" || host === "::") return `listens on ${host}, every network of this machine`;
  if (host === "127.0.0.1" || host === "::1") return "listens on this machine only";
  return `listens on ${host}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

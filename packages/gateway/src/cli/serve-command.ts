import { join } from "node:path";
import { type Logger, openLog } from "../platform/log/logger.ts";
import { WORKER_VARIABLE } from "../platform/siblings/siblings.ts";
import { VERSION } from "../util/version.ts";
import { parseServeOptions, type ServeOptions } from "./serve-options.ts";
import { type CreateGateway, type RunningGateway, startGateway } from "./start-gateway.ts";
import { WorkerNotStarted } from "./workers/not-started.ts";
import type { Worker } from "./workers/worker.ts";

/** `portico [serve] [flags]`: serves until SIGTERM or SIGINT, reloads on SIGHUP. Resolves with the exit code. */
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
  const worker = await thisWorker();
  const log = openLog(
    options.logLevel,
    worker?.number ?? (options.workers > 1 ? 0 : undefined),
    options.json,
  );
  try {
    if (worker !== undefined) return await serveAsWorker(worker, await loadGateway(), options, log.logger);
    const gateway =
      options.workers > 1
        ? await (await import("./workers/start-workers.ts")).startWorkers(options, process.env, log.logger)
        : await startGateway(await loadGateway(), options, process.env, log.logger);
    // Whoever waits for the banner may send signals at once.
    process.on("SIGHUP", () => gateway.reload());
    const ended = endSignal(() => gateway.kill?.());
    // The terminal, not the log: what is written here may show the generated key.
    process.stderr.write(banner(gateway, options.dataDirectory, process.stderr.isTTY === true));
    await ended;
    const running = await gateway.runningCalls();
    log.logger.info({ running_calls: running }, "shutting down");
    if (running > 0 && process.stderr.isTTY === true)
      process.stderr.write(
        `${running === 1 ? "1 call is" : `${running} calls are`} running; Ctrl-C again ends at once\n`,
      );
    await gateway.close();
    return 0;
  } catch (error) {
    // The worker itself has said why.
    if (error instanceof WorkerNotStarted) return error.code;
    throw error;
  } finally {
    log.flush();
  }
}

/** This process as one of several workers, where it is one; single processes load nothing for it. */
async function thisWorker(): Promise<Worker | undefined> {
  if (process.env[WORKER_VARIABLE] === undefined) return undefined;
  return (await import("./workers/worker.ts")).openWorker(process.env);
}

/** Serves until the primary or a signal ends it. A terminal and service managers send their signals to all processes. */
async function serveAsWorker(
  worker: Worker,
  createGateway: CreateGateway,
  options: ServeOptions,
  logger: Logger,
): Promise<number> {
  const ended = endSignal(() => undefined);
  process.on("SIGHUP", () => undefined);
  const gateway = await startGateway(createGateway, options, process.env, logger, worker);
  await Promise.race([worker.serve(gateway), ended]);
  await gateway.close();
  return 0;
}

/**
 * Resolves at the first SIGTERM or SIGINT; a second one ends the process at once.
 * @param kill ends other processes of the gateway first
 */
function endSignal(kill: () => void): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals): void => {
      process.removeListener("SIGTERM", onSignal).removeListener("SIGINT", onSignal);
      const again = (): void => {
        kill();
        process.removeListener("SIGTERM", again).removeListener("SIGINT", again);
        process.kill(process.pid, signal);
      };
      process.once("SIGTERM", again).once("SIGINT", again);
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
  lines.push(`The console is at ${gateway.url}/ui; sign in with the master key or any other.`);
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

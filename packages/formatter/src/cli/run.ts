import { readFileSync } from "node:fs";
import { delayTurbofan } from "../concurrency/turbofan-delay.ts";
import { WorkerThreads } from "../concurrency/worker-threads.ts";
import { boundYoungSpace } from "../concurrency/young-space.ts";
import { Cache } from "../files/cache/cache.ts";
import { cacheFolder } from "../files/cache/cache-folder.ts";
import { DiscoveryError } from "../files/discover/discovery-error.ts";
import type { StreamResult } from "../files/format-stream.ts";
import type { Job } from "../files/job.ts";
import type { ProjectRoot } from "../mode/config/project-root.ts";
import type { RealPaths } from "../mode/config/real-paths.ts";
import type { Settings } from "../mode/config/settings.ts";
import { UsageError } from "../mode/config/usage-error.ts";
import { announce } from "./announce.ts";
import { findConflict, findRefusal } from "./check-settings.ts";
import { type CollectedFiles, collectFiles } from "./collect-files.ts";
import type { Console } from "./console.ts";
import { formatInputs } from "./format-inputs.ts";
import { PROGRAM, usageLine } from "./help.ts";
import { type LineRange, parseLineRanges } from "./line-ranges.ts";
import { type RunRequest, readSettings } from "./read-settings.ts";
import { Report } from "./report.ts";
import { type ReportedResult, renderMachineReport } from "./reports/machine-report.ts";
import { jobOfSettings } from "./run-job.ts";
import { chosenWorkerCount, workerCount } from "./worker-count.ts";

/** What a shell reports of a program that SIGINT ended: 128 and the signal's number. */
const INTERRUPTED = 130;

/** Fewer bytes than this are formatted sooner in one thread: each further one has to warm up by itself. */
const BYTES_WORTH_A_THREAD = 400_000;

/** To format so many bytes takes memory that is worth a bound. */
const BYTES_WORTH_A_BOUND = 2_000_000;

/** So little is formatted soon enough without any compiler. */
const BRIEF_BYTES = 20_000;

let isBrief = false;

/** Whether this run has little to format, from the time on that it begins to. */
export function isBriefRun(): boolean {
  return isBrief;
}

/**
 * One run of the command line.
 *
 * @param workerModule what further threads load.
 * @returns the exit code.
 */
export async function run(
  args: readonly string[],
  console: Console,
  workerModule: string | URL,
): Promise<number> {
  try {
    const request = readSettings(args);
    if (request.kind === "text") {
      console.output(request.text);
      return 0;
    }
    return await runSettings(request, console, workerModule);
  } catch (error) {
    if (error instanceof UsageError) {
      const usage = error.showsUsage ? `${usageLine}\nTry '${PROGRAM} --help' for help.\n\n` : "";
      console.message(`${usage}Error: ${error.message}`);
      return error.exitCode;
    }
    if (error instanceof DiscoveryError) {
      console.message(error.message, "red");
      return 1;
    }
    throw error;
  }
}

async function runSettings(
  { settings, root, realPaths }: RunRequest,
  console: Console,
  workerModule: string | URL,
): Promise<number> {
  const conflict = findConflict(settings);
  if (conflict !== undefined) {
    console.message(conflict.message, conflict.style);
    return 1;
  }
  if (settings.verbose) announce(settings, root, console);
  const refusal = findRefusal(settings);
  const lineRanges = parseLineRanges(settings.lineRanges);
  if (refusal !== undefined || typeof lineRanges === "string") {
    console.message(refusal?.message ?? (lineRanges as string), "red");
    return 1;
  }
  const quiet = settings.quiet || settings.code !== undefined;
  const report = new Report(console, { ...settings, quiet });
  const job = jobOfSettings(settings, lineRanges);
  if (settings.code !== undefined) {
    const { formatCode } = await import("../files/formatting.ts");
    noteStream(formatCode(settings.code, job), "<string>", settings, report, console);
  } else {
    const refused = await runFiles({
      settings,
      root,
      realPaths,
      console,
      report,
      job,
      lineRanges,
      workerModule,
    });
    if (refused !== undefined) return refused;
  }
  return conclude(settings, quiet, report, console);
}

interface FileRun {
  readonly settings: Settings;
  readonly root: ProjectRoot | undefined;
  readonly realPaths: RealPaths;
  readonly console: Console;
  readonly report: Report;
  readonly job: Job;
  readonly lineRanges: readonly LineRange[];
  readonly workerModule: string | URL;
}

/** Returns an exit code when the run ends before its summary. */
async function runFiles(run: FileRun): Promise<number | undefined> {
  const { settings, root, console, report, job } = run;
  const threads = new WorkerThreads(run.workerModule);
  try {
    const cache = openCache(settings, [job.mode, settings.pythonCellMagics, root?.path]);
    const collected = collectFiles(settings, root, run.realPaths, cache, report, console, (bytes, count) => {
      // This thread takes a file, too.
      const wanted = Math.min(Math.floor(bytes / BYTES_WORTH_A_THREAD), count - 1);
      if (wanted > threads.count) threads.start(Math.min(wanted, workerCount(settings.workers, bytes) - 1));
    });
    const { files } = collected;
    const save = (): void => {
      cache?.save();
      for (const memory of collected.memories) memory.save();
    };
    const count = files.length + collected.unnamed;
    if (count === 0) {
      save();
      return endEmpty(settings, report, console);
    }
    const name = count === 1 ? files[0]?.stdinName : undefined;
    if (name !== undefined) {
      const { formatStdin } = await import("../files/formatting.ts");
      noteStream(formatStdin(readFileSync(0), name, job), name, settings, report, console);
    } else {
      if (count > 1 && run.lineRanges.length > 0) {
        console.message("Cannot use --line-ranges to format multiple files.", "red");
        return 1;
      }
      if (count > 1) chosenWorkerCount(settings.workers);
      const skipped = await runMany(collected, run, threads, cache);
      if (skipped > 0) {
        save();
        console.message(`Aborted! ${report.summary(skipped)}`, "red");
        return INTERRUPTED;
      }
    }
    save();
    return undefined;
  } finally {
    await threads.end();
  }
}

/** Prints what came of each file and returns how many an interruption left out. */
async function runMany(
  { files, unnamed }: CollectedFiles,
  { settings, console, report, job }: FileRun,
  threads: WorkerThreads,
  cache: Cache | undefined,
): Promise<number> {
  report.same += unnamed;
  const bytes = files.reduce((sum, { known, size }) => (known === undefined ? sum + size : sum), 0);
  isBrief = bytes < BRIEF_BYTES;
  if (bytes >= BYTES_WORTH_A_THREAD) {
    // V8 takes stored code only as long as its options are those under which it was stored.
    await import("../files/formatting.ts");
    delayTurbofan();
    if (bytes >= BYTES_WORTH_A_BOUND) boundYoungSpace();
  }
  const { results, skipped } = await formatInputs(files, job, threads, cache, !settings.quiet);
  for (const { file, result } of results) if (result.kind === "cached") report.done(file.path, "cached");
  for (const { file, result } of results) {
    if (result.kind === "cached") continue;
    if (result.kind === "failed") report.failed(result.message);
    else {
      if (result.diff !== undefined) showDiff(result.diff, settings, console);
      report.done(file.path, result.kind);
    }
  }
  showReport(results, skipped > 0 ? INTERRUPTED : report.exitCode, settings, console, true);
  return skipped;
}

/** Beside a document for programs there is no room on standard output. */
function showDiff(diff: Uint8Array, { report }: Settings, console: Console): void {
  if (report === "text" || report === "github") console.output(diff);
  else console.message(new TextDecoder().decode(diff).trimEnd());
}

function openCache(settings: Settings, key: unknown): Cache | undefined {
  return settings.noCache || settings.diff ? undefined : new Cache(cacheFolder(settings.cacheDir), key);
}

/** What came of standard input or `--code`; `--check` keeps the source off standard output. */
function noteStream(
  { output, result }: StreamResult,
  path: string,
  settings: Settings,
  report: Report,
  console: Console,
): void {
  console.output(output);
  if (result.kind === "failed") report.failed(result.message);
  else report.done(path, result.kind);
  const isOutputFree = settings.check && !settings.diff;
  showReport([{ file: { path }, result }], report.exitCode, settings, console, isOutputFree);
}

/** The report for programs, on standard error where standard output has the source. */
function showReport(
  results: readonly ReportedResult[],
  exitCode: number,
  settings: Settings,
  console: Console,
  isOutputFree: boolean,
): void {
  if (settings.report === "text") return;
  const isDry = settings.check || settings.diff;
  const text = renderMachineReport(settings.report, results, isDry, exitCode);
  if (isOutputFree) console.output(text);
  else if (text !== "") console.message(text.trimEnd());
}

function endEmpty(settings: Settings, report: Report, console: Console): number {
  if (settings.verbose || !settings.quiet)
    console.message("No Python files are present to be formatted. Nothing to do 😴", "bold");
  const isEchoed = settings.sources.includes("-");
  if (isEchoed) console.output(readFileSync(0));
  // Whoever reads the document wants one also of a run without files: nothing at all is neither JSON nor XML.
  showReport([], 0, settings, console, !isEchoed);
  const githubOutput = process.env.GITHUB_OUTPUT;
  if (githubOutput !== undefined) report.writeGithubOutputs(githubOutput);
  return 0;
}

function conclude(settings: Settings, quiet: boolean, report: Report, console: Console): number {
  const isCode = settings.code !== undefined;
  if (settings.verbose || !quiet) {
    if (!isCode && (settings.verbose || report.changed > 0 || report.failures > 0)) console.message("");
    console.message(report.exitCode === 0 ? "All done! ✨ 🍰 ✨" : "Oh no! 💥 💔 💥", "bold");
    if (!isCode) console.message(report.summary());
  }
  const githubOutput = process.env.GITHUB_OUTPUT;
  if (githubOutput !== undefined) report.writeGithubOutputs(githubOutput);
  return report.exitCode;
}

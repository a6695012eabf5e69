import { SharedCounter } from "../concurrency/shared-counter.ts";
import type { WorkerThreads } from "../concurrency/worker-threads.ts";
import type { Cache } from "../files/cache/cache.ts";
import type { FileResult, Job } from "../files/job.ts";
import type { InputFile } from "./collect-files.ts";
import { Progress } from "./progress.ts";

/** A file and what came of it. */
export interface InputResult {
  readonly file: InputFile;
  readonly result: FileResult | { readonly kind: "cached" };
}

/** What came of a run over files. */
export interface InputResults {
  readonly results: readonly InputResult[];
  /** Files that an interruption left out. */
  readonly skipped: number;
}

/** So many files take about as long to format as it does to load what makes digests. */
const FILES_WORTH_DIGESTS = 30;

/**
 * Formats the files, each once even if named twice, and tells what is known of them. Results are in the files' order.
 * Ctrl-C lets the files that are being formatted be finished, a second one ends the process at once.
 * The formatter itself is loaded only when a file needs it: a run over a tree that the cache knows does not wait for it.
 */
export async function formatInputs(
  files: readonly InputFile[],
  job: Job,
  threads: WorkerThreads,
  cache: Cache | undefined,
  showsProgress: boolean,
): Promise<InputResults> {
  const results = new Array<InputResult["result"] | undefined>(files.length);
  const firstOf = new Map<string, number>();
  const pending: number[] = [];
  files.forEach((file, index) => {
    if (file.known === "formatted") results[index] = { kind: "cached" };
    else if (file.known !== undefined) results[index] = { kind: "failed", ...file.known };
    else if (!firstOf.has(file.absolute)) {
      firstOf.set(file.absolute, index);
      pending.push(index);
    }
  });
  pending.sort((a, b) => files[b]!.size - files[a]!.size);
  if (pending.length === 0) return withRepeats(files, results, firstOf);
  const { formatFile, formatMany } = await import("../files/formatting.ts");
  const progress = new Progress(pending.length, showsProgress);
  const paths = pending.map((index) => files[index]!.path);
  const jobOfFile = { ...job, wantsDigests: pending.length >= FILES_WORTH_DIGESTS };
  const counter = new SharedCounter();
  const interrupt = (): void => counter.stop();
  process.once("SIGINT", interrupt);
  await formatMany(
    paths,
    jobOfFile,
    threads,
    (position, result) => {
      const index = pending[position]!;
      results[index] = result;
      remember(cache, files[index]!, result, job);
      progress.advance();
    },
    counter,
  );
  process.off("SIGINT", interrupt);
  // Of a file that is named twice, each message has the name it was given there.
  files.forEach((file, index) => {
    const first = results[firstOf.get(file.absolute) ?? index];
    if (results[index] === undefined && first?.kind === "failed" && !counter.isStopped)
      results[index] = formatFile(file.path, jobOfFile);
  });
  progress.end();
  return withRepeats(files, results, firstOf);
}

/** Files with their results; what was named twice has that of its first mention. */
function withRepeats(
  files: readonly InputFile[],
  results: readonly (InputResult["result"] | undefined)[],
  firstOf: ReadonlyMap<string, number>,
): InputResults {
  const all = files.flatMap((file, index): InputResult[] => {
    const result = results[index] ?? repeatOf(results[firstOf.get(file.absolute)!]);
    return result === undefined ? [] : [{ file, result }];
  });
  return { results: all, skipped: files.length - all.length };
}

/** The second mention of a file finds it already formatted. */
function repeatOf(first: InputResult["result"] | undefined): InputResult["result"] | undefined {
  return first?.kind === "changed" ? { kind: "unchanged" } : first;
}

function remember(cache: Cache | undefined, file: InputFile, result: FileResult, job: Job): void {
  if (result.record === undefined) return;
  if (job.writeBack === "write" || result.kind !== "changed") cache?.add(file.absolute, result.record);
}

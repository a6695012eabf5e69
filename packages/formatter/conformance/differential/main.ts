import { randomInt } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BLACK_VERSION, NoBlackError } from "../black.ts";
import { findings } from "./findings.ts";
import { type RunResult, run } from "./run.ts";

const HELP = `Makes programs, stubs and notebook cells at random and compares this formatter with Black ${BLACK_VERSION}, both by
their command lines' own path: the safety check on unless the case says --fast, every option, line ranges. Texts must be
equal byte for byte, refusals in kind, line, column and sentence. What differs is reduced and written out.

  --count N       cases to compare (default: as many as the time allows)
  --seconds N     when to stop (default 60, with --count never)
  --seed N        which cases (default: another one in every run; it is printed)
  --start N       number of the first case (default 0)
  --folder DIR    edit statements of these modules (default: the standard library of the Python that runs Black)
  --maker NAME    only cases of this maker (repeatable; see oracle/cases.py)
  --finding NAME  only cases of the makers for the class of one finding, or of each in turn with "all":
                  ${findings.map(({ name }) => name).join(", ")}
  --found DIR     where reduced cases are written (default: a folder for temporary files)
  --outputs       succeed where refusals differ in words or place only; they are counted all the same
  --examples N    cases to reduce of each group of differences (default 3)
`;

/** Nothing was compared, because Black cannot be had (sysexits.h: EX_UNAVAILABLE). */
const EX_UNAVAILABLE = 69;

const { values } = parseArgs({
  options: {
    count: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string" },
    start: { type: "string", default: "0" },
    folder: { type: "string", default: "" },
    maker: { type: "string", multiple: true, default: [] },
    finding: { type: "string" },
    found: { type: "string", default: join(tmpdir(), "jetblack-found") },
    outputs: { type: "boolean", default: false },
    examples: { type: "string", default: "3" },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** Ctrl-C has a run report what it has compared. */
const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Whether both refuse, by the same check or by another. */
function isBetweenRefusals(group: string): boolean {
  const sides = group.split(", here ");
  return sides.length === 2 && !sides.includes("formats");
}

function report(result: RunResult, seed: number): void {
  const { compared, refused, known, made, groups, python, slowestMs } = result;
  let different = 0;
  let faults = 0;
  const ranked = [...groups].sort((a, b) => b[1].count - a[1].count);
  for (const [name, { count, examples }] of ranked) {
    different += count;
    if (!values.outputs || !isBetweenRefusals(name)) faults += count;
    print(
      `${String(count).padStart(7)}  ${name}  (cases ${examples.map(({ number }) => number).join(", ")})`,
    );
  }
  for (const [name, count] of Object.entries(known))
    print(`${String(count).padStart(7)}  documented: ${name}`);
  const counts = Object.entries(made).map(([maker, count]) => `${maker} ${count}`);
  print(`made: ${counts.sort().join(", ")}`);
  print(
    `seed ${seed}: ${compared} cases, of which Black (Python ${python}) refuses ${refused}; ` +
      `${different} differ; slowest ${slowestMs.toFixed(0)} ms`,
  );
  if (faults > 0) process.exitCode = 1;
}

async function compare(makers: readonly string[]): Promise<void> {
  const seed = values.seed === undefined ? randomInt(1 << 30) : Number(values.seed);
  print(`seed ${seed}`);
  const seconds = values.seconds ?? (values.count === undefined ? "60" : "Infinity");
  const result = await run(
    {
      folder: values.folder,
      seed,
      start: Number(values.start),
      count: Number(values.count ?? "Infinity"),
      seconds: Number(seconds),
      makers,
      found: values.found,
      examples: Number(values.examples),
      signal: interrupted.signal,
    },
    print,
  );
  report(result, seed);
}

async function main(): Promise<void> {
  if (values.finding === undefined) return await compare(values.maker);
  const chosen = findings.filter(({ name }) => values.finding === "all" || values.finding === name);
  if (chosen.length === 0) throw new Error(`no finding is called "${values.finding}"`);
  for (const { name, about, makers } of chosen) {
    if (interrupted.signal.aborted) return;
    print(`${name}: ${about}`);
    await compare(makers);
  }
}

if (values.help) process.stdout.write(HELP);
else {
  await main().catch((error: unknown) => {
    if (!(error instanceof NoBlackError)) throw error;
    print(`!!! NOT COMPARED WITH BLACK: ${error.message}`);
    process.exitCode = EX_UNAVAILABLE;
  });
}

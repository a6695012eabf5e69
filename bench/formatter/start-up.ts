// `npm run bench:start-up`: what it takes until five lines are formatted, by each way to get Jetblack, beside Ruff and Black.
// It builds the wheel and the executable of every system first, and writes docs/formatter/start-up.md (another file with
// --output). Exits with 1 when a limit is not kept.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BLACK_VERSION, pythonEnvironment } from "../../packages/formatter/conformance/black.ts";
import { buildWheel } from "../../packages/formatter/conformance/build-wheel.ts";
import { type Executable, makeExecutables } from "../../packages/formatter/executables/make.ts";
import { ownTarget, targets } from "../../packages/formatter/executables/targets.ts";
import { median } from "../statistics.ts";
import { type Contestant, emptyContestant, quickContestants } from "./contestants.ts";
import { daemonLatency } from "./daemon-latency.ts";
import { interleave } from "./interleave.ts";
import type { Timing } from "./measure.ts";
import { brokenPromises, type Promised, promiseTable } from "./promises.ts";
import { functionTable, timeFormatStr } from "./python-functions.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "25" },
    output: {
      type: "string",
      default: fileURLToPath(new URL("../../docs/formatter/start-up.md", import.meta.url)),
    },
  },
});
const SOURCE = "import os\n\n\ndef main( ):\n    print( os.getcwd() )\n";
const SINGLE_FILE = "Jetblack, single file";
const FUNCTION = "jetblack.format_str";

const load = loadavg()[0]!;
const work = mkdtempSync(join(tmpdir(), "jetblack-start-up-"));
try {
  const file = join(work, "small.py");
  writeFileSync(file, SOURCE);
  const black = pythonEnvironment(`black-${BLACK_VERSION}`, [`black==${BLACK_VERSION}`]);
  const ours = installWheel(join(work, "wheel"));
  const executables = makeExecutables(targets);
  const contestants = commandsOf(black, ours, executables);
  // Each once, for what they keep after their first run.
  interleave(contestants, file, 1);
  const commands = interleave(contestants, file, Number(values.runs));
  const daemons = await daemonLatency(new Map([["five lines", SOURCE]]));
  const functions = new Map([
    [FUNCTION, timeFormatStr(ours, "jetblack", SOURCE)],
    ["black.format_str", timeFormatStr(black, "black", SOURCE)],
  ]);
  const promises: Promised[] = [
    { what: "a single file's time, Ruff's = 1", measured: ratio(commands), atMost: 3, unit: "times" },
    {
      what: `a call of \`${FUNCTION}\``,
      measured: Number(functions.get(FUNCTION)!.median),
      atMost: 3,
      unit: "ms",
    },
    ...executables.map(({ name, bytes }) => ({
      what: `\`${name}\``,
      measured: bytes / 1e6,
      atMost: 120,
      unit: "MB",
    })),
  ];
  const page = `# Until five lines are formatted

Made by \`npm run bench:start-up\`: medians of runs that take turns, safety check on. Machine: ${availableParallelism()} cores, Node.js ${process.versions.node}, load average ${load.toFixed(1)} before the command began.

## Limits

${promiseTable(promises)}

## Commands

${table(commands, "ms")}

## Daemons

One request at a time over a connection that is kept:

${daemons}

## Functions in Python

\`format_str\` in a program that has imported it:

${functionTable(functions)}
`;
  writeFileSync(values.output, page);
  process.stdout.write(page);
  for (const { what } of brokenPromises(promises)) {
    process.stderr.write(`bench:start-up: ${what} is over its limit\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** A virtual environment with the wheel; returns its folder of programs. */
function installWheel(folder: string): string {
  const { wheel } = buildWheel(join(work, "dist"));
  execFileSync("python3", ["-m", "venv", folder]);
  const bin = join(folder, "bin");
  execFileSync(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", wheel]);
  return bin;
}

function commandsOf(black: string, wheel: string, executables: readonly Executable[]): Contestant[] {
  const flags = ["--check", "-q", "--no-cache"];
  const fromNpm = fileURLToPath(new URL("../../packages/formatter/bin/jetblack.cjs", import.meta.url));
  const own = executables.find(({ name }) => name === `jetblack-${ownTarget().name}`)!;
  return [
    quickContestants()[0]!,
    emptyContestant(),
    { name: SINGLE_FILE, command: [own.path, ...flags] },
    { name: "Jetblack from npm", command: [process.execPath, fromNpm, ...flags] },
    { name: "Jetblack from the wheel", command: [join(wheel, "jetblack"), ...flags] },
    { name: "Jetblack by python -m", command: [join(wheel, "python"), "-m", "jetblack", ...flags] },
    { name: `Black ${BLACK_VERSION}`, command: [join(black, "black"), ...flags] },
  ];
}

/** The single file's median time, as a multiple of Ruff's. */
function ratio(commands: ReadonlyMap<string, readonly Timing[]>): number {
  const wall = (timings: readonly Timing[]): number => median(timings.map((timing) => timing.wall));
  return wall(commands.get(SINGLE_FILE)!) / wall([...commands.values()][0]!);
}

// `npm run bench:start-up`: what it takes until five lines are formatted, by each way to get Jetblack, beside Ruff and Black.
// It builds the wheel and the single file first, and writes docs/formatter/start-up.md (another file with --output).
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BLACK_VERSION, pythonEnvironment } from "../../packages/formatter/conformance/black.ts";
import { buildWheel } from "../../packages/formatter/conformance/build-wheel.ts";
import { makeOwnExecutable } from "../../packages/formatter/executables/make.ts";
import { type Contestant, emptyContestant, quickContestants } from "./contestants.ts";
import { daemonLatency } from "./daemon-latency.ts";
import { interleave } from "./interleave.ts";
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
const CALLS = 200;

const work = mkdtempSync(join(tmpdir(), "jetblack-start-up-"));
try {
  const file = join(work, "small.py");
  writeFileSync(file, SOURCE);
  const black = pythonEnvironment(`black-${BLACK_VERSION}`, [`black==${BLACK_VERSION}`]);
  const ours = installWheel(join(work, "wheel"));
  const contestants = commandsOf(black, ours);
  // Each once, for what they keep after their first run.
  interleave(contestants, file, 1);
  const sections = [
    `# Until five lines are formatted\n\nMade by \`npm run bench:start-up\`: medians of runs that take turns, safety check on. Machine: ${availableParallelism()} cores, Node.js ${process.versions.node}.`,
    `## Commands\n\n${table(interleave(contestants, file, Number(values.runs)))}`,
    `## Daemons\n\nOne request at a time over a connection that is kept:\n\n${await daemonLatency(new Map([["five lines", SOURCE]]))}`,
    `## Functions in Python\n\n\`format_str\` in a program that has imported it:\n\n${functions(black, ours)}`,
  ];
  writeFileSync(values.output, `${sections.join("\n\n")}\n`);
  process.stdout.write(`${sections.join("\n\n")}\n`);
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

function commandsOf(black: string, wheel: string): Contestant[] {
  const flags = ["--check", "-q", "--no-cache"];
  const fromNpm = fileURLToPath(new URL("../../packages/formatter/bin/jetblack.cjs", import.meta.url));
  return [
    quickContestants()[0]!,
    emptyContestant(),
    { name: "Jetblack, single file", command: [makeOwnExecutable().path, ...flags] },
    { name: "Jetblack from npm", command: [process.execPath, fromNpm, ...flags] },
    { name: "Jetblack from the wheel", command: [join(wheel, "jetblack"), ...flags] },
    { name: "Jetblack by python -m", command: [join(wheel, "python"), "-m", "jetblack", ...flags] },
    { name: `Black ${BLACK_VERSION}`, command: [join(black, "black"), ...flags] },
  ];
}

/** Milliseconds of a call of `format_str`: the first one, which starts what it needs, and the others. */
function functions(black: string, wheel: string): string {
  const program = `
import statistics, sys, time
module = __import__(sys.argv[1])
times = []
for count in range(${CALLS}):
    source = sys.argv[2] + f"# {count}\\n"
    start = time.perf_counter()
    module.format_str(source, mode=module.Mode())
    times.append((time.perf_counter() - start) * 1000)
times[1:] = sorted(times[1:])
print("%.2f | %.2f | %.2f" % (times[0], statistics.median(times[1:]), times[int(len(times) * 0.95)]))
`;
  const rows = [
    { name: "jetblack", bin: wheel },
    { name: "black", bin: black },
  ].map(({ name, bin }) => {
    const args = ["-c", program, name, SOURCE];
    return `| ${name}.format_str | ${execFileSync(join(bin, "python"), args, { encoding: "utf8" }).trim()} |`;
  });
  const head = `| function | first, ms | median of ${CALLS - 1}, ms | 95th percentile, ms |`;
  return [head, "|---|---|---|---|", ...rows].join("\n");
}

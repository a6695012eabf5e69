import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { SearchLog } from "./log.ts";
import { search } from "./search.ts";
import { styles } from "./shapes.ts";
import { Stopwatch } from "./stopwatch.ts";

const HELP = `Looks for inputs that take long: texts of one shape each, in one of eight styles after the other, those that take the
most different paths first. 4 KB of each; 2 KB too where 4 KB take more than a few milliseconds, and 16 KB and then 100 KB
where the time grows so fast that they may take long.
Ends with 1 when 4 KB take more than 1 s of CPU time, or 100 KB more than 10 s.

  --seconds N   when to stop (default: when all combinations have been tried)
  --threads N   how many are measured at the same time (default: one for each core)
  --only TEXT   only shapes whose name holds this
  --style NAME  only this style; may be given several times
  --log FILE    keep what has been measured there, and go on where an earlier run with that file ended
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "Infinity" },
    threads: { type: "string", default: String(availableParallelism()) },
    only: { type: "string", default: "" },
    style: { type: "string", multiple: true, default: [] },
    log: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Those that were asked for, or all of them. */
function chosenStyles(): readonly string[] {
  const unknown = values.style.filter((name) => !(name in styles));
  if (unknown.length > 0)
    throw new Error(`no such style: ${unknown[0]}; there are ${Object.keys(styles).join(", ")}`);
  return Object.keys(styles).filter((name) => values.style.length === 0 || values.style.includes(name));
}

async function main(): Promise<void> {
  const stopwatches = Array.from({ length: Math.max(1, Number(values.threads)) }, () => new Stopwatch());
  const until = Date.now() + Number(values.seconds) * 1000;
  const log = new SearchLog(values.log);
  const found = await search(values.only, chosenStyles(), { until, log, stopwatches, onProgress: print });
  await Promise.all(stopwatches.map((stopwatch) => stopwatch.end()));
  const { shapes, refused, small, suspicious, large, slow } = found;
  print(
    `${shapes} shapes, ${refused} of them no Python; ${small} measured in small sizes, each style for itself; ` +
      `${large} of ${suspicious} suspicious ones in large sizes: ${slow.length} too slow`,
  );
  if (slow.length > 0) process.exitCode = 1;
}

if (values.help) process.stdout.write(HELP);
else await main();

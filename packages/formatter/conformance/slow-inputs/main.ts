import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { SearchLog } from "./log.ts";
import { search } from "./search.ts";
import { Stopwatch } from "./stopwatch.ts";

const HELP = `Looks for inputs that take long: texts of one shape each, in eight styles, first 2 KB and 8 KB of each; 4 KB where
2 KB take long, and 32 KB and then 100 KB where the time grows so fast that they may.
Ends with 1 when 4 KB take more than 1 s of CPU time, or 100 KB more than 10 s.

  --seconds N   when to stop (default: when all combinations have been tried)
  --threads N   how many are measured at the same time (default: one for each core)
  --only TEXT   only shapes whose name holds this
  --log FILE    keep what has been measured there, and go on where an earlier run with that file ended
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "Infinity" },
    threads: { type: "string", default: String(availableParallelism()) },
    only: { type: "string", default: "" },
    log: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
  const stopwatches = Array.from({ length: Math.max(1, Number(values.threads)) }, () => new Stopwatch());
  const until = Date.now() + Number(values.seconds) * 1000;
  const log = new SearchLog(values.log);
  const found = await search(values.only, { until, log, stopwatches, onProgress: print });
  await Promise.all(stopwatches.map((stopwatch) => stopwatch.end()));
  const { total, small, refused, suspicious, large, slow } = found;
  print(
    `${small} of ${total} shapes in small sizes, ${refused} of them no Python; ` +
      `${large} of ${suspicious} suspicious styles in large ones: ${slow.length} too slow`,
  );
  if (slow.length > 0) process.exitCode = 1;
}

if (values.help) process.stdout.write(HELP);
else await main();

import { parseArgs } from "node:util";
import { SearchLog } from "./log.ts";
import { search } from "./search.ts";
import { Stopwatch } from "./stopwatch.ts";

const HELP = `Looks for inputs that take long: texts of one shape each, in six styles, first 4 KB and 16 KB of each. 100 KB are tried
of those whose time grows by more than 2.6 when the text doubles, or that are slow already.
Ends with 1 when 4 KB take more than 1 s of CPU time, or 100 KB more than 10 s.

  --seconds N   when to stop (default: when all combinations have been tried)
  --only TEXT   only shapes whose name holds this
  --log FILE    keep what has been measured there, and go on where an earlier run with that file ended
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "Infinity" },
    only: { type: "string", default: "" },
    log: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<void> {
  const stopwatch = new Stopwatch();
  const until = Date.now() + Number(values.seconds) * 1000;
  const found = await search(values.only, until, new SearchLog(values.log), stopwatch, print);
  await stopwatch.end();
  const { total, small, suspicious, large, slow } = found;
  print(
    `${small} of ${total} in 4 and 16 KB, ${large} of ${suspicious} suspicious ones in 100 KB: ${slow.length} too slow`,
  );
  if (slow.length > 0) process.exitCode = 1;
}

if (values.help) process.stdout.write(HELP);
else await main();

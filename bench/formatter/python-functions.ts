import { execFileSync } from "node:child_process";
import { join } from "node:path";

const CALLS = 200;

const PROGRAM = `
import statistics, sys, time
module = __import__(sys.argv[1])
times = []
for count in range(${CALLS}):
    source = sys.argv[2] + f"# {count}\\n"
    start = time.perf_counter()
    module.format_str(source, mode=module.Mode())
    times.append((time.perf_counter() - start) * 1000)
times[1:] = sorted(times[1:])
print("%.2f|%.2f|%.2f" % (times[0], statistics.median(times[1:]), times[int(len(times) * 0.95)]))
`;

/** Milliseconds of a call of `format_str`: the first one, which starts what it needs, and the others. */
export interface CallTimes {
  readonly first: string;
  readonly median: string;
  readonly most: string;
}

/**
 * Calls the function of a package in a program that has imported it.
 *
 * @param bin folder of programs of the virtual environment that has the package
 */
export function timeFormatStr(bin: string, module: string, source: string): CallTimes {
  const said = execFileSync(join(bin, "python"), ["-c", PROGRAM, module, source], { encoding: "utf8" });
  const [first = "", median = "", most = ""] = said.trim().split("|");
  return { first, median, most };
}

/** The times of each function as a table in Markdown. */
export function functionTable(times: ReadonlyMap<string, CallTimes>): string {
  const rows = [...times].map(
    ([name, { first, median, most }]) => `| ${name} | ${first} | ${median} | ${most} |`,
  );
  const head = `| function | first, ms | median of ${CALLS - 1}, ms | 95th percentile, ms |`;
  return [head, "|---|---|---|---|", ...rows].join("\n");
}

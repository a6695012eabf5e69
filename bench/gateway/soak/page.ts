import { cpus, loadavg } from "node:os";
import type { LoopDelay } from "../loop-delay.ts";

/** What was seen after so many requests. */
export interface SoakSample {
  readonly requests: number;
  readonly residentMegabytes: number;
  /** Of the requests since the sample before. */
  readonly delay: LoopDelay;
}

/** How resident memory changed after so many requests, in per cent: until the end, and where it was highest. */
export interface SoakGrowth {
  readonly after: number;
  readonly atEnd: number;
  readonly highest: number;
}

/** The heading of the part; `bench/charts` finds its table by it. */
export const SOAK_HEADING = "Memory and event loop over many requests";

/** The part of the page of benchmarks that the soak writes. */
export function soakPart(samples: readonly SoakSample[], growth: SoakGrowth, date: Date): string {
  const last = samples.at(-1)!;
  const rows = samples.map(({ requests, residentMegabytes, delay }) =>
    [requests, residentMegabytes.toFixed(0), delay.since.p99.toFixed(1), delay.since.p999.toFixed(1)].join(
      " | ",
    ),
  );
  return `
## ${SOAK_HEADING}

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="soak-dark.svg">
  <img alt="Resident memory and the 99.9th percentile of the event loop's delay over ${last.requests.toLocaleString("en-US")} requests; the table below has the figures" src="soak-light.svg">
</picture>

Written by \`npm run soak:gateway -- --requests ${last.requests} --output docs/gateway/benchmarks.md\` on ${date.toISOString().slice(0, 10)},
Node.js ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown CPU"}, load average at the end ${loadavg()[0]!.toFixed(1)}. Whole answers, streams, callers that leave in the
middle of a stream or before the answer, and provider errors in turns, 24 at a time, as fast as the gateway takes them; callers
and provider share the machine with it. Beside what it was after ${growth.after.toLocaleString("en-US")} requests, the gateway's resident memory changed by ${growth.atEnd.toFixed(1)} %
until the end, and by ${growth.highest.toFixed(1)} % where it was highest. Timers on its main thread came late by ${last.delay.all.p99.toFixed(1)} ms at the 99th percentile of the whole run, ${last.delay.all.p999.toFixed(1)} ms at the 99.9th and ${last.delay.all.max.toFixed(0)} ms
at the most.

| Requests | resident MiB | delay p99 ms | delay p99.9 ms |
| ---: | ---: | ---: | ---: |
${rows.map((row) => `| ${row} |`).join("\n")}
`;
}

/** The page with another part of the soak's; the rest stays as it is. */
export function withSoakPart(page: string, part: string): string {
  const start = page.indexOf(`\n## ${SOAK_HEADING}\n`);
  if (start === -1) return page + part;
  const next = page.indexOf("\n## ", start + 4);
  return page.slice(0, start) + part + (next === -1 ? "" : page.slice(next));
}

import { cpus, loadavg } from "node:os";
import type { BenchOptions } from "./options.ts";
import type { Measurement } from "./report.ts";

const HEADING = "\n## Large requests\n";

/** The part of the page of benchmarks about large requests, by their size. */
export function largePart(
  sizes: ReadonlyMap<string, readonly Measurement[]>,
  options: BenchOptions,
  date: Date,
): string {
  const rows = [...sizes].flatMap(([size, measurements]) => {
    const cpuOf = (name: string) => measurements.find((row) => row.name === name)?.cpuMicroseconds;
    const beside = (own: number, other: number | undefined) =>
      other === undefined ? "-" : written(own / other, 2);
    return measurements.map((row) =>
      [
        row.title,
        size,
        written(row.cpuMicroseconds, 0),
        beside(row.cpuMicroseconds, cpuOf("nginx")),
        beside(row.cpuMicroseconds, cpuOf("bare")),
        beside(row.cpuMicroseconds, cpuOf("bare-parse")),
        row.requestsPerSecond.toFixed(0),
        row.residentMegabytes.toFixed(0),
        String(row.failures),
      ].join(" | "),
    );
  });
  return `${HEADING}
Measured on ${date.toISOString().slice(0, 10)} with \`npm run bench:gateway -- --large\`, Node.js ${process.version}; load average at the end
${loadavg()[0]!.toFixed(1)} on ${cpus().length} cores. Chat completions as a coding agent sends them late in its session: five tools and
hundreds of messages with calls and their results. Everything else is as above, with ${options.connections} connections, ${options.rounds} turns
of ${options.seconds} s and the medians.

| Subject | Request | CPU µs/request | x nginx | x bare | x parses and serialises | requests/s | RSS MiB | failed |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.map((row) => `| ${row} |`).join("\n")}
`;
}

/** A figure; that of a subject which finished no request in its time is none. */
function written(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "none finished";
}

/** The page with another part about large requests; the rest stays as it is. */
export function withLargePart(page: string, part: string): string {
  const start = page.indexOf(HEADING);
  if (start === -1) return page + part;
  const next = page.indexOf("\n## ", start + HEADING.length);
  return page.slice(0, start) + part + (next === -1 ? "" : page.slice(next));
}

import { cpus, loadavg, release } from "node:os";
import type { BenchOptions } from "./options.ts";

/** What was measured of one subject. */
export interface Measurement {
  readonly name: string;
  readonly title: string;
  readonly requestsPerSecond: number;
  /** The median of all turns, and the least disturbed one. */
  readonly cpuMicroseconds: number;
  readonly leastCpuMicroseconds: number;
  /** One request at a time, beyond a direct call of the upstream; milliseconds. */
  readonly addedP50: number;
  readonly addedP99: number;
  readonly residentMegabytes: number;
  readonly failures: number;
}

/** The result as a page of markdown. */
export function benchmarkPage(
  measurements: readonly Measurement[],
  options: BenchOptions,
  date: Date,
): string {
  const bare = measurements.find(({ name }) => name === "bare");
  const rows = measurements.map((row) =>
    [
      row.title,
      row.cpuMicroseconds.toFixed(0),
      bare === undefined ? "-" : (row.cpuMicroseconds / bare.cpuMicroseconds).toFixed(2),
      row.leastCpuMicroseconds.toFixed(0),
      bare === undefined ? "-" : (row.leastCpuMicroseconds / bare.leastCpuMicroseconds).toFixed(2),
      row.requestsPerSecond.toFixed(0),
      row.addedP50.toFixed(2),
      row.addedP99.toFixed(2),
      row.residentMegabytes.toFixed(0),
      String(row.failures),
    ].join(" | "),
  );
  return `# Benchmarks

Measured on ${date.toISOString().slice(0, 10)} with \`npm run bench:gateway\`, Node.js ${process.version}, Linux ${release()},
${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown CPU"}; load generator, upstream and subject share the machine, so
requests per second say less than CPU per request. Load average at the end: ${loadavg()[0]!.toFixed(1)}; above ${cpus().length} other
work disturbed the run.

A chat completion of about 700 bytes, answered by nginx with a fixed completion of about 1 kB.
The subjects take turns, ${options.rounds} each, after ${options.warmup} s of load. In a turn ${options.connections} connections for ${options.seconds} s give
throughput and CPU (user and system, from \`/proc/PID/stat\`, children included), and one connection for ${options.seconds} s the
latency added to a direct call of the upstream. The table has medians, and the CPU of the least disturbed turn.

| Subject | CPU µs/request | x bare | least | x bare | requests/s | added p50 ms | added p99 ms | RSS MiB | failed |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${rows.map((row) => `| ${row} |`).join("\n")}

What each does: nginx and the bare pass-through copy bytes. Portico checks a key, routes, reads the usage, prices it,
writes a spend row and a log line. LiteLLM has the same configuration file, without a database. Portkey
chooses the provider by request headers and checks no key of its own.
`;
}

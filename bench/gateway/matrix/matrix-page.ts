import { cpus, loadavg } from "node:os";
import { type Case, titleOf } from "./cases.ts";
import { type Cell, type MatrixOptions, type Results, usualOf } from "./measure.ts";

const HEADING = "\n## All formats, sizes and connections\n";

/** The part of the page of benchmarks about every kind of call. */
export function matrixPart(results: Results, options: MatrixOptions, events: string, date: Date): string {
  const sizes = [...new Set([...results.keys()].map(({ bytes }) => bytes))];
  const tables = sizes.map((bytes) => {
    const rows = [...results]
      .filter(([each]) => each.bytes === bytes)
      .map(([each, cells]) => row(each, cells));
    return `### Requests of ${bytes / 1000} KB\n\n${HEAD}\n${rows.join("\n")}\n`;
  });
  const counts = options.connections.join(", ");
  return `${HEADING}
Written by \`npm run bench:gateway -- --peers --output docs/gateway/benchmarks.md\` on ${date.toISOString().slice(0, 10)}, Node.js ${process.version},
${cpus().length} x ${cpus()[0]?.model.trim() ?? "unknown CPU"}, load average at the end ${loadavg()[0]!.toFixed(1)}: above ${cpus().length} other work disturbed the run.

The simulator's answers, recorded and served by nginx. *Stream, at once*: all events arrive together (${events});
*event by event*: one every 2 ms in each stream, 16 streams. *chat from messages*: the caller speaks chat completions and the provider Messages, so
the gateway translates; bare and nginx copy what the provider sends. Where there are several figures in a cell they are for
${counts} connections; all others for 32. CPU is the process's, its threads and what it does for ${0.7} s after a turn included,
PostgreSQL's own left out; *p99* the 99th percentile in milliseconds beyond the provider's own. Each turn took ${options.seconds} s, each figure is
of the least disturbed of ${options.rounds}. *×* is to bare; *× parsing* to a bare proxy that parses each request and
serialises it again. A dash: the subject does not answer such calls.

${tables.join("\n")}`;
}

const HEAD = `| Call | bare µs | SQLite × | PostgreSQL × | × parsing | bare p99 | SQLite p99 | PostgreSQL p99 | nginx × | Portkey × | LiteLLM × |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`;

type Cells = ReadonlyMap<string, ReadonlyMap<number, Cell>>;

function row(each: Case, cells: Cells): string {
  const cell = (name: string, connections: number): Cell | undefined => cells.get(name)?.get(connections);
  const cpu = (name: string, connections: number): number | undefined =>
    cell(name, connections)?.cpuMicroseconds;
  const usual = usualOf(each);
  const times = (name: string, connections = usual, base = "bare"): string =>
    shown(ratio(cpu(name, connections), cpu(base, connections)), 2);
  const added = (name: string, connections: number): string => {
    const [own, direct] = [cell(name, connections)?.p99, cell("direct", connections)?.p99];
    return shown(own === undefined || direct === undefined ? undefined : own - direct, 2);
  };
  const overAll = (show: (connections: number) => string): string => each.connections.map(show).join(" / ");
  return `| ${[
    titleOf(each),
    overAll((connections) => shown(cpu("bare", connections), 0)),
    overAll((connections) => times("sqlite", connections)),
    overAll((connections) => times("postgres", connections)),
    times("sqlite", usual, "bare-parse"),
    overAll((connections) => added("bare", connections)),
    overAll((connections) => added("sqlite", connections)),
    overAll((connections) => added("postgres", connections)),
    times("nginx"),
    times("portkey"),
    times("litellm"),
  ].join(" | ")} |`;
}

function ratio(own: number | undefined, base: number | undefined): number | undefined {
  return own === undefined || base === undefined ? undefined : own / base;
}

function shown(value: number | undefined, digits: number): string {
  return value === undefined ? "-" : value.toFixed(digits);
}

/** The page with another part about all kinds of calls; the rest stays as it is. */
export function withMatrixPart(page: string, part: string): string {
  const start = page.indexOf(HEADING);
  if (start === -1) return page + part;
  const next = page.indexOf("\n## ", start + HEADING.length);
  return page.slice(0, start) + part + (next === -1 ? "" : page.slice(next));
}

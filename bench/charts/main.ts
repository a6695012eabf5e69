import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SOAK_HEADING } from "../gateway/soak/page.ts";
import { type BarChart, barChartSvg, PALETTES } from "./bar-chart.ts";
import { type LineChart, lineChartSvg } from "./line-chart.ts";
import { measuredTable } from "./measured-table.ts";

/**
 * `npm run bench:charts`: draws the charts of the README pages from the tables that the benchmarks wrote, once for
 * light and once for dark pages. A test in `tools/` compares the files with what this draws.
 */
const docs = resolve(import.meta.dirname, "../../docs");

/** What one chart shows: a column of a measured table, and the rows by the beginnings of their first cells. */
interface ChartSource {
  readonly page: string;
  readonly heading?: string;
  readonly file: string;
  readonly title: string;
  readonly subtitle: string;
  readonly column: string;
  readonly rows: readonly { readonly begins: string; readonly label: string; readonly highlighted?: true }[];
  readonly show: (value: number) => string;
}

const CHARTS: readonly ChartSource[] = [
  {
    page: "gateway/benchmarks.md",
    file: "gateway/cpu-per-request",
    title: "CPU time for one chat completion",
    subtitle: "Microseconds of CPU for each request, 32 connections; shorter is better",
    column: "CPU µs/request",
    rows: [
      { begins: "node:http + undici", label: "bare Node.js proxy" },
      { begins: "Portico", label: "Portico", highlighted: true },
      { begins: "Portkey", label: "Portkey" },
      { begins: "LiteLLM", label: "LiteLLM" },
    ],
    show: (value) => `${value.toLocaleString("en-US")} µs`,
  },
  {
    page: "formatter/benchmarks.md",
    heading: "Beside Black",
    file: "formatter/check-time",
    title: "Checking every 25th file of Django and the standard library",
    subtitle: "Seconds on two cores without a cache, safety check on (Ruff has none); shorter is better",
    column: "wall s",
    rows: [
      { begins: "Ruff", label: "Ruff" },
      { begins: "Jetblack, 2 threads", label: "Jetblack", highlighted: true },
      { begins: "Black 26.10.1, 2 processes", label: "Black" },
    ],
    show: (value) => `${value.toFixed(2)} s`,
  },
];

if (process.argv[1] === import.meta.filename) writeCharts();

/** Draws the charts anew; the benchmarks do so behind the pages that they wrote. */
export function writeCharts(): void {
  for (const [file, svg] of drawnCharts()) writeFileSync(file, svg);
}

/** The charts by the names of their files. */
export function drawnCharts(): Map<string, string> {
  const drawn = new Map<string, string>();
  const soak = soakChart();
  for (const [scheme, palette] of Object.entries(PALETTES)) {
    for (const source of CHARTS)
      drawn.set(join(docs, `${source.file}-${scheme}.svg`), barChartSvg(chartOf(source), palette));
    drawn.set(join(docs, `gateway/soak-${scheme}.svg`), lineChartSvg(soak, palette));
  }
  return drawn;
}

/** What `npm run soak:gateway` saw: the gateway's memory and how late its timers came. */
function soakChart(): LineChart {
  const table = measuredTable(readFileSync(join(docs, "gateway/benchmarks.md"), "utf8"), SOAK_HEADING);
  const column = (title: string): number[] => table.map((row) => Number(row[title]));
  return {
    title: "Portico over a million requests",
    subtitle:
      "Whole answers, streams, errors and callers that leave, 24 at a time, as fast as they are answered",
    axis: "requests",
    at: column("Requests"),
    panels: [
      {
        title: "Resident memory",
        values: column("resident MiB"),
        show: (value) => `${value} MiB`,
      },
      {
        title: "Event loop's delay, 99.9th percentile of each 50,000 requests",
        values: column("delay p99.9 ms"),
        limit: { value: 10, label: "10 ms" },
        show: (value) => `${value} ms`,
      },
    ],
  };
}

function chartOf({ page, heading, title, subtitle, column, rows, show }: ChartSource): BarChart {
  const table = measuredTable(readFileSync(join(docs, page), "utf8"), heading);
  const bars = rows.map(({ begins, label, highlighted = false }) => {
    const row = table.find((cells) => Object.values(cells)[0]?.startsWith(begins));
    const value = Number(row?.[column]);
    if (Number.isNaN(value)) throw new Error(`${page} has no "${column}" for "${begins}"`);
    return { label, value, shown: show(value), highlighted };
  });
  return { title, subtitle, bars };
}

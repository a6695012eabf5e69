import { median } from "../statistics.ts";
import type { Timing } from "./measure.ts";

/** How times are written: how many to a second, and with how many decimals. */
const UNITS = { s: [1, 3], ms: [1000, 1] } as const;

/** Medians as Markdown, one row for each program; the ratios are to the first. */
export function table(
  timings: ReadonlyMap<string, readonly Timing[]>,
  unit: keyof typeof UNITS = "s",
): string {
  const [factor, decimals] = UNITS[unit];
  const medians = [...timings].map(([name, list]) => ({
    name,
    count: list.length,
    cpu: median(list.map((timing) => timing.cpu)),
    wall: median(list.map((timing) => timing.wall)),
  }));
  const [reference] = medians;
  const rows = medians.map(({ name, count, cpu, wall }) => {
    const times = [cpu, wall].map((seconds) => (seconds * factor).toFixed(decimals));
    const ratios = [cpu / reference!.cpu, wall / reference!.wall].map((ratio) => ratio.toFixed(2));
    return `| ${name} | ${count} | ${times.join(" | ")} | ${ratios.join(" | ")} |`;
  });
  const head = `| program | runs | CPU ${unit} | wall ${unit} | CPU, Ruff = 1 | wall, Ruff = 1 |`;
  return [head, "|---|---|---|---|---|---|", ...rows].join("\n");
}

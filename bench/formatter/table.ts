import { median, type Timing } from "./measure.ts";

/** Medians as Markdown, one row for each program; the ratios are to the first. */
export function table(timings: ReadonlyMap<string, readonly Timing[]>): string {
  const medians = [...timings].map(([name, list]) => ({
    name,
    count: list.length,
    cpu: median(list.map((timing) => timing.cpu)),
    wall: median(list.map((timing) => timing.wall)),
  }));
  const [reference] = medians;
  const rows = medians.map(({ name, count, cpu, wall }) => {
    const ratios = [cpu / reference!.cpu, wall / reference!.wall].map((ratio) => ratio.toFixed(1));
    return `| ${name} | ${count} | ${cpu.toFixed(3)} | ${wall.toFixed(3)} | ${ratios.join(" | ")} |`;
  });
  const head = "| program | runs | CPU s | wall s | CPU, Ruff = 1 | wall, Ruff = 1 |";
  return [head, "|---|---|---|---|---|---|", ...rows].join("\n");
}

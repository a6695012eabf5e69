import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildCollector, throughCollector } from "./collector.ts";
import { compare, faultsOfTraces } from "./compare.ts";
import { measure } from "./measure.ts";
import { kinds } from "./mixed-load.ts";

/**
 * `npm run telemetry -w portico`: a mixed load, and what metrics, traces and logs tell of it beside what the simulator
 * counted. `--collector build` makes OpenTelemetry's collector from the Go module proxy and puts it in between (`PATH` for
 * one that is there). Ends with 1 where anything differs.
 */
const { values } = parseArgs({
  options: { calls: { type: "string", default: "1500" }, collector: { type: "string" } },
});
const made = join(import.meta.dirname, "../../node_modules/.cache/collector");
const collector = values.collector === "build" ? buildCollector(made) : values.collector;
let differing = 0;
for (const [protocol, encoding] of [
  ["http/protobuf", "json"],
  ["http/json", "proto"],
] as const) {
  const count = Math.max(Number(values.calls), kinds);
  const through = collector === undefined ? undefined : throughCollector(collector, encoding);
  const measured = await measure(count, protocol, through);
  const figures = compare(measured);
  const way = collector === undefined ? "" : `, by the collector as ${encoding}`;
  say(`\n${count} calls, OTLP over ${protocol}${way}`);
  for (const { figure, counted, told } of figures) {
    const others = Object.entries(told).map(([place, value]) => `${place} ${value}`);
    const differs = Object.values(told).some((value) => value !== counted);
    differing += Number(differs);
    say(`${differs ? "DIFFERS " : ""}${figure}: ${counted} counted; ${others.join(", ")}`);
  }
  const faults = faultsOfTraces(measured);
  differing += faults.length;
  for (const fault of faults) say(`DIFFERS ${fault}`);
  say(`${measured.otlp.spans.length} spans, ${measured.otlp.logs.length} log records`);
}
say(differing === 0 ? "\nEverything is told as it was counted." : `\n${differing} differ.`);
process.exitCode = differing === 0 ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compare, faultsOfTraces } from "./telemetry/compare.ts";
import { measure } from "./telemetry/measure.ts";
import { kinds } from "./telemetry/mixed-load.ts";

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const alerts = join(import.meta.dirname, "../../../docs/gateway/monitoring/alerts.yml");

it.each(["http/protobuf", "http/json"])(
  "tells of a mixed load what the simulator counted, over %s",
  async (protocol) => {
    // Each kind of call on each kind of provider, by each key.
    const measured = await measure(kinds * 6, protocol);
    const figures = compare(measured);
    expect(
      figures.filter(({ counted, told }) => Object.values(told).some((value) => value !== counted)),
    ).toEqual([]);
    // The load has what it is to have.
    for (const figure of [
      "flaky-model: answered",
      "flaky-model: failed",
      "broken-model: failed",
      "gpt-4o: answered",
    ])
      expect(figures.find((row) => row.figure === figure)?.counted, figure).toBeGreaterThan(0);
    expect(measured.hooks.length).toBeGreaterThan(kinds);
    expect(faultsOfTraces(measured)).toEqual([]);
    if (!hasPromtool) return;
    const checked = spawnSync("promtool", ["check", "metrics"], {
      input: measured.prometheus,
      encoding: "utf8",
    });
    expect(checked.status, checked.stdout + checked.stderr).not.toBe(1);
  },
);

it.skipIf(!hasPromtool)("has alert rules that Prometheus accepts", () => {
  const checked = spawnSync("promtool", ["check", "rules", alerts], { encoding: "utf8" });
  expect(checked.status, checked.stdout + checked.stderr).toBe(0);
});

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compare, faultsOfTraces } from "./telemetry/compare.ts";
import { measure } from "./telemetry/measure.ts";
import { kinds } from "./telemetry/mixed-load.ts";

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const monitoring = join(import.meta.dirname, "../../../docs/gateway/monitoring");
/** What scrapes of the mixed loads got. */
const scraped: string[] = [];

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
    scraped.push(measured.prometheus);
  },
);

// Debian has it in `prometheus`, which `.ci/run` installs; a run without it names these among what did not run.
describe.skipIf(!hasPromtool)("Prometheus's own tool", () => {
  it("accepts what a scrape gets", () => {
    expect(scraped.length).toBeGreaterThan(0);
    for (const input of scraped) {
      const { status, output } = promtool(["check", "metrics"], input);
      // 3 is for matters of taste, such as LiteLLM's names without a unit.
      expect([0, 3], output).toContain(status);
    }
  });

  it("accepts the alert rules", () => {
    expect(promtool(["check", "rules", join(monitoring, "alerts.yml")])).toMatchObject({ status: 0 });
  });

  it("finds that the alert rules do what their own tests say", () => {
    expect(promtool(["test", "rules", join(monitoring, "alerts.test.yml")])).toMatchObject({ status: 0 });
  });
});

function promtool(words: readonly string[], input = ""): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("promtool", words, { input, encoding: "utf8" });
  return { status, output: stdout + stderr };
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";

const folder = join(import.meta.dirname, "../../../docs/gateway/monitoring");
const read = (file: string): Promise<string> => readFile(join(folder, file), "utf8");

/** Prometheus itself makes these. */
const ofPrometheus = new Set(["up"]);
let gateway: TestGateway;
let offered: Set<string>;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: m, litellm_params: {model: openai/gpt-4o, api_key: k}}
gateway_settings: {callbacks: [prometheus]}
general_settings: {master_key: ${MASTER_KEY}}
`,
  });
  const text = await (await gateway.call("/metrics")).text();
  offered = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
});
afterAll(() => gateway?.close());

/** Names of metrics in an expression, those of a histogram's series by the histogram. */
function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\b(?:litellm|portico|nodejs|process)_\w+\b(?=[{[\s)>]|$)/g)].map(([name]) =>
    name.replace(/_bucket$/, ""),
  );
}

describe("Monitoring", () => {
  it("has alerts for metrics that the gateway offers, each with what to do", async () => {
    const { groups } = parse(await read("alerts.yml")) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, expr, annotations } of rules) {
      const names = metricsIn(expr);
      expect(names.length + (/\bup\{/.test(expr) ? 1 : 0), alert).toBeGreaterThan(0);
      expect(
        names.filter((name) => !offered.has(name) && !ofPrometheus.has(name)),
        alert,
      ).toEqual([]);
      expect(Object.keys(annotations), alert).toEqual(["summary", "action"]);
    }
  });

  it("has a dashboard of metrics that the gateway offers", async () => {
    const { panels } = JSON.parse(await read("dashboard.json")) as {
      panels: { title: string; type: string; targets?: { expr: string }[] }[];
    };
    for (const { title, targets = [] } of panels.filter(({ type }) => type !== "row")) {
      expect(targets.length, title).toBeGreaterThan(0);
      for (const { expr } of targets) {
        const names = metricsIn(expr);
        expect(names.length, expr).toBeGreaterThan(0);
        expect(
          names.filter((name) => !offered.has(name)),
          expr,
        ).toEqual([]);
      }
    }
  });
});

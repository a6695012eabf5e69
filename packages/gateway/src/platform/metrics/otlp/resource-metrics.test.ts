import { expect, it } from "vitest";
import { resourceMetricsOf } from "./resource-metrics.ts";

it("leaves out what has no number yet, for which JSON has no word", () => {
  const values = [Number.NaN, Number.POSITIVE_INFINITY, 3].map((value) => ({ labels: {}, value }));
  const lag = { name: "lag", help: "", type: "gauge", values, aggregator: "sum" };
  const { scopeMetrics } = resourceMetricsOf([lag] as never, {} as never, "1", 0, 1);
  expect(scopeMetrics[0]!.metrics[0]!.dataPoints).toMatchObject([{ value: 3 }]);
});

import type {
  GaugeMetricData,
  HistogramMetricData,
  MetricData,
  ResourceMetrics,
  SumMetricData,
} from "@opentelemetry/sdk-metrics";
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from "prom-client";
import { hrTime } from "../../otlp/hr-time.ts";

/** OpenTelemetry's numbers (`DataPointType`, `AggregationTemporality`, `ValueType`); the library is loaded for none. */
const HISTOGRAM = 0;
const GAUGE = 2;
const SUM = 3;
const CUMULATIVE = 1;
const DOUBLE = 1;

type Figure = MetricObjectWithValues<MetricValue<string> | MetricValueWithName<string>>;
type Time = [seconds: number, nanoseconds: number];
type Common = Pick<MetricData, "descriptor" | "aggregationTemporality">;

/**
 * The figures that Prometheus would get, as OpenTelemetry's exporters take them, under the same names. Prometheus's
 * summaries are left out: OTLP has none that is not deprecated.
 * @param since milliseconds since the epoch at which counting began
 */
export function resourceMetricsOf(
  figures: readonly Figure[],
  resource: ResourceMetrics["resource"],
  version: string,
  since: number,
  now: number,
): ResourceMetrics {
  const times = { startTime: hrTime(since), endTime: hrTime(now) };
  const metrics = figures.flatMap((figure) => metricOf(figure, times) ?? []);
  return { resource, scopeMetrics: [{ scope: { name: "portico", version }, metrics }] };
}

interface Times {
  readonly startTime: Time;
  readonly endTime: Time;
}

function metricOf({ name, help, type, values }: Figure, times: Times): MetricData | undefined {
  const common: Common = {
    descriptor: { name, description: help, unit: "", valueType: DOUBLE },
    aggregationTemporality: CUMULATIVE,
  };
  // The library's types call them numbers; they are names.
  const kind = String(type);
  if (kind === "histogram") return histogramOf(common, values as MetricValueWithName<string>[], times);
  if (kind !== "counter" && kind !== "gauge") return undefined;
  // A gauge that was not measured yet is NaN. JSON cannot say that, and collectors would refuse the whole export.
  const known = values.filter(({ value }) => Number.isFinite(value));
  const dataPoints = known.map(({ labels, value }) => ({
    ...times,
    attributes: { ...labels } as Record<string, string>,
    value,
  }));
  if (kind === "gauge") return { ...common, dataPointType: GAUGE, dataPoints } satisfies GaugeMetricData;
  return { ...common, dataPointType: SUM, isMonotonic: true, dataPoints } satisfies SumMetricData;
}

/** Prometheus's buckets each hold those below, OpenTelemetry's do not; its last one has no bound. */
function histogramOf(
  common: Common,
  values: readonly MetricValueWithName<string>[],
  times: Times,
): HistogramMetricData {
  const series = new Map<
    string,
    { labels: Record<string, string>; bounds: number[]; upTo: number[]; sum: number; count: number }
  >();
  for (const { labels, value, metricName = "" } of values) {
    const { le, ...own } = labels as Record<string, string | number>;
    const key = JSON.stringify(own);
    let one = series.get(key);
    if (one === undefined) {
      one = { labels: own as Record<string, string>, bounds: [], upTo: [], sum: 0, count: 0 };
      series.set(key, one);
    }
    if (metricName.endsWith("_sum")) one.sum = value;
    else if (metricName.endsWith("_count")) one.count = value;
    else if (le !== "+Inf" && le !== undefined) {
      one.bounds.push(Number(le));
      one.upTo.push(value);
    }
  }
  const dataPoints = [...series.values()].map(({ labels, bounds, upTo, sum, count }) => ({
    ...times,
    attributes: labels,
    value: {
      sum,
      count,
      buckets: {
        boundaries: bounds,
        counts: [...upTo, count].map((all, index) => all - (upTo[index - 1] ?? 0)),
      },
    },
  }));
  return { ...common, dataPointType: HISTOGRAM, dataPoints };
}

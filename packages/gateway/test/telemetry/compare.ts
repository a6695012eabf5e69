import type { ReceivedSpan } from "../support/otlp-collector.ts";
import { type Measured, nameOf } from "./measure.ts";

/** One figure as different places tell it. */
export interface Comparison {
  readonly figure: string;
  /** What the simulator or the callers counted. */
  readonly counted: number;
  readonly told: Readonly<Record<string, number>>;
}

const CLIENT = 3;
const SERVER = 2;

/** The figures of a load, by model, by key and by tag, as each place tells them. */
export function compare(measured: Measured): Comparison[] {
  const { calls, simulator, otlp, prometheus } = measured;
  const attempts = otlp.spans.filter(({ kind }) => kind === CLIENT);
  const requests = otlp.spans.filter(({ kind }) => kind === SERVER);
  const lines = pointsIn(prometheus);
  const points = otlp.metrics().map(({ name, attributes, value }) => ({ name, labels: attributes, value }));
  const told = (name: string, labels: Record<string, string>) => ({
    Prometheus: sumOf(lines, name, labels),
    "OTLP metrics": sumOf(points, name, labels),
  });
  const models = [...new Set(simulator.requests.map(({ model }) => model))].sort();
  const byModel = models.flatMap((model): Comparison[] => {
    const received = simulator.requests.filter((request) => request.model === model);
    const { input = 0, output = 0 } = simulator.tokens[model] ?? {};
    const spans = attempts.filter((span) => span.attributes["gen_ai.request.model"] === model);
    const labels = { model_id: `d-${nameOf(model)}` };
    const tokens = (name: string) =>
      spans.reduce((sum, { attributes }) => sum + Number(attributes[`gen_ai.usage.${name}_tokens`] ?? 0), 0);
    return [
      {
        figure: `${model}: answered`,
        counted: received.filter(({ status }) => status < 400).length,
        told: {
          ...told("litellm_deployment_success_responses_total", labels),
          spans: spans.filter(({ status }) => status !== 2).length,
        },
      },
      {
        figure: `${model}: failed`,
        counted: received.filter(({ status }) => status >= 400).length,
        told: {
          ...told("portico_deployment_failed_attempts_total", labels),
          spans: spans.filter(({ status }) => status === 2).length,
        },
      },
      {
        figure: `${model}: input tokens`,
        counted: input,
        told: { ...told("litellm_input_tokens_metric_total", labels), spans: tokens("input") },
      },
      {
        figure: `${model}: output tokens`,
        counted: output,
        told: { ...told("litellm_output_tokens_metric_total", labels), spans: tokens("output") },
      },
    ];
  });
  const by = (name: string, values: readonly string[], of: (span: ReceivedSpan) => unknown) =>
    values.map((value) => ({
      figure: `${name} ${value}: requests`,
      counted: calls.filter(({ caller, tag }) => [caller.alias, caller.team, tag].includes(value)).length,
      told: { spans: requests.filter((span) => [of(span)].flat().includes(value)).length },
    }));
  const values = (of: (call: Measured["calls"][number]) => string) => [...new Set(calls.map(of))].sort();
  const paths = values(({ path, status }) => `${routeOf(path)} ${status}`);
  return [
    ...byModel,
    ...values(({ caller }) => caller.alias).map((alias) => ({
      figure: `key ${alias}: tokens`,
      counted: tokensOfKey(measured, attempts, alias),
      told: told("litellm_total_tokens_metric_total", { api_key_alias: alias }),
    })),
    ...by(
      "key",
      values(({ caller }) => caller.alias),
      ({ attributes }) => attributes["portico.key.alias"],
    ),
    ...by(
      "team",
      values(({ caller }) => caller.team),
      ({ attributes }) => attributes["portico.team.id"],
    ),
    ...by(
      "tag",
      values(({ tag }) => tag),
      ({ attributes }) => attributes["portico.tags"],
    ),
    ...paths.map((row) => {
      const [route = "", status = ""] = row.split(" ");
      return {
        figure: `${row}`,
        counted: calls.filter((call) => `${routeOf(call.path)} ${call.status}` === row).length,
        told: {
          ...told("litellm_proxy_total_requests_metric_total", { route, status_code: status }),
          spans: requests.filter(
            ({ attributes }) =>
              attributes["http.route"] === route &&
              attributes["http.response.status_code"] === Number(status),
          ).length,
          logs: otlp.logs.filter(
            ({ attributes }) => attributes.path === route && attributes.status === Number(status),
          ).length,
        },
      };
    }),
  ];
}

/** What does not fit together in the traces: the caller's span, the call's, each attempt's, and what hooks and providers saw. */
export function faultsOfTraces({ calls, simulator, otlp, hooks }: Measured): string[] {
  const attempts = new Map(
    otlp.spans.filter(({ kind }) => kind === CLIENT).map((span) => [span.spanId, span]),
  );
  const ofLoad = otlp.spans.filter(
    ({ kind, attributes }) => kind === SERVER && attributes["http.route"] !== "/metrics",
  );
  const requests = new Map(ofLoad.map((span) => [span.traceId, span]));
  const faults: string[] = [];
  for (const { traceId, spanId, status, path } of calls) {
    const request = requests.get(traceId);
    if (request?.parentId !== spanId) faults.push(`${path} ${status} has no span below its caller's`);
  }
  if (ofLoad.length !== calls.length) faults.push(`${ofLoad.length} spans of ${calls.length} requests`);
  for (const { traceparent, model, status } of simulator.requests) {
    const [, traceId = "", spanId = ""] = traceparent.split("-");
    const attempt = attempts.get(spanId);
    attempts.delete(spanId);
    if (attempt?.parentId !== requests.get(traceId)?.spanId || attempt?.traceId !== traceId)
      faults.push(`${model} ${status} got ${traceparent}, which is no attempt's`);
    else if (attempt.attributes["gen_ai.request.model"] !== model || (attempt.status === 2) !== status >= 400)
      faults.push(`the span of ${model} ${status} tells ${JSON.stringify(attempt.attributes)}`);
  }
  faults.push(...[...attempts.values()].map(({ name }) => `${name} reached no provider`));
  const traces = new Set(calls.map(({ traceId }) => traceId));
  for (const seen of hooks) if (!traces.has(seen.split("-")[1]!)) faults.push(`a hook saw ${seen}`);
  return [...faults, ...otlp.faults];
}

/** The tokens that the simulator's answers to a key's calls had, by the spans that its requests name. */
function tokensOfKey({ calls }: Measured, attempts: readonly ReceivedSpan[], alias: string): number {
  const traces = new Set(calls.filter(({ caller }) => caller.alias === alias).map(({ traceId }) => traceId));
  return attempts
    .filter(({ traceId }) => traces.has(traceId))
    .reduce(
      (sum, { attributes }) =>
        sum +
        Number(attributes["gen_ai.usage.input_tokens"] ?? 0) +
        Number(attributes["gen_ai.usage.output_tokens"] ?? 0),
      0,
    );
}

/** The gateway's pattern of a path. */
function routeOf(path: string): string {
  return path.replace(/\?.*/, "").replace(/models\/[^:]+/, "models/*");
}

interface Point {
  readonly name: string;
  readonly labels: Readonly<Record<string, unknown>>;
  readonly value: number;
}

function sumOf(points: readonly Point[], name: string, labels: Readonly<Record<string, string>>): number {
  const fits = (point: Point): boolean =>
    point.name === name && Object.entries(labels).every(([label, value]) => point.labels[label] === value);
  return points.filter(fits).reduce((sum, { value }) => sum + value, 0);
}

/** https://prometheus.io/docs/instrumenting/exposition_formats */
function pointsIn(text: string): Point[] {
  return [...text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name = "", labels = "", value]) => ({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, text]) => [label!, text]),
      ),
      value: Number(value),
    }),
  );
}
